package term_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

var module = map[string]string{
	"main.tf": `variable "stage" {
  default = "dev"
}
variable "object" {
  type = object({
    size = number
    zone = optional(string, "a")
  })
}
variable "plain" {
  default = [1, 2]
}
variable "fixed" {
  default  = "x"
  nullable = false
}
variable "unset" {
}
variable "wrong" {
  type = number
}
variable "secret" {
  type      = string
  default   = "s3cret default"
  sensitive = true
}
`,
	"main_override.tf": `variable "stage" {
  default = "override"
}
`,
	"terraform.tfvars": "stage  = \"qa\x1b[0m\"\n" + `object = { size = "3" }
fixed  = null
wrong  = "large"
secret = "s3cret"
other  = 1
token  = "s3cret"
`,
	"z.auto.tfvars": `stage = "prod"
plain = [3]
`,
}

const remote = `terraform {
  backend "remote" {
  }
}
`

// setOf is the set of the module, with more configuration.
func setOf(t *testing.T, more string) *layers.Set {
	t.Helper()
	files := map[string][]byte{"main.tf": []byte(module["main.tf"] + more), "main_override.tf": []byte(module["main_override.tf"])}
	src, _ := loadtest.Files(t, files, load.Options{})
	m, _ := merge.Files(src, merge.Options{})
	var given []*assignments.File
	for _, name := range []string{"terraform.tfvars", "z.auto.tfvars"} {
		f, diags := assignments.Parse(name, []byte(module[name]), src.Engine)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		given = append(given, f)
	}
	return layers.Of(m, given)
}

func explained(t *testing.T, set *layers.Set, o term.ExplainOptions) string {
	t.Helper()
	o.Layers, o.All = set, true
	var out strings.Builder
	if err := term.Explain(set.Module, screen.Plain(), o).Write(&out, lookup.Top(set.Module)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestLayers(t *testing.T) {
	got := explained(t, setOf(t, ""), term.ExplainOptions{})
	for _, want := range []string{
		`var.stage = "prod"

  merged    main_override.tf:1
  declared  main.tf:1

  default
    effective  main_override.tf:2  "override"
    replaced   main.tf:2           "dev"  by main_override.tf:2 [1]

  value, as the root module
    in effect  z.auto.tfvars:1     "prod"
    outranked  terraform.tfvars:1  "qa\x1b[0m"  by z.auto.tfvars:1
    outranked  main_override.tf:2  "override"   default, by z.auto.tfvars:1
`, `var.object = {
  size = 3
  zone = "a"
}
`, `
  value, as the root module
    in effect  terraform.tfvars:2  { size = "3" }  converted by the type at main.tf:5, with defaults of optional attributes
`, `var.plain = [3]
`, `
  value, as the root module
    in effect  z.auto.tfvars:2  [3]
    outranked  main.tf:11       [1, 2]  default, by z.auto.tfvars:2
`, `var.fixed = "x"
`, `
  value, as the root module
    gives the default  terraform.tfvars:3  null
    in effect          main.tf:14          "x"  default
`, `var.unset

  declared  main.tf:17

var.wrong is refused

`, `
  value, as the root module
    refused  terraform.tfvars:4  "large"
    The value doesn't fit the type of the variable: a number is required.
`, `var.secret = (sensitive value)
`, `
  value, as the root module
    in effect  terraform.tfvars:5  (sensitive value)
    outranked  main.tf:24          (sensitive value)  default, by terraform.tfvars:5
`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nis missing in\n%s", want, got)
		}
	}
}

// With only a default, no value is described.
func TestNoLayers(t *testing.T) {
	set := setOf(t, "")
	set = layers.Of(set.Module, nil)
	if got := explained(t, set, term.ExplainOptions{}); strings.Contains(got, "value, as") || !strings.Contains(got, "var.stage\n") {
		t.Errorf("got:\n%s", got)
	}
}

// With Redact, no ineffective value is shown, and the output mentions that values may be set
// elsewhere.
func TestLayersRedacted(t *testing.T) {
	got := explained(t, setOf(t, remote), term.ExplainOptions{Redact: true})
	for _, want := range []string{
		"outranked          terraform.tfvars:1  (redacted)", "in effect locally  z.auto.tfvars:1     \"prod\"",
		"\n    The workspace of the backend \"remote\" block at main.tf:28 may set variables, too; that can't be seen here.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	if strings.Contains(got, "s3cret") || strings.Contains(got, `"qa`) {
		t.Errorf("a value is shown:\n%s", got)
	}
}

// The records contain the same for programs, and hide the same.
func TestLayerRecords(t *testing.T) {
	set := setOf(t, remote)
	all := report.Variables(wording.NewRedactor(set.Module.Source, false), set, set.Variables())
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "s3cret") {
		t.Errorf("a secret is recorded:\n%s", text)
	}
	stage := all[0]
	var got []string
	for _, l := range stage.Layers {
		got = append(got, string(l.Source)+" "+l.Range.Filename+" "+string(l.Status)+" "+*l.Value)
	}
	want := []string{
		`default main_override.tf outranked "override"`,
		"file terraform.tfvars outranked \"qa\x1b[0m\"", `file z.auto.tfvars in_effect "prod"`,
	}
	if diff := cmp.Diff(want, got); diff != "" || stage.Address != "var.stage" || *stage.Value != `"prod"` || stage.Remote == nil {
		t.Errorf("%+v\n%s", stage, diff)
	}
	if by := stage.Layers[0].By; by == nil || by.Range.Filename != "z.auto.tfvars" {
		t.Errorf("the default is outranked by %+v", by)
	}
	redacted := report.Variables(wording.NewRedactor(set.Module.Source, true), set, set.Variables()[:1])
	if redacted[0].Layers[0].Value != nil || redacted[0].Layers[2].Value == nil {
		t.Errorf("redacted are %+v", redacted[0].Layers)
	}
}

// A default that is outranked names what outranks it.
func TestOutrankedDefaults(t *testing.T) {
	set := setOf(t, "")
	marks := map[string]string{}
	for a, by := range set.Outranked() {
		marks[a.Within().Labels[0]] = diag.Place(by.Range)
	}
	want := map[string]string{"stage": "z.auto.tfvars:1", "plain": "z.auto.tfvars:2", "secret": "terraform.tfvars:5"}
	if diff := cmp.Diff(want, marks); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
