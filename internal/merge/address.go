package merge

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
)

// Address is how people name a top-level entry: aws_instance.web, var.region,
// provider.aws.west, terraform.
func (e *Entry) Address() string { return address(e.Rule, e.Key) }

// address names what a rule's items of a key declare. Blocks of a type that the
// language does not know go by their type and labels.
func address(r *Rule, k Key) string {
	parts := append([]string{}, r.Prefix...)
	switch {
	case r.Path == "*":
		parts = append(parts, k.Name)
	case r.Match == Never || k.ID != "":
	case len(parts) == 0:
		parts = append(parts, k.Name)
	case r.Path != k.Name:
		parts = append(parts, k.Name) // a local value's name
	}
	if k.ID != "" && r.Match != Never {
		parts = append(parts, k.ID)
	}
	return strings.Join(parts, ".")
}

// Address is how people name what a top-level block declares.
func (m *Module) Address(b *load.Block) string {
	key, rule := m.Root.key(b, false)
	return address(rule, key)
}

// OwnAddresses lists the addresses of what a top-level block effectively holds where
// those do not go on from the block's, as local values'.
func (m *Module) OwnAddresses(b *load.Block) []string {
	_, rule := m.Root.key(b, false)
	own := m.Root.rules.byPath[join(rule.Path, "*")]
	if own == nil || len(own.Prefix) == 0 {
		return nil
	}
	var list []string
	for _, it := range m.holds(b) {
		list = append(list, address(own, Key{Name: it.Called()}))
	}
	return list
}

// Parts lists the blocks in whose places a top-level block takes effect, apart
// from itself.
func (m *Module) Parts(b *load.Block) []*load.Block {
	if e := m.Root.Owner(b); e != nil && e.Inner != nil {
		return e.Inner.Parts
	}
	return nil
}

// InEffect tells whether an item is in effect, be it of a primary or of an
// override file.
func (m *Module) InEffect(it load.Item) bool {
	var path []load.Item
	for {
		path = append(path, it)
		b := it.Within()
		if b == nil {
			break
		}
		it = b
	}
	c := m.Root
	for i := len(path) - 1; i >= 0; i-- {
		e := c.Owner(path[i])
		switch {
		case e == nil:
			return true
		case e.Rule.Do == Flatten:
		case e.Inner == nil || i == 0:
			return e.Has(path[i]) || e.Inner != nil && e.In()
		default:
			c = e.Inner
		}
	}
	return true
}

// holds lists the items in effect of a top-level block: those of its own that
// are still there, and what overrides added.
func (m *Module) holds(b *load.Block) []load.Item {
	own := b.Tree().Body.Items
	e := m.Root.Owner(b)
	if e == nil || e.Inner == nil {
		return own
	}
	items := slices.DeleteFunc(slices.Clone(own), func(it load.Item) bool {
		owner := e.Inner.Owner(it)
		return owner != nil && !owner.Has(it)
	})
	for _, in := range e.Inner.PrintedIn(b) {
		if in.Live[0] != in.Place {
			items = append(items, in.Live...)
		}
	}
	return items
}
