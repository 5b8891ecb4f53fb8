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

// The cases are archives in testdata/layers: modules with their variables files.
// TestLive has engines run them.
const cases = "../../../testdata/layers"

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
	files, diags := assignments.OfDirectory(src, sidefiles.VariablesAmong(slices.Collect(maps.Keys(c.Files))), func(name string) ([]byte, error) { return src.TextOf(name, 1<<20) })
	return layers.Of(m, files), diags
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
				fmt.Fprintf(&out, "  %s %s %s %s\n", o.Source, diag.Place(o.Range), o.Status, valueWords(o.Layer))
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

// TestEverySourceHasACase fails when a source decides on no variable of any case.
func TestEverySourceHasACase(t *testing.T) {
	covered := map[layers.Source]bool{}
	loadtest.Each(t, cases, func(t *testing.T, c *loadtest.Case) {
		set, _ := setOf(t, c)
		for _, v := range set.Variables() {
			top := v.InEffect()
			isAlone := len(v.Layers) == 1
			if top != nil && v.Item != nil && (!isAlone || top.Source == layers.Default) {
				covered[top.Source] = true
			}
		}
	})
	for source := range layers.Why {
		if !covered[source] {
			t.Errorf("in no case is the source %s in effect", source)
		}
	}
}
