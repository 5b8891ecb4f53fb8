package early

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// judge judges the text of a module: "ARGUMENT: SUMMARY" for each finding, a warning in brackets.
func judge(t *testing.T, release, text string) []string {
	t.Helper()
	e, err := engine.Parse(release)
	if err != nil {
		t.Fatal(err)
	}
	read, diags := loadtest.Files(t, map[string][]byte{"main.tf": []byte(text)}, load.Options{Engine: e})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	m := NewModule(e, read.Files)
	if m == nil {
		return nil
	}
	for i := range read.Files[0].Len() {
		b := read.Files[0].Block(i)
		name := strings.Join(b.Labels, "")
		if m.Computes(b.Type) || m.ReadsNames(b.Type) {
			m.Declare(b.Type, name, b)
			add(m, name, b.Type, b)
		}
	}
	var list []string
	for _, d := range m.Judge() {
		own := d.Subject.SliceBytes([]byte(text))
		list = append(list, fmt.Sprintf("%d %s: %s", d.Severity, own, d.Summary))
	}
	return list
}

func add(m *Module, name, path string, b *source.Block) {
	for _, it := range b.Items() {
		switch it := it.(type) {
		case *source.Attr:
			m.Add(name, path+"/"+it.Name, it)
		case *source.Block:
			add(m, name, path+"/"+it.Type, it)
		}
	}
}

// A value is refused if it certainly comes from a variable that a row refuses.
func TestJudge(t *testing.T) {
	const vars = `
variable "secret" { sensitive = true }
variable "free" { default = "a" }
variable "fixed" { const = true }
variable "open" { const = false }
locals {
  direct = var.secret
  object = { a = var.secret, b = "./b" }
  list   = [var.secret]
  self   = local.self
}
`
	refused := func(value string) []string {
		return []string{"1 " + value + ": Sensitive value not allowed"}
	}
	for value, want := range map[string][]string{
		`var.secret`:                     refused(`var.secret`),
		`"./${var.secret}"`:              refused(`"./${var.secret}"`),
		`(var.secret)`:                   refused(`(var.secret)`),
		`local.direct`:                   refused(`local.direct`),
		`local.object.a`:                 refused(`local.object.a`),
		`local.object.b`:                 nil,
		`local.list[0]`:                  nil,
		`local.self`:                     {`1 local.self: Circular reference`},
		`local.none`:                     {`1 local.none: Undefined local`},
		`upper(var.secret)`:              refused(`upper(var.secret)`),
		`nonsensitive(var.secret)`:       nil,
		`sha1(var.secret)`:               nil,
		`sensitive("./a")`:               refused(`sensitive("./a")`),
		`true ? var.secret : "./a"`:      nil,
		`true ? var.secret : var.secret`: refused(`true ? var.secret : var.secret`),
		`var.secret ? "./a" : "./b"`:     refused(`var.secret ? "./a" : "./b"`),
		`var.secret == "a" ? "b" : "c"`:  refused(`var.secret == "a" ? "b" : "c"`),
		`{a = "x"}[var.secret]`:          refused(`{a = "x"}[var.secret]`),
		`!var.secret`:                    refused(`!var.secret`),
		`var.free`:                       nil,
		`var.unknown`:                    {`1 var.unknown: Undefined variable`},
		`var.open`:                       {`1 var.open: Unable to use variable in static context`},
		`sha1(var.open)`:                 {`1 sha1(var.open): Unable to use variable in static context`},
		`"./a"`:                          nil,
	} {
		if diff := cmp.Diff(want, judge(t, "opentofu@1.12", vars+"module \"m\" {\n  source = "+value+"\n}\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", value, diff)
		}
	}
}

// What only init refuses is a warning, and values that are stored as a whole are judged inside
// lists and objects, too.
func TestJudgeAtInit(t *testing.T) {
	const secret = "variable \"secret\" {\n  sensitive = true\n}\n"
	for release, want := range map[string][]string{
		"opentofu@1.12": {`2 { tags = [var.secret] }: Backend config contains sensitive values`},
		"opentofu@1.7":  {`2 var.secret: Variables not allowed`},
		"terraform@1.5": {`2 var.secret: Variables not allowed`},
	} {
		text := secret + "terraform {\n  backend \"s3\" {\n    assume = { tags = [var.secret] }\n  }\n}\n"
		if diff := cmp.Diff(want, judge(t, release, text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", release, diff)
		}
	}
	unflagged := "variable \"v\" {}\nmodule \"m\" {\n  source = var.v\n}\n"
	if diff := cmp.Diff([]string{"2 var.v: Unknown value for a module call"}, judge(t, "terraform@1.15", unflagged)); diff != "" {
		t.Errorf("terraform (-want +got):\n%s", diff)
	}
}

// Where only constants are accepted, references and function calls are refused, operations are not.
func TestJudgeVarying(t *testing.T) {
	for value, want := range map[string][]string{
		`"a"`:                 nil,
		`"a${1 + 1}"`:         nil,
		`[path.module]`:       {`2 path.module: Variables not allowed`},
		`"${local.x}-b"`:      {`2 local.x: Variables not allowed`},
		`[{ a = upper("") }]`: {`2 upper: Function calls not allowed`},
	} {
		text := "terraform {\n  cloud {\n    organization = " + value + "\n  }\n}\n"
		if diff := cmp.Diff(want, judge(t, "terraform@1.11", text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", value, diff)
		}
	}
}

// A chain that is too long to be followed is reported if it decides on the value: an object as a whole isn't a secret.
func TestDepth(t *testing.T) {
	var text strings.Builder
	text.WriteString("variable \"secret\" {\n  sensitive = true\n}\nlocals {\n")
	for i := range maxDepth + 1 {
		fmt.Fprintf(&text, "  l%d = local.l%d\n", i, i+1)
	}
	fmt.Fprintf(&text, "  l%d = var.secret\n}\nmodule \"m\" {\n  source = local.l0\n}\n", maxDepth+1)
	whole := strings.Replace(text.String(), "source = local.l0", "source = { a = local.l0 }", 1)
	for text, want := range map[string][]string{text.String(): {"2 local.l0: Too many local values"}, whole: nil} {
		if diff := cmp.Diff(want, judge(t, "opentofu@1.12", text)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
