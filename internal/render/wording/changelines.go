package wording

import (
	"fmt"
	"iter"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
)

// A ModuleChanges is what overrides change in one of several modules.
type ModuleChanges struct {
	Title  string // what the module is called, as a heading; may be empty
	Redact Redactor
	Blocks []*changes.Block
}

// A ChangeLine is a change as people read it, in parts without line ends.
type ChangeLine struct {
	Kind  changes.Kind
	Name  string // what changes, as it goes on from the block's address
	Value string
	By    string // the place that made the change
}

// ChangeLines words the changes of a block, one after the other since there may be many.
func ChangeLines(redact Redactor, b *changes.Block) iter.Seq[ChangeLine] {
	return func(yield func(ChangeLine) bool) {
		for i := range b.Changes {
			if !yield(changeLine(redact, b, &b.Changes[i])) {
				return
			}
		}
	}
}

func changeLine(redact Redactor, b *changes.Block, c *changes.Change) ChangeLine {
	name, ok := c.Address.In(b.Address)
	if !ok || name == "" { // a local value has an address without its block
		name = c.Address
	}
	l := ChangeLine{Kind: c.Kind(), Name: diag.Escape(name.String() + c.Path.String()), By: PlaceOf(c.By())}
	before, after := redact.Sides(c)
	switch l.Kind {
	case changes.Added:
		l.Value = after
	case changes.Dropped:
		l.Value, l.By = before, "dropped by "+l.By
	default:
		l.Value = before + " → " + after
	}
	return l
}

// ChangeCount words how many changes there are.
func ChangeCount(blocks []*changes.Block) string {
	counts := changes.Count(blocks)
	var words []string
	for _, k := range []struct {
		kind changes.Kind
		word string
	}{{changes.Changed, "changed"}, {changes.Added, "added"}, {changes.Dropped, "dropped"}} {
		if n := counts[k.kind]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, k.word))
		}
	}
	if len(words) == 0 {
		return "No override changes anything."
	}
	return fmt.Sprintf("%s in %s", strings.Join(words, ", "), Count(len(blocks), "block"))
}
