package extract_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"pgregory.net/rapid"
)

// TestInto puts edits into an existing override file of the module, and judges as TestMeaning does.
// All lines of the file stay, in their order, except for those of changed values.
func TestInto(t *testing.T) {
	forEdits(t, func(t *rapid.T, e edit) {
		earlier := e.earlier()
		name := e.someOverride(t)
		r := e.found(t, extract.Options{Name: name, Write: e.writeInto(t, name)})
		got, diags := e.merged(t, e.with(r))
		if diags.HasErrors() {
			t.Fatalf("refused: %s\n%s", diags, r.Texts)
		}
		e.judgeAll(t, r, got)
		if text, isMade := r.Texts[name]; isMade && lostLines(earlier[name], string(text)) > len(r.Expressed)*20 {
			t.Errorf("lines are lost: %s", text)
		}
	})
}

// someOverride is the name of an override file that the module has.
func (e edit) someOverride(t *rapid.T) string {
	var overrides []string
	for _, entry := range load.Classify(slices.Sorted(maps.Keys(e.earlier())), e.engine) {
		if entry.Role == source.Override && entry.Status == load.Read {
			overrides = append(overrides, entry.Name)
		}
	}
	if len(overrides) == 0 {
		t.Skip("no override file")
	}
	return rapid.SampledFrom(overrides).Draw(t, "into")
}

// lostLines returns how many lines of a text another one lacks.
func lostLines(before, after string) int {
	has, lost := map[string]int{}, 0
	for line := range strings.Lines(after) {
		has[strings.TrimSpace(line)]++
	}
	for line := range strings.Lines(before) {
		if has[strings.TrimSpace(line)]--; has[strings.TrimSpace(line)] < 0 {
			lost++
		}
	}
	return lost
}

// writeInto writes parts into a file of the module.
func (e edit) writeInto(t *rapid.T, name string) func(string, []*merge.Part) ([]byte, hcl.Diagnostics) {
	m, _, err := load.Dir(".", mergetest.InMemory(e.earlier(), e.engine))
	if err != nil {
		t.Fatal(err)
	}
	return func(_ string, parts []*merge.Part) ([]byte, hcl.Diagnostics) {
		return rewrite.Into(m.File(name), m, parts, func(files map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
			texts := map[string]string{}
			for name, text := range files {
				texts[name] = string(text)
			}
			return load.Dir(".", mergetest.InMemory(texts, e.engine))
		})
	}
}
