package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// TestLiveTools runs the installed tools on the copy, and checks their findings and locations.
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

// refused is a module in which overrides refer to nothing.
var refused = map[string]string{
	"main.tf": `resource "terraform_data" "a" {
  input = "one"
}

output "o" {
  value = 1
}
`,
	"a_override.tf": `# two mistakes
output "o" {
      value = var.none
}
resource "terraform_data" "a" {
  input            = local.gone
  triggers_replace = [1, local.gone]
}
`,
}

// TestLiveLocations checks that an engine finds the same in the copy as in the original, at the same lines,
// columns and bytes.
func TestLiveLocations(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs an engine")
	}
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("terraform is not installed")
	}
	dir := t.TempDir()
	for name, text := range refused {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TF_CLI_CONFIG_FILE", os.DevNull)
	t.Setenv("CHECKPOINT_DISABLE", "1")
	found := func(command string) []string {
		out, _ := shell(t, dir, command)
		var read struct {
			Diagnostics []struct {
				Summary string
				Range   json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(out), &read); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		var list []string
		for _, d := range read.Diagnostics {
			list = append(list, d.Summary+strings.Join(strings.Fields(string(d.Range)), ""))
		}
		slices.Sort(list)
		return list
	}
	want := found("terraform validate -json")
	if diff := cmp.Diff(want, found("tofumerge exec -q . -- terraform validate -json")); diff != "" || len(want) != 3 {
		t.Errorf("%d findings (-want +got):\n%s", len(want), diff)
	}
}
