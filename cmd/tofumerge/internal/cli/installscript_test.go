package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// install runs docs/install.sh as a pipe does: from its standard input. It returns what is printed,
// and the files in the directory to install into.
func (s *releases) install(t *testing.T, into string, env, args []string) (printed string, files []string, ok bool) {
	t.Helper()
	script, err := os.Open(filepath.Join(repository, "docs", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	defer script.Close()
	cmd := exec.Command("sh", append([]string{"-s", "--"}, args...)...)
	cmd.Stdin, cmd.Dir = script, t.TempDir()
	cmd.Env = append(append(os.Environ(), s.env...), append([]string{"HOME=" + filepath.Dir(into), "TMPDIR=" + s.temp(t)}, env...)...)
	out, err := cmd.CombinedOutput()
	entries, _ := os.ReadDir(into)
	for _, e := range entries {
		files = append(files, e.Name())
	}
	if left, _ := os.ReadDir(s.temp(t)); len(left) > 0 {
		t.Errorf("%v: temporary files are left", args)
	}
	return string(out), files, err == nil
}

// temp is the directory for temporary files, with blanks in its name.
func (s *releases) temp(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(s.bin, "temporary files")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A release is installed from GitHub, from a server or from a tree of files.
func TestInstallScript(t *testing.T) {
	s := newReleases(t)
	s.add(t, "v1.2.2")
	s.add(t, "v1.3.0-rc.1")
	s.add(t, "v1.2.3")
	const linux, identity = "linux_amd64", "--certificate-identity https://github.com/tofumerge/tofumerge/.github/workflows/release.yaml@refs/tags/"
	for _, c := range []struct {
		name   string
		args   []string
		env    []string
		want   string // of the program
		called string
	}{
		{"newest", []string{"--platform", linux}, nil, "release v1.2.3 " + linux, identity + "v1.2.3\n"},
		{"older", []string{"--platform", linux, "--version", "v1.2.2"}, nil, "release v1.2.2 " + linux, identity + "v1.2.2\n"},
		{"before a release", []string{"--platform", linux, "--version", "v1.3.0-rc.1"}, nil, "release v1.3.0-rc.1 " + linux, identity + "v1.3.0-rc.1\n"},
		{"arm64", []string{"--platform", "darwin_arm64"}, nil, "release v1.2.3 darwin_arm64", "verify-blob-attestation tofumerge_1.2.3_darwin_arm64.tar.gz"},
		{"from a server", []string{"--platform", linux, "--from", s.url + "/"}, nil, "release v1.2.3 " + linux, identity},
		{"from files", []string{"--platform", linux, "--from", "file://" + s.dir}, nil, "release v1.2.3 " + linux, identity},
		{"with gh", []string{"--platform", linux, "--verify", "gh"}, nil, "release v1.2.3 " + linux, "gh attestation verify tofumerge_1.2.3_linux_amd64.tar.gz --repo tofumerge/tofumerge"},
		{"unsigned on request", []string{"--platform", linux, "--verify", "checksum"}, []string{"REFUSED=gh cosign"}, "release v1.2.3 " + linux, ""},
		{"zip", []string{"--platform", "windows_amd64"}, nil, "release v1.2.3 windows_amd64", "tofumerge_1.2.3_windows_amd64.zip"},
	} {
		if _, err := exec.LookPath("unzip"); err != nil && c.name == "zip" {
			continue
		}
		into := filepath.Join(t.TempDir(), "a home", ".local", "bin")
		_ = os.Remove(filepath.Join(s.bin, "calls"))
		printed, files, ok := s.install(t, into, append(c.env, "HOME="+filepath.Dir(filepath.Dir(into))), c.args)
		if !ok || len(files) != 1 {
			t.Errorf("%s: %q\n%s", c.name, files, printed)
			continue
		}
		if got, err := exec.Command(filepath.Join(into, files[0])).Output(); err != nil || strings.TrimSpace(string(got)) != c.want {
			t.Errorf("%s: %v: %q, want %q", c.name, err, got, c.want)
		}
		if calls, _ := os.ReadFile(filepath.Join(s.bin, "calls")); !strings.Contains(string(calls), c.called) {
			t.Errorf("%s: calls %q, want %q", c.name, calls, c.called)
		}
		if !strings.Contains(printed, "installed tofumerge") || !strings.Contains(printed, "isn't on your PATH") {
			t.Errorf("%s: printed %q", c.name, printed)
		}
	}
}

// Nothing is installed that isn't what the release workflow made, and the program that is there stays.
func TestInstallScriptRefuses(t *testing.T) {
	s := newReleases(t)
	for _, version := range []string{"v1.0.0", "v1.0.1", "v1.0.2", "v1.0.3", "v1.0.4", "v1.2.3"} {
		s.add(t, version)
	}
	good, err := os.ReadFile(filepath.Join(s.dir, "download/v1.2.3/tofumerge_1.2.3_linux_amd64.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, "download/v1.0.0/tofumerge_1.0.0_linux_amd64.tar.gz", string(good[:len(good)/2]))
	s.write(t, "download/v1.0.1/checksums.txt", strings.Repeat("0", 64)+"  tofumerge_1.0.1_linux_amd64.tar.gz\n")
	s.write(t, "download/v1.0.2/checksums.txt", "")
	s.write(t, "download/v1.0.3/checksums.txt", strings.Repeat(strings.Repeat("0", 64)+"  tofumerge_1.0.3_linux_amd64.tar.gz\n", 2))
	if os.Remove(filepath.Join(s.dir, "download/v1.0.4/checksums.txt.sigstore.json")) != nil {
		t.Fatal("the signature isn't there")
	}
	s.write(t, "odd/latest/download/checksums.txt", strings.Repeat("0", 64)+"  tofumerge_$(touch hacked)_linux_amd64.tar.gz\n")
	for _, c := range []struct {
		name string
		args []string
		env  []string
		want string
	}{
		{"cut archive", []string{"--version", "v1.0.0"}, nil, "isn't the file that checksums.txt of v1.0.0 names"},
		{"wrong checksum", []string{"--version", "v1.0.1"}, nil, "isn't the file that checksums.txt of v1.0.1 names"},
		{"no checksum", []string{"--version", "v1.0.2"}, nil, "doesn't name tofumerge_1.0.2_linux_amd64.tar.gz once"},
		{"two checksums", []string{"--version", "v1.0.3"}, nil, "doesn't name tofumerge_1.0.3_linux_amd64.tar.gz once"},
		{"no signature", []string{"--version", "v1.0.4"}, nil, "can't download"},
		{"wrong signature", nil, []string{"REFUSED=cosign"}, "the signature of checksums.txt isn't that of the release v1.2.3"},
		{"wrong attestation", []string{"--verify", "gh"}, []string{"REFUSED=gh"}, "the attestation of"},
		{"no such release", []string{"--version", "v9.9.9"}, nil, "can't download"},
		{"no such newest release", []string{"--from", s.url + "/none"}, nil, "can't download"},
		{"odd newest release", []string{"--from", s.url + "/odd"}, nil, "the newest release has no program"},
		{"odd version", []string{"--version", "v1.2.3\nv1.2.3"}, nil, "--version takes a release"},
		{"path in version", []string{"--version", "../v1.2.3"}, nil, "--version takes a release"},
		{"flag as version", []string{"--version", "--help"}, nil, "--version takes a release"},
		{"no value", []string{"--version"}, nil, "--version needs a value"},
		{"unknown option", []string{"--verison", "v1.2.3"}, nil, "there is no option --verison"},
		{"odd protocol", []string{"--from", "scp://127.0.0.1/x"}, nil, "--from takes https://, http:// or file://"},
		{"checksum over http", []string{"--from", s.url, "--verify", "checksum"}, nil, "the checksum proves nothing"},
		{"odd system", []string{"--platform", "plan9_amd64"}, nil, "there is no release for plan9_amd64"},
	} {
		into := filepath.Join(t.TempDir(), "bin")
		if os.Mkdir(into, 0o777) != nil || os.WriteFile(filepath.Join(into, "tofumerge"), []byte("old"), 0o777) != nil {
			t.Fatal("the old program can't be written")
		}
		printed, files, ok := s.install(t, into, c.env, append([]string{"--platform", "linux_amd64", "--into", into}, c.args...))
		text, _ := os.ReadFile(filepath.Join(into, "tofumerge"))
		if ok || !strings.Contains(printed, c.want) || len(files) != 1 || string(text) != "old" {
			t.Errorf("%s: ok %v, files %q, %q\n%s\nwant %q", c.name, ok, files, text, printed, c.want)
		}
	}
}

// Without anything that verifies signatures, the user decides.
func TestInstallScriptNeedsVerifier(t *testing.T) {
	s := newReleases(t)
	s.add(t, "v1.2.3")
	s.command(t, "gh", "#!/bin/sh\nexit 1\n") // not logged in
	if os.Remove(filepath.Join(s.bin, "cosign")) != nil {
		t.Fatal("there is no cosign to remove")
	}
	if _, err := exec.LookPath("cosign"); err == nil {
		t.Skip("cosign is installed")
	}
	printed, files, ok := s.install(t, filepath.Join(t.TempDir(), "bin"), nil, []string{"--platform", "linux_amd64"})
	if ok || len(files) > 0 || !strings.Contains(printed, "--verify checksum") {
		t.Errorf("ok %v, %q\n%s", ok, files, printed)
	}
}

// A redirect may lead to another host, as GitHub's do, and not to another protocol.
func TestInstallScriptRedirects(t *testing.T) {
	s := newReleases(t)
	s.add(t, "v1.2.3")
	for _, c := range []struct {
		to string
		ok bool
	}{{s.url, true}, {"file://" + s.dir, false}, {"https://127.0.0.1:1", false}} {
		from := serve(t, func(path string) string { return "302 Found\r\nLocation: " + c.to + path + "\r\n\r\n" })
		into := filepath.Join(t.TempDir(), "bin")
		printed, files, ok := s.install(t, into, nil, []string{"--platform", "linux_amd64", "--into", into, "--from", from})
		if ok != c.ok || len(files) == 1 != c.ok {
			t.Errorf("%s: ok %v, %q\n%s", c.to, ok, files, printed)
		}
	}
}

// A script that was cut anywhere does nothing.
func TestInstallScriptCut(t *testing.T) {
	s := newReleases(t)
	s.add(t, "v1.2.3")
	text, err := os.ReadFile(filepath.Join(repository, "docs", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	last := strings.LastIndex(strings.TrimSpace(string(text)), "\n") + 1
	cuts := []int{last}
	for i := last + 1; i < len(strings.TrimSpace(string(text))); i++ {
		cuts = append(cuts, i)
	}
	for i := 500; i < last; i += 1500 {
		cuts = append(cuts, i)
	}
	home := t.TempDir()
	for _, at := range cuts {
		cmd := exec.Command("sh", "-s", "--", "--platform", "linux_amd64")
		cmd.Stdin, cmd.Dir = strings.NewReader(string(text[:at])), home
		cmd.Env = append(append(os.Environ(), s.env...), "HOME="+home, "TMPDIR="+s.temp(t))
		out, _ := cmd.CombinedOutput()
		if made, _ := os.ReadDir(home); len(made) > 0 || strings.Contains(string(out), "installed") {
			t.Fatalf("cut at byte %d, it made something:\n%s", at, out)
		}
	}
}

// Scripts are clean, and the programs of a pipe are in one function.
func TestShellcheck(t *testing.T) {
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("shellcheck is missing")
	}
	cmd := exec.Command("sh", "-c", `grep -lE '^#!.*(bash|/sh)$' .ci/* .github/action/* docs/*.sh 2> /dev/null | xargs shellcheck -x`)
	cmd.Dir = repository
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
