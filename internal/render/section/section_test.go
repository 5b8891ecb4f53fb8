package section

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
	"golang.org/x/tools/txtar"
)

const enoughRoom = 10_000_000

func moduleOf(t testing.TB, c *loadtest.Case, opts load.Options) Module {
	t.Helper()
	src, diags := c.Load(t, opts)
	m, more := merge.Files(src, merge.Options{})
	diags = append(diags, more...)
	found := check.Findings(m, diags, func(id string) bool { return !check.FindRule(id).Off })
	found = slices.DeleteFunc(found, func(f check.Finding) bool { return f.Rule.Off })
	check.Sort(m, found)
	return Module{Number: 1, Dir: "dir", Room: enoughRoom, Merged: m, Diags: diags, Findings: found}
}

// Each case is a module, and what its section shows.
func TestSections(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		m := moduleOf(t, c, load.Options{})
		got := map[string]string{"page": Of(m).drawn()}
		if strings.HasPrefix(c.Name, "redact") {
			m.Redact = true
			got["redacted"] = Of(m).drawn()
		}
		return got
	})
}

// The text shown is the effective configuration, word by word, whatever stands between its lines;
// and wherever a mark names a location, the page does as well.
func TestSectionsAreWhole(t *testing.T) {
	for _, dir := range []string{"testdata", "../annotate/testdata", "../native/testdata", "../../../testdata/rules"} {
		paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no cases in %s (%v)", dir, err)
		}
		for _, path := range paths {
			t.Run(filepath.Base(path), func(t *testing.T) { checkWhole(t, caseIn(t, path)) })
		}
	}
}

func caseIn(t *testing.T, path string) *loadtest.Case {
	t.Helper()
	arch, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &loadtest.Case{Engine: engine.Default(), Files: map[string][]byte{}}
	for line := range strings.Lines(string(arch.Comment)) {
		if name, ok := strings.CutPrefix(line, "engine: "); ok {
			if c.Engine, err = engine.Parse(strings.TrimSpace(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, f := range arch.Files {
		if !strings.HasPrefix(f.Name, "want.") {
			c.Files[f.Name] = f.Data
		}
	}
	return c
}

func checkWhole(t *testing.T, c *loadtest.Case) {
	m := moduleOf(t, c, load.Options{})
	s := Of(m)
	if s.IsBroken || s.Files == 0 || s.NotShown != "" {
		return
	}
	plain, _ := native.New(m.Merged, plan.Selection{}, nil)
	marked, _ := native.New(m.Merged, plan.Selection{}, &annotate.Annotator{Words: annotate.Words{Redactor: wording.NewRedactor(m.Merged.Source, false), Merged: m.Merged}, Screen: screen.Plain(), Lines: map[string]bool{}})
	got := shown(s)
	if diff := cmp.Diff(words(written(t, plain)), words(got)); diff != "" && !strings.Contains(got, hiddenText) {
		t.Errorf("the text (-want +got):\n%s", diff)
	}
	drawn := s.drawn()
	if want, n := len(check.Bounded(m.Findings)), strings.Count(drawn, "\n      ^ ")+len(s.List); n != want {
		t.Errorf("%d findings are shown %d times in\n%s", want, n, drawn)
	}
	for _, f := range s.Texts {
		for _, p := range f.Parts {
			for _, r := range p.Rows {
				for _, n := range r.Notes {
					if n.Address == "" {
						t.Errorf("%+v has no address", n)
					}
				}
			}
		}
	}
	for _, m := range isMark.FindAllStringSubmatch(written(t, marked), -1) {
		if !strings.Contains(drawn, m[1]) {
			t.Errorf("nothing is said of %s in\n%s", m[0], drawn)
		}
	}
}

var isMark = regexp.MustCompile(`# (?:override|added|replaced|merged|no effect): (\S+:\d+)`)

func written(t *testing.T, text *native.Text) string {
	t.Helper()
	var out strings.Builder
	if err := text.Write(&out); err != nil {
		t.Fatal(err)
	}
	b := budget(enoughRoom)
	return b.takeText(out.String())
}

func words(text string) []string { return strings.Fields(strings.ReplaceAll(text, `\ufeff`, "")) }

// shown is the configuration without the rows between its lines.
func shown(s *Section) string {
	var out strings.Builder
	files := map[string]string{}
	for _, f := range s.Texts {
		files[f.Name] = ""
		for _, p := range f.Parts {
			for _, r := range p.Rows {
				if r.Kind == "" || r.Kind == "fold" {
					files[f.Name] += r.Text + "\n"
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out.WriteString(files[name] + "\n")
	}
	return out.String()
}

func TestModuleWord(t *testing.T) {
	for name, want := range map[string]string{
		"modules/web": "modules/web", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "-x": "./-x", "": ".", "~": "'~'", "a\nb": `'a b'`,
	} {
		if got := ModuleWord(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
}

// Blocks without room are counted, not written.
func TestOnlyWhatIsShown(t *testing.T) {
	var main, override strings.Builder
	for i := range 300 {
		fmt.Fprintf(&main, "resource \"aws_instance\" \"r%d\" {\n  a = 1\n  tags = { b = 1 }\n}\n", i)
		fmt.Fprintf(&override, "resource \"aws_instance\" \"r%d\" {\n  a = 2\n  tags = { b = 2 }\n}\n", i)
	}
	m := moduleOf(t, &loadtest.Case{Files: map[string][]byte{"main.tf": []byte(main.String()), "x_override.tf": []byte(override.String())}}, load.Options{})
	m.Room = 5000
	s := Of(m)
	if s.LeftBlocks < 280 || s.Changed != 600 {
		t.Errorf("%d blocks are left out, %d values changed", s.LeftBlocks, s.Changed)
	}
}

// Changes from the other side are listed or counted, also those of a block that has no room for all of them.
func TestDifferences(t *testing.T) {
	side := func(value string) *merge.Module {
		var text strings.Builder
		for i := range 3 {
			fmt.Fprintf(&text, "resource \"a\" \"r%d\" {\n", i)
			for k := range 400 {
				fmt.Fprintf(&text, "  a%d = %s\n", k, value)
			}
			text.WriteString("}\n")
		}
		return moduleOf(t, &loadtest.Case{Files: map[string][]byte{"main.tf": []byte(text.String())}}, load.Options{}).Merged
	}
	m := Module{Dir: "dir", Room: 100_000, Merged: side("2"), Differences: changes.Between(side("1"), side("2"))}
	s := Of(m)
	listed := 0
	for _, b := range s.Different {
		listed += len(b.Lines)
	}
	if s.DifferentCount != 1200 || listed == 0 || listed%400 == 0 || listed+s.LeftChanges != 1200 {
		t.Errorf("of %d changes %d are listed, and %d left", s.DifferentCount, listed, s.LeftChanges)
	}
}

// An earlier value takes room for the lines that are shown of it, and the others are counted.
func TestLongEarlierValue(t *testing.T) {
	files := map[string][]byte{
		"main.tf":     []byte("resource \"a\" \"b\" {\n  h = <<E\n" + strings.Repeat("a line of some bytes\n", 5000) + "E\n}\nresource \"a\" \"c\" {\n  y = 1\n}\n"),
		"override.tf": []byte("resource \"a\" \"b\" {\n  h = 1\n}\nresource \"a\" \"c\" {\n  y = 2\n}\n"),
	}
	m := moduleOf(t, &loadtest.Case{Files: files}, load.Options{})
	m.Room = 20_000
	s := Of(m)
	if drawn := s.drawn(); s.LeftBlocks > 0 || !strings.Contains(drawn, fmt.Sprintf("[%d more lines]", 5002-maxGone)) || strings.Count(drawn, "\ngone") != maxGone {
		t.Errorf("%d blocks are left out of\n%s", s.LeftBlocks, drawn)
	}
}
