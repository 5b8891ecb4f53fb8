package sourcemap_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// mapped flattens files, and maps them. It returns nothing for a module that can't be flattened.
func mapped(t testing.TB, files map[string][]byte, e engine.Release) (flat map[string][]byte, maps []*sourcemap.File) {
	t.Helper()
	src, diags := loadtest.Files(t, files, load.Options{Engine: e})
	mod, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Logf("refused: %s", diags)
		return nil, nil
	}
	diffs, errs := rewrite.Diff(mod)
	if errs.HasErrors() {
		return nil, nil
	}
	flat = map[string][]byte{}
	for _, d := range diffs {
		flat[d.Name] = d.New()
	}
	return flat, sourcemap.Of(mod, diffs)
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

// checkMap checks that every line has an origin that exists and, where that is exact, its tokens. It
// returns how many lines are approximate that have tokens.
func checkMap(t T, files, flat map[string][]byte, list []*sourcemap.File) (rough int) {
	was := map[string]map[int][]string{}
	for name, text := range files {
		was[name] = tokensByLine(text)
	}
	for _, f := range list {
		now := tokensByLine(flat[f.Name])
		total := len(linesIn(flat[f.Name]))
		if f.Lines != total {
			t.Errorf("%s has %d lines, not %d", f.Name, total, f.Lines)
		}
		for line := 1; line <= total; line++ {
			at, ok := f.At(line)
			if !ok || len(at.Origins) == 0 {
				t.Errorf("%s:%d has no origin", f.Name, line)
				continue
			}
			for _, o := range at.Origins {
				if n := len(linesIn(files[o.File])); o.Line < 1 || o.Line > n {
					t.Errorf("%s:%d comes from %v, and %s has %d lines", f.Name, line, o, o.File, n)
				}
			}
			if len(now[line]) == 0 {
				continue
			}
			if at.Approximate {
				rough++
			} else if o := at.Origins[0]; len(at.Origins) == 1 && isNative(f.Name) && isNative(o.File) &&
				!strings.Contains(joined(was[o.File][o.Line]), joined(now[line])) {
				t.Errorf("%s:%d comes from %v, which has other tokens: %q, not %q", f.Name, line, o, was[o.File][o.Line], now[line])
			}
		}
		if _, ok := f.At(total + 1); ok {
			t.Errorf("%s has a line %d", f.Name, total+1)
		}
	}
	return rough
}

func isNative(name string) bool { return !strings.HasSuffix(name, ".json") }

func joined(tokens []string) string { return "\x00" + strings.Join(tokens, "\x00") + "\x00" }

// shown writes a map as text, a line for each line.
func shown(flat map[string][]byte, list []*sourcemap.File) string {
	var b strings.Builder
	for _, f := range list {
		for i, text := range linesIn(flat[f.Name]) {
			at, _ := f.At(i + 1)
			var from []string
			for _, o := range at.Origins {
				from = append(from, fmt.Sprintf("%s:%d", o.File, o.Line))
			}
			mark := ""
			if at.Approximate {
				mark = "~"
			}
			fmt.Fprintf(&b, "%s%s | %s\n", mark, strings.Join(from, " "), strings.TrimRight(string(text), "\n"))
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
	flat, list := mapped(t, files, engine.Default())
	if flat == nil {
		t.Fatal("the module is refused")
	}
	checkMap(t, files, flat, list)
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
	if got := shown(flat, list); got != want {
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
		flat, list := mapped(t, files, engine.Default())
		if flat == nil {
			t.Fatalf("%s is refused", dir)
		}
		checkMap(t, files, flat, list)
	}
}

func TestRules(t *testing.T) {
	n := 0
	loadtest.Each(t, "../../../testdata/rules", func(t *testing.T, c *loadtest.Case) {
		if flat, list := mapped(t, c.Files, c.Engine); flat != nil {
			n++
			checkMap(t, c.Files, flat, list)
		}
	})
	if n < 80 {
		t.Errorf("only %d cases have been mapped", n)
	}
}

func TestMadeModules(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		given := map[string][]byte{}
		for name, text := range files {
			given[name] = []byte(text)
		}
		src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
		if err != nil || diags.HasErrors() {
			return
		}
		mod, more := merge.Files(src, merge.Options{})
		diffs, errs := rewrite.Diff(mod)
		if append(more, errs...).HasErrors() {
			return
		}
		flat := map[string][]byte{}
		for _, d := range diffs {
			flat[d.Name] = d.New()
		}
		list := sourcemap.Of(mod, diffs)
		rough, all := checkMap(t, given, flat, list), 0
		for _, name := range slices.Sorted(maps.Keys(flat)) {
			all += len(tokensByLine(flat[name]))
		}
		if rough > 2+all/4 {
			t.Errorf("%d of %d lines are approximate:\n%s", rough, all, shown(flat, list))
		}
	})
}
