package clitest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Write puts files into a new directory.
func Write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ScaleModule writes a module of so many files with so many blocks each, and of so many override
// files with so many overridden blocks each, to measure with, and returns its directory.
func ScaleModule(b testing.TB, files, blocks, overrides, overridden int) string {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	text := map[string]string{}
	for i := range files {
		var out strings.Builder
		for j := range blocks {
			out.WriteString(scaleBlock(r, fmt.Sprintf("n%d_%d", i, j)))
		}
		text[fmt.Sprintf("f%04d.tf", i)] = out.String()
	}
	for i := range overrides {
		var out strings.Builder
		for range overridden {
			name := fmt.Sprintf("n%d_%d", r.IntN(files), r.IntN(blocks))
			fmt.Fprintf(&out, "resource \"x_server\" %q {\n  size = \"xl\" # more\n\n  disk {\n    gigabytes = %d\n  }\n}\n\n", name, i)
		}
		text[fmt.Sprintf("o%04d_override.tf", i)] = out.String()
	}
	return Write(b, text)
}

func scaleBlock(r *rand.Rand, name string) string {
	return fmt.Sprintf(`# Server %[1]s.
resource "x_server" %[1]q {
  size        = var.size # by team
  zone        = "${var.region}${element(["a", "b"], %[2]d)}"
  public      = false
  groups      = [x_group.a.id, x_group.b.id]
  description = "server number %[2]d"

  disk {
    name      = "/dev/sda"
    gigabytes = %[2]d
  }

  script = <<-EOT
    #!/bin/sh
    echo "${var.region} %[2]d"
  EOT

  tags = {
    Name  = %[1]q
    Owner = "team-%[2]d"
  }

  lifecycle {
    create_before_destroy = true
  }
}

`, name, r.IntN(100))
}

// Tree puts the files of an archive into a new directory.
func Tree(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	Unpack(t, dir, archive)
	return dir
}

// Unpack puts the files of an archive into a directory.
func Unpack(t testing.TB, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Files returns the texts of the files below a directory, by their paths with slashes, without
// git's own.
func Files(t testing.TB, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		rel, relErr := filepath.Rel(dir, path)
		texts[filepath.ToSlash(rel)] = string(text)
		if err == nil {
			err = relErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// Commit commits everything in a directory, which becomes a repository if it isn't one. The test is
// skipped if git isn't installed.
func Commit(t testing.TB, dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git isn't installed")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	Git(t, dir, "init", "-q", "-b", "main")
	Git(t, dir, "add", "-A")
	Git(t, dir, "commit", "-q", "-m", "x")
}

// Git runs git in a directory.
func Git(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
