package merge_test

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
	"pgregory.net/rapid"
)

// Properties of every representation of a module's histories.

var (
	markLine     = regexp.MustCompile(`(?m)^(\x{FEFF}?)[ \t]*# (?:override|added|replaced|merged|no effect): .*\n(?:[ \t]*#   dropped: .*\n)?`)
	markTrailing = regexp.MustCompile(`(?m) ?# (override|added|replaced|merged|no effect): .*$`)
)

// Marks: without them, and formatted again, the text equals the output without marks; and marks
// change no warning.
func TestMarks(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		m := mergeFiles(t, files, e)
		plain, warnings := m.text(t, render.Options{})
		marked, others := m.text(t, render.Options{Annotate: true})
		bare := markTrailing.ReplaceAllString(markLine.ReplaceAllString(mergetest.LineFeeds(marked), "$1"), "")
		want := string(hclwrite.Format([]byte(mergetest.LineFeeds(plain))))
		if diff := cmp.Diff(want, string(hclwrite.Format([]byte(bare)))); diff != "" {
			t.Errorf("(-plain +marked, without marks):\n%s\n%s", diff, marked)
		}
		if diff := cmp.Diff(warnings.Error(), others.Error()); diff != "" {
			t.Errorf("marks change the warnings (-plain +marked):\n%s", diff)
		}
	})
}

// json is the module as it is printed as JSON.
func (m madeModule) json(t *rapid.T, o render.Options) string {
	t.Helper()
	doc, _, err := render.JSON(m.Module, o)
	if err != nil {
		t.Skip("can't be said as JSON: ", err)
	}
	var out bytes.Buffer
	if err := doc.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Provenance: with it, JSON is the same module; and there is some where a primary file
// changes.
func TestProvenance(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		m := mergeFiles(t, files, e)
		plain, annotated := m.json(t, render.Options{}), m.json(t, render.Options{Annotate: true})
		want := printed(t, map[string]string{"main.tf.json": plain}, e)
		got := printed(t, map[string]string{"main.tf.json": annotated}, e)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-plain +annotated):\n%s", diff)
		}
		diffs, _ := rewrite.Diff(m.Module)
		if plain == annotated && slices.ContainsFunc(diffs, (*patch.File).Changes) {
			t.Error("something changed, and JSON does not say what")
		}
	})
}

// Patch: applied to the primary files, it gives their printed form, however many lines of context
// it has.
func TestPatch(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		m := mergeFiles(t, files, e)
		plain, _ := m.text(t, render.Options{})
		diffs, _ := rewrite.Diff(m.Module)
		var out bytes.Buffer
		context := rapid.IntRange(0, 4).Draw(t, "context")
		if err := (patch.Writer{Context: context, Palette: screen.NewPalette(false)}).Write(&out, diffs); err != nil {
			t.Fatal(err)
		}
		patched, err := mergetest.Patch(mergetest.Primary(files), out.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		if diff := cmp.Diff(plain, printed(t, patched, e)); diff != "" {
			t.Errorf("(-printed +patched):\n%s\n%s", diff, &out)
		}
	})
}

// Explanations: the printed values are those that the histories call effective.
func TestExplained(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		m := mergeFiles(t, files, e)
		plain, _ := m.text(t, render.Options{})
		want := mergeFiles(t, map[string]string{"main.tf": plain}, e).effective()
		if diff := cmp.Diff(want, m.effective()); diff != "" {
			t.Errorf("(-printed +explained):\n%s", diff)
		}
	})
}

// effective lists the values in effect of arguments, and the number of the last
// block of each type, by address.
func (m madeModule) effective() map[string]string {
	values := map[string]string{}
	for h := range report.Histories(m.Module, wording.NewRedactor(m.Source, false), lookup.Top(m.Module), true) {
		for i, it := range h.Effective {
			text := strconv.Itoa(i)
			switch {
			case slices.ContainsFunc(h.Steps, func(s report.StepRecord) bool { return s.Status == effect.StatusMerged }):
				text = "merged" // for several blocks with one body, their number does not matter
			case it.Value != nil:
				text = strings.Join(strings.Fields(*it.Value), " ")
			}
			values[h.Address] = h.Kind + " " + text
		}
	}
	return values
}

// List: each file is listed in its role, and its effects are in that file.
func TestListed(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		m := mergeFiles(t, files, e)
		listed := map[string]bool{}
		for _, f := range report.Files(m.Module, m.diags) {
			listed[f.Filename] = true
			if want := mergetest.IsOverride(f.Filename); (f.Role == "override") != want {
				t.Errorf("%s has the role %q", f.Filename, f.Role)
			}
			for _, effect := range f.Effects {
				if effect.Range.Filename != f.Filename {
					t.Errorf("%s: %s is in %s", f.Filename, effect.Address, effect.Range.Filename)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if !listed[name] {
				t.Errorf("%s is not listed", name)
			}
		}
	})
}
