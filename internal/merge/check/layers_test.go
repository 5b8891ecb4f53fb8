package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
)

const layered = `
variable "stage" {
  default = "dev"
}
variable "zone" {
  default = "a"
}
variable "size" {
  type = number
}
variable "fixed" {
  type     = string
  default  = "x"
  nullable = false
}
variable "secret" {
  type      = object({ key = number })
  sensitive = true
}
`

const layeredOverride = `
variable "stage" {
  default = "override"
}
variable "fixed" {
  default = "override"
}
variable "zone" {
  description = "the default is not overridden"
}
`

// setOf is the set of the module above with a main file and two variables files.
func setOf(t *testing.T, main, early, late string, options ...string) *layers.Set {
	t.Helper()
	src, _ := loadtest.Files(t, map[string][]byte{"main.tf": []byte(main), "main_override.tf": []byte(layeredOverride)}, load.Options{})
	m, _ := merge.Files(src, merge.Options{})
	var in layers.Inputs
	for _, file := range [][2]string{{"terraform.tfvars", early}, {"z.auto.tfvars", late}} {
		f, _ := assignments.Parse(file[0], []byte(file[1]), src.Engine)
		in.Files = append(in.Files, f)
	}
	for _, text := range options {
		v, _ := assignments.Option(text)
		in.Options = append(in.Options, layers.OptionInput{Value: &v})
	}
	return layers.Of(m, in)
}

func findingsIn(set *layers.Set) string {
	var out strings.Builder
	for _, x := range check.LayerFindings(set) {
		fmt.Fprintf(&out, "%s:%d: %s: %s [%s] %s\n", x.Range.Filename, x.Range.Start.Line, x.Severity, x.Message, x.Rule.ID, x.Address)
		if x.Related != nil {
			fmt.Fprintf(&out, "  %s: %s:%d\n", x.Related.Note, x.Related.Range.Filename, x.Related.Range.Start.Line)
		}
	}
	return out.String()
}

func TestLayerFindings(t *testing.T) {
	early := "stage = \"qa\"\nzone = \"b\"\nsize = \"large\"\nfixed = null\nsatge = 1\nbroken = var.x\n"
	late := "stage = \"prod\"\nsecret = { key = \"s3cret\" }\nsatge = 2\n"
	for _, test := range []struct{ name, main, early, late, want string }{
		{"all rules", layered, early, late, `main_override.tf:3: warning: z.auto.tfvars:1 gives the variable a value, so this default isn't in effect. Change the value there, or remove the override. [override-of-outranked-default] var.stage
  in effect: z.auto.tfvars:1
terraform.tfvars:1: notice: Outranked by z.auto.tfvars:1. Remove one of the two. [outranked-value] var.stage
  in effect: z.auto.tfvars:1
terraform.tfvars:3: error: The value doesn't fit the type of the variable: a number is required. [variable-value-type] var.size
z.auto.tfvars:2: error: The value doesn't fit the type of the variable. [variable-value-type] var.secret
terraform.tfvars:5: warning: The module doesn't declare a variable "satge", so nothing uses the value. Did you mean "stage"? [undeclared-variable] 
z.auto.tfvars:3: warning: The module doesn't declare a variable "satge", so nothing uses the value. Did you mean "stage"? [undeclared-variable] 
--var:1: error: The module doesn't declare a variable "option", so nothing uses the value. [undeclared-variable] 
`},
		{"a file that is not understood may declare anything", layered + "variable {", "satge = 1\nstage = 1\n", "", ""},
		{"in a run that fails nothing is judged by its type", layered, "size = \"large\"\n", "x {", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var options []string
			if test.name == "all rules" {
				options = []string{"option=1"}
			}
			if diff := cmp.Diff(test.want, findingsIn(setOf(t, test.main, test.early, test.late, options...))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Similar names are looked for a few times only.
func TestLayerHints(t *testing.T) {
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "stag%d = 1\n", i)
	}
	found := findingsIn(setOf(t, layered, many.String(), ""))
	if n := strings.Count(found, "Did you mean"); n == 0 || n > 20 {
		t.Errorf("there are %d hints:\n%s", n, found)
	}
}

// What the engine refuses of variables files is an error, what it warns of a warning.
func TestBrokenVariables(t *testing.T) {
	at := &hcl.Range{Filename: "a.tfvars", Start: hcl.Pos{Line: 2}}
	found := check.BrokenVariables(hcl.Diagnostics{
		{Severity: hcl.DiagError, Summary: "S", Detail: "D.", Subject: at},
		{Severity: hcl.DiagWarning, Summary: "S", Detail: "D.", Subject: at},
	})
	if len(found) != 2 || found[0].Severity != check.Error || found[1].Severity != check.Warning || found[1].Message != "S. D." || found[0].Range != *at {
		t.Errorf("%+v", found)
	}
}
