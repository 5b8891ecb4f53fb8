package cli

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Releases are a server on this machine, with the files that GitHub would have.
type releases struct {
	dir string // download/VERSION/FILE, and latest/download/checksums.txt
	url string
	bin string   // curl reaches the server under GitHub's name; gh and cosign only judge identities
	env []string // with bin on the PATH
}

// verifier is gh or cosign: it records its arguments, and accepts the workflow of the repository.
const verifier = `#!/bin/sh
echo "$(basename "$0") $*" >> "$CALLS"
case " $REFUSED " in *" $(basename "$0") "*) exit 1 ;; esac
case $* in
  "auth status" | *" https://github.com/tofumerge/tofumerge/.github/workflows/release.yaml@refs/tags/v"*) ;;
  *) exit 1 ;;
esac
`

const redirectedCurl = `#!/bin/sh
for a; do
  shift
  case $a in
    https://github.com/tofumerge/tofumerge/releases/*) a=$SERVER/${a#https://github.com/tofumerge/tofumerge/releases/} ;;
    https://raw.githubusercontent.com/tofumerge/tofumerge/*) a=$SERVER/raw/${a#https://raw.githubusercontent.com/tofumerge/tofumerge/} ;;
    =https) a==http ;;
  esac
  set -- "$@" "$a"
done
exec "$CURL" "$@"
`

func newReleases(t *testing.T) *releases {
	t.Helper()
	s := &releases{dir: t.TempDir(), bin: t.TempDir()}
	curl := ""
	for _, name := range []string{"sh", "tar", "curl"} {
		var err error
		if curl, err = exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip(name + " is missing")
		}
	}
	s.url = serve(t, func(path string) string {
		text, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(path)))
		if err != nil {
			return "404 Not Found\r\n\r\n"
		}
		return "200 OK\r\n\r\n" + string(text)
	})
	s.command(t, "gh", verifier)
	s.command(t, "cosign", verifier)
	s.command(t, "curl", redirectedCurl)
	s.env = []string{
		"PATH=" + s.bin + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"SERVER=" + s.url, "CURL=" + curl, "CALLS=" + filepath.Join(s.bin, "calls"), "REFUSED=",
	}
	return s
}

// serve answers requests for paths until the end of the test, and returns its URL. Package net/http would take longer to
// compile than the program.
func serve(t *testing.T, answer func(path string) string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer client.Close()
				request := bufio.NewScanner(client)
				path := ""
				for request.Scan() && request.Text() != "" {
					if words := strings.Fields(request.Text()); path == "" && len(words) > 1 {
						path = words[1]
					}
				}
				_, _ = client.Write([]byte("HTTP/1.0 " + answer(path)))
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

// command puts a command on the PATH.
func (s *releases) command(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.bin, name), []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

func (s *releases) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// add adds a release for some systems, which becomes the newest one. Its program prints which it is.
func (s *releases) add(t *testing.T, version string) {
	t.Helper()
	var sums strings.Builder
	for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64"} {
		program := "#!/bin/sh\necho release " + version + " " + platform + "\n"
		name, content := "tofumerge_"+version[1:]+"_"+platform+".tar.gz", tarOf(t, "tofumerge", program)
		if strings.HasPrefix(platform, "windows") {
			name, content = strings.TrimSuffix(name, "tar.gz")+"zip", zipOf(t, "tofumerge.exe", program)
		}
		s.write(t, "download/"+version+"/"+name, content)
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256([]byte(content)), name)
	}
	for _, name := range []string{"download/" + version + "/checksums.txt", "latest/download/checksums.txt"} {
		s.write(t, name, sums.String())
	}
	s.write(t, "download/"+version+"/checksums.txt.sigstore.json", "{}")
	s.write(t, "download/"+version+"/provenance.sigstore.json", "{}")
}

// tarOf is an archive with a program and another file.
func tarOf(t *testing.T, name, text string) string {
	t.Helper()
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	archive := tar.NewWriter(packed)
	for _, f := range []struct{ name, text string }{{"LICENSE", "MPL"}, {name, text}} {
		if err := archive.WriteHeader(&tar.Header{Name: f.name, Mode: 0o755, Size: int64(len(f.text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(f.text)); err != nil {
			t.Fatal(err)
		}
	}
	if archive.Close() != nil || packed.Close() != nil {
		t.Fatal("the archive can't be written")
	}
	return out.String()
}

func zipOf(t *testing.T, name, text string) string {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	f, err := archive.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil || archive.Close() != nil {
		t.Fatal("the archive can't be written")
	}
	return out.String()
}
