package plan

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// How each item of a block is treated.

// An Action is the treatment of an item at its position.
type Action int

// The actions.
const (
	Keep    Action = iota
	Replace        // the effective items of an entry replace it
	Remove
)

// An ItemAction is the treatment of one item of a block.
type ItemAction struct {
	Item  source.Item
	Do    Action
	Entry *merge.MergedItem // the entry printed there
}

// IsTouched reports whether a block, or anything in it, is printed otherwise than its file
// has it.
func IsTouched(c *merge.MergedBody, b *source.Block) bool {
	for _, it := range b.Items() {
		a := decide(c, it)
		if a.Do != Keep {
			return true
		}
		if nested, ok := it.(*source.Block); ok {
			if inner := Within(c, a.Entry); inner != nil && IsTouched(inner, nested) {
				return true
			}
		}
	}
	return len(Additions(c, b)) > 0
}

// Within returns the merged contents of a block that itself stays; nil if they are unchanged.
func Within(c *merge.MergedBody, e *merge.MergedItem) *merge.MergedBody {
	switch {
	case e == nil:
		return nil
	case e.Rule.Do == rules.Flatten:
		return c
	}
	return e.Inner()
}

// ActionsIn decides the treatment of each item of a block, and reports whether all of them stay
// unchanged.
func ActionsIn(c *merge.MergedBody, b *source.Block) (actions []ItemAction, unchanged bool) {
	unchanged = true
	actions = make([]ItemAction, 0, len(b.Items()))
	for _, it := range b.Items() {
		a := decide(c, it)
		unchanged = unchanged && a.Do == Keep
		actions = append(actions, a)
	}
	return actions, unchanged
}

func decide(c *merge.MergedBody, it source.Item) ItemAction {
	if c.IsUntouched(it) {
		return ItemAction{it, Keep, nil}
	}
	owner, at := c.Owner(it), c.At(it)
	switch {
	case owner != nil && owner.Has(it):
		if owner.Value != nil {
			return ItemAction{it, Replace, owner}
		}
		return ItemAction{it, Keep, owner}
	case at != nil && at.InEffect() && !at.Has(it):
		return ItemAction{it, Replace, at}
	case owner == nil || isSecondSetting(owner, it):
		return ItemAction{it, Keep, nil}
	}
	return ItemAction{it, Remove, owner}
}

// isSecondSetting reports whether an argument is set both inside and outside of an
// escaping block, and no override changed it. The engine refuses the two only when it
// knows the provider's schema, so both are printed.
func isSecondSetting(owner *merge.MergedItem, it source.Item) bool {
	_, isAttr := it.(*source.Attr)
	return isAttr && it.Source().Role == source.Primary && owner.InEffect() &&
		owner.Live[0] == owner.Place && owner.Place != it
}

// Additions returns the entries of a content that are printed in b, but have no position in any
// block that declares the content, in the order in which they were added.
func Additions(c *merge.MergedBody, b *source.Block) []*merge.MergedItem {
	if !c.MayHaveAdditions() {
		return nil
	}
	var found []*merge.MergedItem
	for _, e := range c.PrintedIn(b) {
		if e.Place == nil && !e.Rule.IsApart() {
			found = append(found, e)
		}
	}
	slices.SortStableFunc(found, func(a, b *merge.MergedItem) int { return int(a.Order - b.Order) })
	return found
}
