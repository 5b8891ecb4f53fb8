package changes_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// mergedIn is the module of files, nil if the engine refuses it.
func mergedIn(files map[string]string, opts func(*load.Options), e engine.Release) *merge.Module {
	loading := mergetest.InMemory(files, e)
	opts(&loading)
	src, diags, err := load.Dir(".", loading)
	if err != nil || diags.HasErrors() {
		return nil
	}
	m, diags := merge.Files(src, merge.Options{})
	if diags.HasErrors() {
		return nil
	}
	return m
}

func allTrees(o *load.Options) { o.Trees = load.AllTrees }

func addressedTrees(o *load.Options) { o.Trees = load.AddressedTrees }

// namesIn lists which names change how, sorted.
func namesIn(list []*changes.Block, signs map[changes.Kind]string) []string {
	var lines []string
	for _, b := range list {
		for i := range b.Changes {
			c := &b.Changes[i]
			lines = append(lines, signs[c.Kind()]+c.Address.String()+c.Path.String())
		}
	}
	slices.Sort(lines)
	return lines
}

// A module has no changes to itself, whatever trees are kept, and those to its primary
// files alone are what its overrides change.
func TestBetweenIsOf(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		m, again := mergedIn(files, addressedTrees, e), mergedIn(files, allTrees, e)
		if m == nil || again == nil {
			return
		}
		if list := changes.Between(m, mergedIn(files, addressedTrees, e)); len(list) > 0 {
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
		want, got := namesIn(changes.Of(again), signs), namesIn(changes.Between(primary, again), signs)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-of +between):\n%s\n%s", diff, listed(changes.Between(primary, again)))
		}
	})
}

// Two modules differ as much with the trees of what may differ as with all, and the other
// way around what was added is dropped.
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
		before, after := mergedIn(files, allTrees, e), mergedIn(others, allTrees, e)
		if before == nil || after == nil {
			return
		}
		list := changes.Between(before, after)
		want := namesIn(list, signs)
		isSame := slices.Equal(meaning(before), meaning(after))
		if isSame != (len(list) == 0) {
			t.Fatalf("they mean the same: %t, and the changes are\n%s", isSame, listed(list))
		}
		also := func(o *load.Options) {
			o.Trees, o.Also = load.AddressedTrees, changes.Differing(before.Source, after.Source)
		}
		few := changes.Between(mergedIn(files, also, e), mergedIn(others, also, e))
		if diff := cmp.Diff(want, namesIn(few, signs)); diff != "" {
			t.Fatalf("other trees (-all +few):\n%s", diff)
		}
		turned := map[changes.Kind]string{changes.Changed: "~", changes.Added: "-", changes.Dropped: "+"}
		back := changes.Between(mergedIn(others, allTrees, e), mergedIn(files, allTrees, e))
		if got := namesIn(back, turned); len(got) != len(want) {
			t.Fatalf("the other way around (-want +got):\n%s", cmp.Diff(want, got))
		}
	})
}
