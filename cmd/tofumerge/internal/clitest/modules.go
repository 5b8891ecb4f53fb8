package clitest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
