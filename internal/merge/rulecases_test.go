package merge_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"golang.org/x/tools/txtar"
)

// A rule case is an archive in testdata/rules. Its comment starts with a line "rules: PATH PATH…"
// that names the rows of the table it is about. A line "engine: NAME@VERSION" may follow, unless it
// is about the default engine; then the expected behaviour and its reason. Its files are a module,
// but for want.out and
// want.err, which are what the program prints.
type ruleCase struct {
	name   string
	rules  []string
	engine engine.Release
	want   map[string]string
	arch   *txtar.Archive
	path   string
}

func readRuleCases(t *testing.T) []ruleCase {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/rules/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var cases []ruleCase
	for _, path := range paths {
		arch, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first, rest, _ := strings.Cut(string(arch.Comment), "\n")
		list, ok := strings.CutPrefix(first, "rules: ")
		if !ok {
			t.Errorf("%s: the first line must be \"rules: PATH…\"", path)
		}
		c := ruleCase{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), rules: strings.Fields(list), engine: engine.Default(), want: map[string]string{}, arch: arch, path: path}
		if second, _, _ := strings.Cut(rest, "\n"); strings.HasPrefix(second, "engine: ") {
			if c.engine, err = engine.Parse(strings.TrimPrefix(second, "engine: ")); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		for _, f := range arch.Files {
			c.want[f.Name] = string(f.Data)
		}
		cases = append(cases, c)
	}
	return cases
}

// unpack writes the module of a case into a directory.
func (c ruleCase) unpack(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range c.arch.Files {
		if strings.HasPrefix(f.Name, "want.") {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestRules runs each case, and checks the output and that the named rules were applied.
func TestRules(t *testing.T) {
	for _, c := range readRuleCases(t) {
		t.Run(c.name, func(t *testing.T) {
			dir := c.unpack(t)
			out, errs := c.print(t, dir)
			if *loadtest.Update {
				c.rewrite(t, out, errs)
				return
			}
			for name, got := range map[string]string{"want.out": out, "want.err": errs} {
				if diff := cmp.Diff(c.want[name], got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
			for _, path := range c.rules {
				if !slices.Contains(rulesUsed(t, dir, c.engine), path) {
					t.Errorf("the case is to be about %s, but no item of an override file came under that rule", path)
				}
			}
		})
	}
}

// print is the effective configuration of the case, empty if the engine refuses the module, and the
// messages about it.
func (c ruleCase) print(t *testing.T, dir string) (out, errs string) {
	t.Helper()
	src, diags, err := load.Dir(dir, load.Options{Engine: c.engine})
	if err != nil {
		t.Fatal(err)
	}
	m, more := merge.Files(src, merge.Options{})
	diags = append(diags, more...)
	var printed, messages strings.Builder
	if !diags.HasErrors() {
		text, more := render.Native(m, render.Options{})
		diags = append(diags, more...)
		if err := text.Write(&printed); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return int(a.Severity - b.Severity) }) // errors first
	term.Diagnostics(&messages, diags, src, screen.Plain())
	return printed.String(), messages.String()
}

func (c ruleCase) rewrite(t *testing.T, out, errs string) {
	t.Helper()
	files := slices.DeleteFunc(c.arch.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want.") })
	for name, text := range map[string]string{"want.out": out, "want.err": errs} {
		if text != "" {
			files = append(files, txtar.File{Name: name, Data: []byte(text)})
		}
	}
	slices.SortStableFunc(files, func(a, b txtar.File) int {
		rank := func(f txtar.File) int { return strings.Index("want.out want.err", f.Name) }
		return rank(a) - rank(b)
	})
	c.arch.Files = files
	if err := os.WriteFile(c.path, txtar.Format(c.arch), 0o644); err != nil {
		t.Fatal(err)
	}
}

// rulesUsed lists the paths of the rules that items of override files came under.
func rulesUsed(t *testing.T, dir string, e engine.Release) []string {
	t.Helper()
	src, _, err := load.Dir(dir, load.Options{Engine: e})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := merge.Files(src, merge.Options{})
	used := map[string]bool{}
	eachStep(m.All(), func(_ *merge.MergedItem, s merge.Step) {
		for _, it := range []source.Item{s.Item, s.By()} {
			if it != nil && it.Source().Role == source.Override {
				used[s.Rule.Path] = true
			}
		}
	})
	return slices.Sorted(maps.Keys(used))
}

// TestEveryRuleHasACase fails if a row of the table has no case.
func TestEveryRuleHasACase(t *testing.T) {
	covered := map[*rules.Rule]bool{}
	for _, c := range readRuleCases(t) {
		for _, path := range c.rules {
			r := rules.Of(path, c.engine)
			if r == nil {
				t.Errorf("%s names the rule %s, which the table does not have for %s", c.name, path, c.engine)
			}
			covered[r] = true
		}
	}
	for _, r := range rules.All() {
		if !covered[r] {
			t.Errorf("no case in testdata/rules is about %s as in %s", r.Path, r.Releases())
		}
	}
}
