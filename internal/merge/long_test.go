package merge

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Histories of this many steps take minutes where the work on each step grows with
// their number.
const many = 200_000

func overrideFile() *source.File { return &source.File{Name: "override.tf", Role: source.Override} }

// building builds items that stay.
func building(f *source.File) *source.Builder {
	build := source.NewBuilder(f)
	build.Keeping = true
	return build
}

// argument adds an argument to a block.
func argument(build *source.Builder, in *source.Block, name string) *source.Attr {
	build.Argument(in, name, source.Span{}, source.Span{}, source.Origin{})
	return in.Attr(name)
}

// Each of many overrides of one argument replaces its predecessor and is replaced by its successor.
func TestLongHistoryOfAnArgument(t *testing.T) {
	f, rule := overrideFile(), &rules.Rule{}
	build := building(f)
	e := &MergedItem{Rule: rule}
	for range many {
		a := argument(build, build.Open(nil, source.Head{}), "size")
		e.step(Step{Item: a, Effect: effect.Replaced, Rule: rule})
		e.Live = []source.Item{a}
	}
	c := &MergedBody{Items: []*MergedItem{e}}
	winner := e.Live[0]
	for i, o := range e.Outcomes() {
		if i > 0 && (len(e.Before(i)) != 1 || e.Before(i)[0] != e.Steps[i-1].Item) {
			t.Fatalf("before step %d: %v, want the item of the step before", i, e.Before(i))
		}
		if o.Item != winner && (o.Status != effect.StatusReplaced || o.By != e.Steps[i+1].Item || !c.LostTo(o, winner)) {
			t.Fatalf("step %d: %s, want %s, and lost to the last one", i, o.Status, effect.StatusReplaced)
		}
	}
}

// Many blocks that are merged into one, and many that are in effect together.
func TestLongHistoryOfBlocks(t *testing.T) {
	f, rule := overrideFile(), &rules.Rule{}
	merged := &MergedItem{Rule: rule}
	merged.inner.Store(&MergedBody{})
	build := building(f)
	in := build.Open(nil, source.Head{})
	together := &MergedItem{Rule: rule}
	for range many {
		b := build.Open(in, source.Head{Type: "disk"})
		merged.step(Step{Item: b, Effect: effect.Extended, Rule: rule})
		together.step(Step{Item: b, Effect: effect.Replaced, Rule: rule})
		together.Live = append(together.Live, b)
	}
	merged.Live = []source.Item{merged.Steps[0].Item}
	for i := range many {
		if got := merged.Outcomes()[i].Status; got != effect.StatusMerged {
			t.Fatalf("step %d: %s, want %s", i, got, effect.StatusMerged)
		}
		if got := together.Outcomes()[i].Status; got != effect.StatusEffective {
			t.Fatalf("step %d: %s, want %s", i, got, effect.StatusEffective)
		}
	}
}

// Many blocks of one name that each hold one item.
func TestManyParts(t *testing.T) {
	f := &source.File{Name: "main.tf"}
	build := building(f)
	c := &MergedBody{}
	for range many {
		b := build.Open(nil, source.Head{Type: "locals"})
		a := argument(build, b, "l")
		c.Parts = append(c.Parts, b)
		c.Items = append(c.Items, &MergedItem{Rule: &rules.Rule{}, Live: []source.Item{a}, Place: a})
	}
	for i, b := range c.Parts {
		if got := c.PrintedIn(b); len(got) != 1 || got[0] != c.Items[i] {
			t.Fatalf("block %d holds %v, want its own entry", i, got)
		}
	}
}

// Each check that a row names has a function.
func TestChecksHaveFunctions(t *testing.T) {
	for _, r := range rules.All {
		if c := checks[r.Check]; r.Check != 0 && c.end == nil {
			t.Errorf("%s names the check %d, for which there is no function", r.Path, r.Check)
		}
		if hasEach := checks[r.Check].each != nil; hasEach != r.IsCheckedByBlock() {
			t.Errorf("%s: each block is checked: %t, by the table: %t", r.Path, hasEach, r.IsCheckedByBlock())
		}
	}
}
