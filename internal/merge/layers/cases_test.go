package layers_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
)

// The cases are archives in testdata/layers: modules with their variables files. The file env
// has lines of an environment, options has options of the engine, and test names a test file
// and a run block. TestLive has engines run them.
const cases = "../../../testdata/layers"

// lines are the lines of a file of a case.
func lines(c *loadtest.Case, name string) []string {
	return strings.FieldsFunc(string(c.Files[name]), func(r rune) bool { return r == '\n' })
}

// unpack writes the files of a case into a directory.
func unpack(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// setOf finds the layers of a case. Its diagnostics are those about variables files.
func setOf(t testing.TB, c *loadtest.Case) (*layers.Set, hcl.Diagnostics) {
	t.Helper()
	dir := unpack(t, c.Files)
	src, _, err := load.Dir(dir, load.Options{Engine: c.Engine})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := merge.Files(src, merge.Options{})
	in, diags := layers.Inputs{}, hcl.Diagnostics(nil)
	in.Files, diags = assignments.OfDirectory(src, sidefiles.VariablesAmong(slices.Collect(maps.Keys(c.Files))), func(name string) ([]byte, error) { return src.TextOf(name, 1<<20) })
	in.Environment = assignments.Environment(lines(c, "env"))
	for _, option := range lines(c, "options") {
		in.Options = append(in.Options, optionOf(t, c, option))
	}
	return layers.Of(m, in), diags
}

func optionOf(t testing.TB, c *loadtest.Case, option string) layers.OptionInput {
	t.Helper()
	if name, isFile := strings.CutPrefix(option, "-var-file="); isFile {
		f, diags := assignments.Parse(name, c.Files[name], c.Engine)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return layers.OptionInput{File: f}
	}
	v, diags := assignments.Option(strings.TrimPrefix(option, "-var="))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return layers.OptionInput{Value: &v}
}

// TestLayers prints, for each variable of a case, its layers and the result.
func TestLayers(t *testing.T) {
	loadtest.Run(t, cases, func(t *testing.T, c *loadtest.Case) map[string]string {
		set, diags := setOf(t, c)
		var out strings.Builder
		out.WriteString(loadtest.Messages(diags))
		if set.Remote != nil {
			fmt.Fprintf(&out, "variables may be set elsewhere, by %s\n", set.Remote.Called())
		}
		for _, v := range set.Variables() {
			if v != set.Variable(v.Name) {
				t.Errorf("%s isn't found by its name", v.Name)
			}
			r := set.Result(v)
			fmt.Fprintf(&out, "%s%s\n", v.Name, resultWords(r))
			for _, o := range layers.Outcomes(v, r) {
				fmt.Fprintf(&out, "  %s %s %s %s\n", o.Rule.Source, diag.Place(o.Range), o.Status, valueWords(o.Layer))
			}
		}
		return map[string]string{"layers": out.String()}
	})
}

func valueWords(l *layers.Layer) string {
	switch {
	case l.IsSecret:
		return "secret"
	case l.Value != nil:
		return string(l.Value.Text())
	case l.Default != nil:
		return string(l.Default.Display())
	}
	return "declared"
}

func resultWords(r layers.Result) string {
	words := ": " + string(r.State)
	if r.State == layers.Known {
		words = " = " + string(r.Text())
	}
	for _, flag := range []struct {
		is   bool
		word string
	}{{r.IsDefault, "default"}, {r.IsFilled(), "filled"}, {r.IsConverted(), "converted"}, {r.IsSecret, "secret"}} {
		if flag.is {
			words += ", " + flag.word
		}
	}
	if r.Why != "" {
		words += ": " + r.Why
	}
	if r.Range.Filename != "" {
		words += " (" + r.Range.String() + ")"
	}
	return words
}

// TestEveryRuleHasACase fails when a row of the table decides on no variable of any case.
func TestEveryRuleHasACase(t *testing.T) {
	covered := map[*layers.Rule]bool{}
	loadtest.Each(t, cases, func(t *testing.T, c *loadtest.Case) {
		set, _ := setOf(t, c)
		for _, v := range set.Variables() {
			top := v.InEffect()
			isAlone := len(v.Layers) == 1
			if top != nil && v.Item != nil && (!isAlone || top.Rule.Source == layers.Default) {
				covered[top.Rule] = true
			}
		}
	})
	for i := range layers.Rules {
		if r := &layers.Rules[i]; !covered[r] {
			t.Errorf("in no case is the source %s in effect", r.Source)
		}
	}
}
