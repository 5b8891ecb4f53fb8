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
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// loadedIn is the module of files, nil if the engine refuses one of them.
func loadedIn(files map[string]string, e engine.Release) *load.Module {
	loading := mergetest.InMemory(files, e)
	src, diags, err := load.Dir(".", loading)
	if err != nil || diags.HasErrors() {
		return nil
	}
	return src
}

// bothIn are the modules of two sets of files, which hide the same secrets; a module that the
// engine refuses is nil.
func bothIn(files, others map[string]string, e engine.Release) (one, other *load.Module) {
	one, other = loadedIn(files, e), loadedIn(others, e)
	if one != nil && other != nil {
		load.ShareSecrets(one, other)
	}
	return one, other
}

// merged is a module, nil if the engine refuses it.
func merged(src *load.Module) *merge.Module {
	if src == nil {
		return nil
	}
	m, diags := merge.Files(src, merge.Options{})
	if diags.HasErrors() {
		return nil
	}
	return m
}

// namesIn lists which names change how, sorted.
func namesIn(list []*Block, signs map[Kind]string) []string {
	var lines []string
	for _, b := range list {
		for i := range b.Changes {
			c := &b.Changes[i]
			lines = append(lines, signs[c.Kind()]+c.Address.Join(c.Name()).String())
		}
	}
	slices.Sort(lines)
	return lines
}

// A module has no changes to itself, and those to its primary
// files alone are what its overrides change.
func TestBetweenIsOf(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		again := merged(loadedIn(files, e))
		if again == nil {
			return
		}
		one, other := loadedIn(files, e), loadedIn(files, e)
		if list := Between(merged(one), merged(other)); len(list) > 0 {
			t.Fatalf("it is not the same as itself:\n%s", listed(list))
		}
		src, _, err := load.Dir(".", mergetest.InMemory(files, e))
		if err != nil {
			t.Fatal(err)
		}
		primary, diags := merge.Files(src, merge.Options{NoOverrides: true})
		if diags.HasErrors() {
			return
		}
		want, got := namesIn(Of(again), signs), namesIn(Between(primary, again), signs)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-of +between):\n%s\n%s", diff, listed(Between(primary, again)))
		}
	})
}

// Comparing only the blocks that may differ finds the same as comparing all, and in reverse,
// additions become drops.
func TestBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := loadtest.DrawEngine(t)
		module := func(label string) map[string]string {
			g := loadtest.NewGenerator(rapid.Uint64().Draw(t, label))
			g.Engine = e
			return g.Module()
		}
		files := module("one")
		others := module("other")
		if rapid.Bool().Draw(t, "is similar") {
			others = maps.Clone(files)
			for _, name := range slices.Sorted(maps.Keys(files)) {
				switch rapid.IntRange(0, 3).Draw(t, name) {
				case 0:
					if mergetest.IsOverride(name) {
						delete(others, name)
					}
				case 1:
					others[name] = strings.ReplaceAll(files[name], "1", "2")
				}
			}
		}
		one, other := bothIn(files, others, e)
		before, after := merged(one), merged(other)
		if before == nil || after == nil {
			return
		}
		list := Between(before, after)
		want := namesIn(list, signs)
		isSame := slices.Equal(meaning(before), meaning(after))
		if isSame != (len(list) == 0) {
			t.Fatalf("they mean the same: %t, and the changes are\n%s", isSame, listed(list))
		}
		all := betweenSome(before, after, func(*source.File, int) bool { return true }) // also blocks that surely have no change
		if diff := cmp.Diff(namesIn(all, signs), want); diff != "" {
			t.Fatalf("(-all blocks +those that may differ):\n%s", diff)
		}
		turned := map[Kind]string{Changed: "~", Added: "-", Dropped: "+"}
		other, one = bothIn(others, files, e)
		back := Between(merged(other), merged(one))
		// Which of two blocks that swapped positions stays may depend on the direction.
		isElement := func(name string) bool { return strings.Contains(name, "[") }
		got := slices.DeleteFunc(namesIn(back, turned), isElement)
		if want = slices.DeleteFunc(want, isElement); len(got) != len(want) {
			t.Fatalf("the other way around (-want +got):\n%s", cmp.Diff(want, got))
		}
	})
}
