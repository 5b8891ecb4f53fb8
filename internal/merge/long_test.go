package merge_test

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Histories of this many steps take minutes where the work on each step grows with
// their number.
const many = 200_000

// built returns a function that makes the block of a text again and again.
func built(f *source.File, text string) func() *source.Block {
	f.Native = []byte(text)
	scan := outline.NewScanner(f.Native)
	scan.Next()
	build := new(source.Builder).For(f)
	return func() *source.Block {
		b, _ := build.Block(&source.Description{Tree: scan.Tree}, nil)
		return b
	}
}

func overrideFile() *source.File { return &source.File{Name: "override.tf", Role: source.Override} }

// Each of many overrides of one argument replaces its predecessor and is replaced by its successor.
func TestLongHistoryOfAnArgument(t *testing.T) {
	f, rule := overrideFile(), &rules.Rule{}
	block := built(f, "a {\n  size = 1\n}\n")
	e := &merge.MergedItem{Rule: rule}
	for range many {
		a := block().Attr("size")
		e.Steps = append(e.Steps, merge.Step{Item: a, Effect: effect.Replaced, Rule: rule})
		e.Live = []source.Item{a}
	}
	c := &merge.MergedBody{Items: []*merge.MergedItem{e}}
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
	m, _, err := merge.Dir(".", mergetest.InMemory(map[string]string{
		"main.tf": "resource \"a\" \"b\" {\n}\n", "override.tf": "resource \"a\" \"b\" {\n  size = 1\n}\n",
	}, engine.Default()), merge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	merged := m.Root.All()[0]
	merged.Steps = nil
	block := built(f, "a {\n  disk {\n  }\n}\n")
	together := &merge.MergedItem{Rule: rule}
	for range many {
		b := block().Blocks("disk")[0]
		merged.Steps = append(merged.Steps, merge.Step{Item: b, Effect: effect.Extended, Rule: rule})
		together.Steps = append(together.Steps, merge.Step{Item: b, Effect: effect.Replaced, Rule: rule})
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
	block := built(f, "locals {\n  l = 1\n}\n")
	c := &merge.MergedBody{}
	for range many {
		b := block()
		a := b.Attr("l")
		c.Parts = append(c.Parts, b)
		c.Items = append(c.Items, &merge.MergedItem{Rule: &rules.Rule{}, Live: []source.Item{a}, Place: a})
	}
	for i, b := range c.Parts {
		if got := c.PrintedIn(b); len(got) != 1 || got[0] != c.Items[i] {
			t.Fatalf("block %d holds %v, want its own entry", i, got)
		}
	}
}
