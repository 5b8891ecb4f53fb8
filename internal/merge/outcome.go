package merge

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
)

// A Status is what is left of a source item once all files are applied.
type Status string

// The statuses.
const (
	InEffect    Status = "effective"    // it is, or is a part of, what is in effect
	Merged      Status = "merged"       // a block whose items count each by themselves
	Superseded  Status = "replaced"     // a later item took its place
	Outdone     Status = "hidden"       // something else takes precedence
	TakenAway   Status = "cleared"      // a later block's lack of it took it away
	Idle        Status = "no_effect"    // it never did anything
	Doubtful    Status = "undecided"    // only the provider's schema tells whether it counts
	Identifying Status = "matched"      // it is part of the address
	Illegal     Status = "refused"      // it is an error
	Baseless    Status = "missing_base" // it addresses nothing, which is an error
)

// lost are the statuses of items that never came into effect.
var lost = map[Effect]Status{Ignored: Idle, Undecided: Doubtful, Matched: Identifying, Refused: Illegal, Missing: Baseless}

// String is the effect's name in reports.
func (e Effect) String() string {
	return [...]string{"defined", "added", "replaced", "extended", "hidden", "cleared", "converted", "ignored", "undecided", "matched", "refused", "missing"}[e]
}

// An Outcome is what became of one source item.
type Outcome struct {
	Item   load.Item
	Did    Effect
	Status Status
	By     load.Item // what decided; nil if nothing but the item itself
	Rule   *Rule     // the rule that decided
}

// Why words the rule that decided, as far as it explains the outcome.
func (o Outcome) Why() string {
	a, isAttr := o.Item.(*load.Attr)
	switch {
	case o.Status == Idle && isAttr && a.IsVoid():
		return "A JSON null or [] in the place of a nested block stands for no block, and hides none."
	case o.Status == Idle && o.Rule.Idle != "":
		return o.Rule.Idle
	case o.Status == Outdone && o.Rule.Wins != "":
		return o.Rule.Wins
	}
	return o.Rule.Why
}

// Outcomes tells what became of each source item of the entry, in the order in
// which they were applied.
func (e *Entry) Outcomes() []Outcome {
	if e.told == len(e.Steps) && e.told > 0 {
		return e.outcomes
	}
	var all []Outcome
	for i, s := range e.Steps {
		if s.Item != nil {
			all = append(all, e.outcome(i, s))
		}
	}
	e.outcomes, e.told = all, len(e.Steps)
	return all
}

func (e *Entry) outcome(i int, s Step) Outcome {
	o := Outcome{Item: s.Item, Did: s.Did, Rule: s.Rule}
	if s.By != s.Item {
		o.By = s.By
	}
	status, isLost := lost[s.Did]
	switch {
	case isLost:
		o.Status = status
		return o
	case slices.Contains(e.Live, s.Item):
		o.Status = InEffect
		if s.Rule.TofuOnly && !s.Item.Source().Tofu {
			o.Status = Idle // it is printed, for those who read it
		}
		if e.Inner != nil {
			o.Status = Merged
		}
		return o
	}
	for _, later := range e.Steps[i+1:] {
		if status, ok := endedBy(s, later); ok {
			o.Status, o.By, o.Rule = status, later.By, later.Rule
			return o
		}
	}
	o.Status = Idle
	if e.In() && e.Inner != nil {
		o.Status = Merged
	} else if e.In() {
		o.By = e.Live[0]
	}
	return o
}

// Losers are the items of the entry that the one in effect took the place of.
func (e *Entry) Losers(winner load.Item) []load.Item {
	var list []load.Item
	for _, o := range e.Outcomes() {
		if o.Status == Superseded && o.Item != winner {
			list = append(list, o.Item)
		}
	}
	return list
}

// LostTo tells whether an item gave way to another one, or to one that gave way
// to that.
func (c *Content) LostTo(o Outcome, winner load.Item) bool {
	if o.Status != Superseded && o.Status != Outdone {
		return false
	}
	w := c.ending().winner(o.Item)
	return w != nil && (w == winner || AreTogether(w, winner) && w.Called() == winner.Called())
}

// EachOutdone visits the items of other entries that have no effect because of an
// entry, in the content or in the blocks that it holds.
func (c *Content) EachOutdone(winner *Entry, visit func(load.Item)) {
	end := c.ending()
	for _, o := range end.outdone {
		if end.entries[o.Item] != winner && c.LostTo(o, winner.Live[0]) {
			visit(o.Item)
		}
	}
}

// An ending is what the histories of a content come to, worked out once.
type ending struct {
	by      map[load.Item]load.Item // what each item gave way to, be it for a while
	outdone []Outcome
	entries map[load.Item]*Entry // of outdone
	steps   int                  // that the histories had
}

func (c *Content) ending() *ending {
	if steps := c.countSteps(); c.end == nil || c.end.steps != steps {
		c.end = &ending{by: map[load.Item]load.Item{}, entries: map[load.Item]*Entry{}, steps: steps}
		c.end.take(c)
	}
	return c.end
}

func (c *Content) countSteps() int {
	n := 0
	for _, e := range c.Entries {
		n += len(e.Steps)
	}
	return n
}

func (end *ending) take(c *Content) {
	for _, e := range c.Entries {
		for _, o := range e.Outcomes() {
			if o.By == nil || o.Status != Superseded && o.Status != Outdone {
				continue
			}
			end.by[o.Item] = o.By
			if o.Status == Outdone && e.Inner == nil {
				end.outdone = append(end.outdone, o)
				end.entries[o.Item] = e
			}
		}
		if e.Inner != nil {
			end.take(e.Inner)
		}
	}
}

// winner is what an item gave way to in the end. The way there is cut short for
// the next one who asks.
func (end *ending) winner(it load.Item) load.Item {
	w := end.by[it]
	for steps := 0; w != nil && end.by[w] != nil && steps <= len(end.by); steps++ {
		w = end.by[w]
	}
	if w != nil {
		end.by[it] = w
	}
	return w
}

// endedBy tells whether a later step put an end to what an item was.
func endedBy(s, later Step) (Status, bool) {
	switch later.Did {
	case Hidden:
		return Outdone, true
	case Removed:
		return TakenAway, true
	case Replaced, Added:
		return Superseded, s.Did != Extended && !AreTogether(s.Item, later.Item)
	}
	return "", false
}

// AreTogether tells whether two items come from one block, so that neither took
// the other's place.
func AreTogether(a, b load.Item) bool { return a == b || holder(a) != nil && holder(a) == holder(b) }

// holder is the block that an item stands in, escaping blocks left out.
func holder(it load.Item) *load.Block {
	b := it.Within()
	for b != nil && b.Type == load.EscapeBlock {
		b = b.Within()
	}
	return b
}

// IsTold tells whether what an item does is told by the items in it: it is a block
// whose items count each by themselves, and there are such.
func (e *Entry) IsTold(it load.Item) bool {
	b, ok := it.(*load.Block)
	return ok && e.Inner != nil && b.Body != nil && len(b.Body.Items) > 0
}

// IsPartOfAddition tells whether an item came with a block that an override added
// as a whole.
func (m *Module) IsPartOfAddition(it load.Item) bool {
	for b := holder(it); b != nil; b = holder(b) {
		if m.added[b] {
			return true
		}
	}
	return false
}

// IsOverridden tells whether an override file had anything to do with the entry
// itself, be it that it did nothing.
func (e *Entry) IsOverridden() bool {
	return slices.ContainsFunc(e.Steps, func(s Step) bool {
		return s.Item != nil && s.Item.Source().Role == load.Override || s.By != nil && s.By.Source().Role == load.Override
	})
}

// Computed is the step that computed the text in effect, or nil.
func (e *Entry) Computed() *Step {
	for i := range e.Steps {
		if s := &e.Steps[i]; s.Did == Converted && e.Value != nil {
			return s
		}
	}
	return nil
}

// Same tells whether two items say the same, but for blanks and comments; of
// constants, whether they are the same value.
func Same(a, b load.Item) bool {
	x, isAttr := a.(*load.Attr)
	y, bothAttrs := b.(*load.Attr)
	if isAttr != bothAttrs {
		return false
	}
	if !isAttr {
		return sameTokens(a.Source().Text(a.Extent()), b.Source().Text(b.Extent()))
	}
	if sameTokens(x.File.Text(x.Value()), y.File.Text(y.Value())) {
		return true
	}
	v, ok := load.ConstantValue(x)
	w, both := load.ConstantValue(y)
	return ok && both && v.RawEquals(w)
}

func sameTokens(a, b []byte) bool { return slices.EqualFunc(Words(a), Words(b), bytes.Equal) }

// Words lists the tokens of a text, but for comments and line ends.
func Words(src []byte) [][]byte {
	src = append(src[:len(src):len(src)], '\n') // a heredoc ends with its line
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	var list [][]byte
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenNewline && t.Type != hclsyntax.TokenComment {
			list = append(list, t.Bytes)
		}
	}
	return list
}
