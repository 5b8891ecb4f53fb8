package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A space keeps apart equal names of different kinds.
type space int

// The spaces of names inside a block.
const (
	metaSpace space = iota // names as the block itself has them
	Body                   // names inside an escaping block, which the language gives no meaning
)

// A Key is what items must have in common to address each other inside one body.
type Key struct {
	Space space
	Name  string
	ID    string // labels and alias, where the rule keeps items apart by them
}

// address names the declarations of a rule's items with a key, as package segments writes it.
// Blocks of a type that the language does not know are named by their type and labels.
func address(r *rules.Rule, k Key) string {
	parts := append([]string{}, r.Prefix...)
	switch {
	case r.Path == "*":
		parts = append(parts, k.Name)
	case r.Match == rules.ByPosition || k.ID != "":
	case len(parts) == 0:
		parts = append(parts, k.Name)
	case r.Path != k.Name:
		parts = append(parts, k.Name) // a local value's name
	}
	own := segments.Join(parts...)
	if r.Match != rules.ByPosition {
		own = segments.Concat(own, k.ID)
	}
	return own
}

// keyOf returns the key by which an item addresses a merged item in a body of a kind, and the rule
// for it. Escaped items, and dynamic blocks, never have the name of a language item.
func keyOf(in *rules.Kind, it source.Item, escaped bool) (Key, *rules.Rule) {
	key := Key{Space: Body, Name: it.Called()}
	if !escaped && knows(in, it) {
		key.Space = metaSpace
	}
	rule := ruleOf(in, key)
	key.ID = rule.Match.ID(it)
	return key, rule
}

// ruleOf is the rule for the items of a key in a body of a kind.
func ruleOf(in *rules.Kind, k Key) *rules.Rule { return in.Names.Find(k.Name, k.Space == Body) }

// knows reports whether the language gives an item of this name and kind a meaning in a body of a
// kind. If it has no words for the inside of a block, since only an override file can bring one,
// the table has.
func knows(in *rules.Kind, it source.Item) bool {
	name := it.Called()
	if in.Shape == nil {
		return in.Names.Own(name) != nil
	}
	if b, ok := it.(*source.Block); ok {
		_, known := in.Shape.Block(b.Type)
		return known && b.Type == name
	}
	_, known := in.Shape.Args[name]
	return known
}
