package phrases

import (
	"fmt"
	"iter"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A ModuleChanges holds the overrides' changes in one of several modules.
type ModuleChanges struct {
	Title string // the heading of the module; may be empty
	// Against is the revision that the module is compared with; empty if the changes are those by
	// override files.
	Against string
	Redact  wording.Redactor
	// Full shows long values whole.
	Full   bool
	Blocks []*changes.Block
	// Outranked are the defaults that variables files outrank.
	Outranked layers.OutrankedDefaults
	// Values are the variables whose values differ from the revision's.
	Values []layers.ValueChange
}

// IsEmpty reports whether nothing changes.
func (m ModuleChanges) IsEmpty() bool { return len(m.Blocks)+len(m.Values) == 0 }

// A ChangeLine is a change as people read it, in parts without line ends.
type ChangeLine struct {
	Kind  changes.Kind
	Name  string // the changed name, relative to the block's address, or to the line around it
	Value string
	By    string // the location that made the change; empty if a line above has it
	// Before is the part of the value that was, where both are known.
	Before string
	// Below are lines of the values, if these have several.
	Below []valueLine
	// Depth is how many lines above the change is part of.
	Depth int
	// IsGroup marks a line that isn't a change, but the common parent of those below it.
	IsGroup bool

	texts [2][]byte // of the values before and after; nil if there is none to show
}

// Becomes is between the two values of a change.
const Becomes = " → "

// Lines words the changes of a block, one after the other since there may be many.
func (m ModuleChanges) Lines(b *changes.Block) iter.Seq[ChangeLine] {
	return func(yield func(ChangeLine) bool) {
		for i := range b.Changes {
			l := m.line(b, &b.Changes[i])
			l.spread(false)
			if !yield(l) {
				return
			}
		}
	}
}

func (m ModuleChanges) line(b *changes.Block, c *changes.Change) ChangeLine {
	redact := m.Redact
	name, ok := c.Address.In(b.Address)
	if !ok || name.IsEmpty() { // a local value has an address without its block
		name = c.Address
	}
	l := ChangeLine{Kind: c.Kind(), Name: name.Join(c.Path.Address()).String(), By: diag.Place(c.By())}
	before, after := Sides(redact, c)
	if b.IsBetween {
		l.By = placesOf(c)
	}
	switch l.Kind {
	case changes.Added:
		l.Value = after
	case changes.Dropped:
		if l.Value = before; !b.IsBetween {
			l.By = "dropped by " + l.By
		}
	default:
		l.Before, l.Value = before, before+Becomes+after
		if before == after && !IsSecretChange(redact, c) {
			l.Value += whereDifferent(c.Before.Text(), c.After.Text())
		}
	}
	l.By += m.outranked(c)
	l.texts = texts(redact, c)
	return l
}

// outranked continues the location of a change of a default that is not in effect; empty for
// others.
func (m ModuleChanges) outranked(c *changes.Change) string {
	if by := m.Outranked[c.Item.Attr()]; by != nil {
		return ", " + NotInEffect(by)
	}
	return ""
}

// placesOf words where the values of a change between modules are.
func placesOf(c *changes.Change) string {
	by := diag.Place(c.By())
	switch {
	case c.Before == nil:
		return by
	case c.After == nil && c.By().Start.Line == 0:
		return "was " + diag.Place(c.Before.Place())
	case c.After == nil:
		return "dropped by " + by + ", was " + diag.Place(c.Before.Place())
	}
	if was := diag.Place(c.Before.Place()); was != by {
		by += ", was " + was
	}
	return by
}

// BlockNote is the note about a block as a whole, behind its address.
func BlockNote(b *changes.Block) string {
	switch {
	case b.IsNew:
		return " (new)"
	case b.IsGone:
		return " (removed)"
	}
	return ""
}

// Count words how many changes there are.
func (m ModuleChanges) Count() string {
	kinds := map[changes.Kind]int{}
	for i := range m.Values {
		kinds[m.Values[i].Kind()]++
	}
	values := Kinds(kinds, true)
	switch {
	case len(m.Blocks) == 0 && values != "":
		return "Values of variables: " + values
	case len(m.Blocks) == 0 && m.Against != "":
		return "No effective value differs from " + diag.Escape(m.Against) + "."
	case values != "":
		values = "; " + ValuesTitle + ": " + values
	}
	return ChangeCount(m.Blocks) + values
}

// ChangeCount words how many changes there are.
func ChangeCount(blocks []*changes.Block) string {
	text := Kinds(changes.Count(blocks), len(blocks) > 0 && blocks[0].IsBetween)
	if text == "" {
		return "No override changes anything."
	}
	return text + " in " + wording.Count(len(blocks), "block")
}

// Kinds words how many changes of each kind there are, of overrides or since a revision.
func Kinds(counts map[changes.Kind]int, isBetween bool) string {
	dropped := "dropped"
	if isBetween {
		dropped = "removed"
	}
	var words []string
	for _, k := range []struct {
		kind changes.Kind
		word string
	}{{changes.Changed, "changed"}, {changes.Added, "added"}, {changes.Dropped, dropped}} {
		if n := counts[k.kind]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, k.word))
		}
	}
	return strings.Join(words, ", ")
}
