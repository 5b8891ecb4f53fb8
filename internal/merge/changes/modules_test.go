package changes

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// If nothing changes, a module means the same as its primary files alone, and otherwise something
// else; and what made a change is in an override file.
func TestChangesAreWhatMeansSomethingElse(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
		if err != nil || diags.HasErrors() {
			return
		}
		m, diags := merge.Files(src, merge.Options{})
		before, more := merge.Files(src, merge.Options{NoOverrides: true})
		if diags.HasErrors() || more.HasErrors() {
			return
		}
		list := Of(m)
		isSame := slices.Equal(meaning(before), meaning(m))
		if isSame != (len(list) == 0) {
			t.Fatalf("the module means the same: %t, and the changes are\n%s", isSame, listed(list))
		}
		for _, b := range list {
			for i := range b.Changes {
				if f := src.File(b.Changes[i].By().Filename); f == nil || f.Role != source.Override {
					t.Fatalf("no override made a change:\n%s", listed(list))
				}
			}
		}
	})
}

// meaning is the part of a module's meaning that comparisons use: without items that an engine
// evaluates only in other files.
func meaning(m *merge.Module) []string {
	return slices.DeleteFunc(compare.Meaning(m, nil), func(line string) bool {
		return strings.HasPrefix(line, "terraform.required_version\nfalse ")
	})
}

// Files in JSON have the same changes as their native twins.
func TestChangesOfTwins(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(rt, "seed"))
		g.EOL = "\n" // in a heredoc the line ends are a part of the value
		g.Engine = loadtest.DrawEngine(rt)
		files := g.Module()
		twins := loadtest.Mixed(t, g, files)
		want, ok := changesIn(files, g.Engine)
		got, both := changesIn(twins, g.Engine)
		if ok && both && !slices.Equal(want, got) {
			for _, name := range slices.Sorted(maps.Keys(twins)) {
				rt.Logf("-- %s --\n%s", name, twins[name])
			}
			rt.Fatalf("mixed files have other changes (-native +mixed):\n%s", cmp.Diff(want, got))
		}
	})
}

// changesIn lists which names change how, if an engine takes the files.
func changesIn(files map[string]string, e engine.Release) (lines []string, ok bool) {
	src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
	if err != nil || diags.HasErrors() {
		return nil, false
	}
	m, diags := merge.Files(src, merge.Options{})
	if diags.HasErrors() {
		return nil, false
	}
	for _, b := range Of(m) {
		for i := range b.Changes {
			c := &b.Changes[i]
			lines = append(lines, signs[c.Kind()]+c.Address.Join(c.Name()).String())
		}
	}
	return lines, true
}
