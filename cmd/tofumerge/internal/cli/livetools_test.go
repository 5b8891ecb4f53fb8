package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// misread is a module that other tools misread: overrides mend one finding of tflint, add one, and complete
// variables.
var misread = map[string]string{
	"main.tf": `terraform {
  required_version = ">= 1.0"
}
variable "size" {
  type        = string
  description = "How large"
}
output "size" {
  value = "${var.size}"
}
output "other" {
  value = var.size
}
`,
	"a_override.tf": `# what staging runs
variable "size" {
  default = "small"
}
output "size" {
  value = var.size
}
output "other" {
  value       = "${var.size}"
  description = "The same"
}
`,
}

// TestLiveTools runs those tools on the copy that are installed, and checks what they find there, and where.
func TestLiveTools(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs other programs")
	}
	for _, c := range []struct {
		tool  string
		args  []string
		has   []string
		lacks []string
	}{
		{"tflint", []string{"--format", "compact"}, []string{"a_override.tf:9:17: "}, []string{"main.tf:"}},
		{"tflint", []string{"--format", "sarif"}, []string{`"a_override.tf"`, `"startLine": 9`}, []string{`"main.tf"`}},
		{"terraform-config-inspect", []string{"--json", "."}, []string{`"description": "How large"`, `"default": "small"`}, nil},
		{"hcl2json", []string{"main.tf"}, []string{`"default": "small"`, `"description": "How large"`, `"description": "The same"`}, nil},
		{"terraform", []string{"validate", "-json"}, []string{`"valid": true`}, nil},
	} {
		t.Run(c.tool+" "+c.args[0], func(t *testing.T) {
			if _, err := exec.LookPath(c.tool); err != nil {
				t.Skipf("%s is not installed", c.tool)
			}
			dir := t.TempDir()
			for name, text := range misread {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			out, _ := shell(t, dir, "tofumerge exec -q . -- "+c.tool+" "+strings.Join(c.args, " "))
			for _, text := range c.has {
				if !strings.Contains(out, text) {
					t.Errorf("there is no %s in\n%s", text, out)
				}
			}
			for _, text := range c.lacks {
				if strings.Contains(out, text) {
					t.Errorf("%s is in\n%s", text, out)
				}
			}
		})
	}
}
