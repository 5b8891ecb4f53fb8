package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestWindows runs the program as Windows does: there, or in Wine. For Wine on Debian:
//
//	apt-get install wine64 binutils-mingw-w64-x86-64
//	WINE=/usr/lib/wine/wine64 go test ./cmd/tofumerge/internal/cli -run TestWindows
//
// Wine 8.0, which is in Debian 12, lacks the source of random numbers that programs of Go need; the linker
// of MinGW makes a library that takes them from elsewhere.
func TestWindows(t *testing.T) {
	w := newWindows(t)
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(w.dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("m/Main.tf", "locals {\r\n  a = 1\r\n  b = 2\r\n}\r\n")
	write("m/override.tf", "locals {\r\n  a = 3\r\n}\r\nlocals {\r\n  c = nope nope\r\n}\r\n")
	write("good/main.tf", "locals {\r\n  a = 1\r\n}\r\n")
	write("good/override.tf", "locals {\r\n  a = 1\r\n}\r\n")
	long := strings.Repeat("a-long-name/", 30)
	write(long+"main.tf", "locals {\n  a = 1\n}\n")
	for _, c := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string // their contents
	}{
		{"line ends", []string{"good"}, 0, "locals {\r\n  a = 1\r\n}\r\n", ""},
		{"URI of a drive", []string{"check", "-f", "sarif", w.path("m")}, 2, `"uri": "file:///` + strings.ReplaceAll(w.path("m/override.tf"), `\`, "/"), ""},
		{"extended path", []string{"check", "-f", "sarif", `\\?\` + w.path("m")}, 2, `"uri": "file:///` + strings.ReplaceAll(w.path("m/override.tf"), `\`, "/"), ""},
		{"backslashes", []string{"list", w.path("nowhere")}, 1, "", w.path("nowhere")},
		{"pattern", []string{"check", `m\*.tf`}, 2, "m/override.tf:5:", ""},
		{"pattern below --chdir", []string{"check", "-C", "m", `*.tf`}, 2, "override.tf:5:", ""},
		{"pattern that matches nothing", []string{"check", `n*.tf`}, 1, "", "no such file or directory: n*.tf"},
		{"other letters", []string{"check", "m/OVERRIDE.TF"}, 2, "m/override.tf:5:", ""},
		{"long path", []string{"list", filepath.FromSlash(long)}, 0, "main.tf", ""},
		{"output", []string{"good", "-o", "out.tf"}, 0, "", ""},
		{"output, replaced", []string{"good", "-o", "out.tf"}, 0, "", ""},
		{"null device", []string{"good", "-o", "NUL"}, 0, "", ""},
		{"reserved name", []string{"good", "-o", "con.tf"}, 1, "", "the name is reserved for a device"},
	} {
		stdout, stderr, status := w.run(t, c.args...)
		one := strings.Join(strings.Fields(stderr), " ")
		if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(strings.ReplaceAll(one, " ", ""), strings.ReplaceAll(c.stderr, " ", "")) {
			t.Errorf("%s: status %d, want %d\nstdout %q\n  want %q\nstderr %q\n  want %q",
				c.name, status, c.status, stdout, c.stdout, stderr, c.stderr)
		}
	}
	if got, err := os.ReadFile(filepath.Join(w.dir, "out.tf")); err != nil || string(got) != "locals {\r\n  a = 1\r\n}\r\n" {
		t.Errorf("output: %q, %v", got, err)
	}
}

// An onWindows runs the program in a directory.
type onWindows struct {
	dir, exe string
	env      []string
	wine     string // "" on Windows
}

// path is a path below the directory, as Windows has it.
func (w *onWindows) path(name string) string {
	name = filepath.Join(w.dir, filepath.FromSlash(name))
	if w.wine == "" {
		return name
	}
	return `Z:` + strings.ReplaceAll(name, "/", `\`)
}

func (w *onWindows) run(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(w.exe, args...)
	if w.wine != "" {
		cmd = exec.Command(w.wine, append([]string{w.exe}, args...)...)
	}
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = w.dir, w.env, &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func newWindows(t *testing.T) *onWindows {
	w := &onWindows{dir: t.TempDir(), exe: filepath.Join(t.TempDir(), "tofumerge.exe"), env: os.Environ()}
	if runtime.GOOS != "windows" {
		w.findWine(t)
	}
	build := exec.Command("go", "build", "-o", w.exe, ".")
	build.Env = append(os.Environ(), "GOOS=windows", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return w
}

// findWine prepares Wine, or skips the test.
func (w *onWindows) findWine(t *testing.T) {
	if w.wine = os.Getenv("WINE"); w.wine == "" || runtime.GOARCH != "amd64" {
		t.Skip("WINE doesn't name the program that runs those of Windows")
	}
	prefix := t.TempDir()
	w.env = append(w.env, "WINEPREFIX="+prefix, "WINEDEBUG=-all", "DISPLAY=")
	t.Cleanup(func() {
		stop := exec.Command(filepath.Join(filepath.Dir(w.wine), "wineserver"), "-k")
		stop.Env = w.env
		_ = stop.Run() // it ends on its own some seconds later
	})
	start := exec.Command(w.wine, "wineboot", "-i")
	start.Env = w.env
	if out, err := start.CombinedOutput(); err != nil {
		t.Skipf("Wine doesn't start: %v\n%s", err, out)
	}
	library := filepath.Join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(library); err != nil {
		makeLibrary(t, library)
	}
}

// makeLibrary links a library whose one function is another one of Wine.
func makeLibrary(t *testing.T, library string) {
	dir := t.TempDir()
	exports := filepath.Join(dir, "exports.def")
	text := "LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng = advapi32.SystemFunction036\n"
	source, object := filepath.Join(dir, "empty.s"), filepath.Join(dir, "empty.o")
	if err := errors.Join(os.WriteFile(exports, []byte(text), 0o666), os.WriteFile(source, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"x86_64-w64-mingw32-as", source, "-o", object},
		{"x86_64-w64-mingw32-ld", "-shared", "--entry", "0", "-o", library, exports, object},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("Wine lacks bcryptprimitives.dll, and it can't be made: %v\n%s", err, out)
		}
	}
}
