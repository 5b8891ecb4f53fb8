package sourcemap_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
	"pgregory.net/rapid"
)

// A flat is a flattened file, and the origins of its lines.
type flat struct {
	name  string
	text  []byte
	lines sourcemap.Lines
}

// mapped flattens a module, and maps its files. It returns nothing for one that can't be flattened.
func mapped(src *load.Module, diags hcl.Diagnostics) (list []flat) {
	mod, more := merge.Files(src, merge.Options{})
	if append(diags, more...).HasErrors() {
		return nil
	}
	diffs, errs := rewrite.Diff(mod)
	if errs.HasErrors() {
		return nil
	}
	for i, lines := range sourcemap.Of(mod, diffs) {
		list = append(list, flat{diffs[i].Name, diffs[i].New(), lines})
	}
	return list
}

func given(t testing.TB, files map[string][]byte, e engine.Release) []flat {
	t.Helper()
	return mapped(loadtest.Files(t, files, load.Options{Engine: e}))
}

func linesIn(text []byte) [][]byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// A T is what reports on a property.
type T interface {
	Errorf(format string, args ...any)
}

// tokensByLine are the texts of the tokens in each line, from 1.
func tokensByLine(text []byte) map[int][]string {
	tokens, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	lines := map[int][]string{}
	for _, k := range tokens {
		if k.Type != hclsyntax.TokenNewline && k.Type != hclsyntax.TokenComment && k.Type != hclsyntax.TokenEOF {
			lines[k.Range.Start.Line] = append(lines[k.Range.Start.Line], string(k.Bytes))
		}
	}
	return lines
}

// checkMap checks that every line has origins that exist, and returns how many lines have tokens that
// their only origin lacks.
func checkMap(t T, files map[string][]byte, list []flat) (rough int) {
	was := map[string]map[int][]string{}
	for name, text := range files {
		was[name] = tokensByLine(text)
	}
	for _, f := range list {
		if total := len(linesIn(f.text)); len(f.lines) != total {
			t.Errorf("%s has %d lines, not %d", f.name, total, len(f.lines))
		}
		now := tokensByLine(f.text)
		for i, origins := range f.lines {
			if len(origins) == 0 {
				t.Errorf("%s:%d has no origin", f.name, i+1)
				continue
			}
			for _, o := range origins {
				if n := len(linesIn(files[o.File])); o.Line < 1 || o.Line > n {
					t.Errorf("%s:%d comes from %v, and %s has %d lines", f.name, i+1, o, o.File, n)
				}
			}
			if o := origins[0]; len(origins) == 1 && isNative(f.name) && isNative(o.File) && !strings.Contains(joined(was[o.File][o.Line]), joined(now[i+1])) {
				rough++
			}
		}
	}
	return rough
}

func isNative(name string) bool { return !strings.HasSuffix(name, ".json") }

func joined(tokens []string) string { return "\x00" + strings.Join(tokens, "\x00") + "\x00" }

// shown writes a map as text, a line for each line.
func shown(list []flat) string {
	var b strings.Builder
	for _, f := range list {
		for i, text := range linesIn(f.text) {
			var from []string
			for _, o := range f.lines[i] {
				from = append(from, fmt.Sprintf("%s:%d", o.File, o.Line))
			}
			fmt.Fprintf(&b, "%s | %s\n", strings.Join(from, " "), strings.TrimRight(string(text), "\n"))
		}
	}
	return b.String()
}

func TestLines(t *testing.T) {
	files := map[string][]byte{
		"main.tf": []byte(`# the web server
resource "aws_instance" "web" {
  ami  = "ami-1"
  type = "big"
  same = true

  ebs { size = 1 }
}
variable "v" {
  default = 1
}
`),
		"a_override.tf": []byte(`resource "aws_instance" "web" {
  # smaller here
  type = "small"
  same = true
  monitoring = true
  ebs { size = 2 }
  tags = {
    a = 1

    # b
    b = <<E
x
  y
E
  }
}
variable "v" {
  type = string
}
provider "aws" {
  region = "here"
}
`),
	}
	list := given(t, files, engine.Default())
	checkMap(t, files, list)
	want := strings.Join([]string{
		`main.tf:1 | # the web server`,
		`main.tf:2 | resource "aws_instance" "web" {`,
		`main.tf:3 |   ami = "ami-1"`,
		`a_override.tf:2 |   # smaller here`,
		`a_override.tf:3 |   type       = "small"`,
		`a_override.tf:4 |   same       = true`,
		`a_override.tf:5 |   monitoring = true`,
		`a_override.tf:7 |   tags = {`,
		`a_override.tf:8 |     a = 1`,
		`a_override.tf:9 | `,
		`a_override.tf:10 |     # b`,
		`a_override.tf:11 |     b = <<E`,
		`a_override.tf:12 | x`,
		`a_override.tf:13 |   y`,
		`a_override.tf:14 | E`,
		`a_override.tf:15 |   }`,
		`main.tf:6 | `,
		`a_override.tf:6 |   ebs { size = 2 }`,
		`main.tf:8 | }`,
		`main.tf:9 | variable "v" {`,
		`main.tf:10 |   default = 1`,
		`a_override.tf:18 |   type    = string`,
		`main.tf:11 | }`,
		`a_override.tf:20 | provider "aws" {`,
		`a_override.tf:21 |   region = "here"`,
		`a_override.tf:22 | }`,
	}, "\n") + "\n"
	if got := shown(list); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestGivenModules(t *testing.T) {
	dirs, err := filepath.Glob("../../../testdata/modules/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no modules", err)
	}
	for _, dir := range dirs {
		files := map[string][]byte{}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
		list := given(t, files, engine.Default())
		if list == nil {
			t.Fatalf("%s is refused", dir)
		}
		checkMap(t, files, list)
	}
}

func TestRules(t *testing.T) {
	n := 0
	loadtest.Each(t, "../../../testdata/rules", func(t *testing.T, c *loadtest.Case) {
		if list := given(t, c.Files, c.Engine); list != nil {
			n++
			checkMap(t, c.Files, list)
		}
	})
	if n < 80 {
		t.Errorf("only %d cases have been mapped", n)
	}
}

func TestMadeModules(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		texts := map[string][]byte{}
		for name, text := range files {
			texts[name] = []byte(text)
		}
		src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
		if err != nil || diags.HasErrors() {
			return
		}
		list, all := mapped(src, diags), 0
		for _, f := range list {
			all += len(tokensByLine(f.text))
		}
		if rough := checkMap(t, texts, list); rough > 2+all/8 {
			t.Errorf("%d of %d lines have other tokens than their origins:\n%s", rough, all, shown(list))
		}
	})
}
