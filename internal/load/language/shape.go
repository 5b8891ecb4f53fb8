package language

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/credentials"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// An ArgShape describes one argument of the language.
type ArgShape struct {
	Kind     *Kind
	Required bool // in primary files; an override file may leave it out
	Always   bool // a required one is so in override files, too
	// Also judges a value of the right kind further; it may be nil.
	Also func(*source.Attr) hcl.Diagnostics
	// InJSON judges values that an engine refuses in JSON only; it may be nil.
	InJSON func(*source.Attr) hcl.Diagnostics
	// Hides names the argument of the same block whose value is not to be shown
	// to people if this one is true.
	Hides   string
	Engines engine.Releases // the releases that know it so
	// Else is its shape in the other releases; nil if they don't know it.
	Else *ArgShape
	// Free: the name is not the language's, but one of those that the owner of an
	// open body may choose.
	Free bool

	Unknown bool // the engine at hand does not know it
}

// A BlockShape describes one type of nested block.
type BlockShape struct {
	Labels  []string        // what each label is called
	Once    bool            // at most one in a body
	Many    bool            // a body may hold several of this type, and their order matters
	Fixed   bool            // merging refuses it in an override file, whatever it holds
	Reserve bool            // the name is kept free; giving it is an error
	Kept    bool            // releases that don't know it keep the name free
	Like    string          // the top-level type whose bodies its body is like
	Inside  bool            // its declarations are inside it, so its tree is always needed
	Refuse  string          // why a block known elsewhere is not allowed here
	Engines engine.Releases // the releases that know it so
	Else    *BlockShape     // its shape in the other releases; nil if they don't know it
	Body    *BodyShape

	Unknown bool // the engine at hand does not know it
}

// A BodyShape describes the inside of a block.
type BodyShape struct {
	// Open bodies belong to a provider, a module or the like, which decides what else they may
	// hold; the shape knows only the meta-arguments.
	Open bool
	// Owned is the kind of the arguments that the owner of an open body chooses; nil for Expression.
	Owned *Kind
	// Unset makes null for an argument of the owner equivalent to no value.
	Unset bool
	// Secrets, if set, are the names of arguments, here and in blocks inside, whose
	// values are not to be shown to people.
	Secrets credentials.Names
	// Names, for a body of arguments whose names the author chooses, is their kind.
	Names  *Kind
	Args   map[string]ArgShape
	Blocks map[string]BlockShape
	// Exclusive lists paths of which a block may have at most one.
	Exclusive [][]string
	// Check judges what depends on more than one argument.
	Check func(*source.Block) hcl.Diagnostics
	// Each judges arguments of one block together; Final those in effect, which
	// override files may have changed. Either may be nil.
	Each, Final judge.Joint
}

// Arg returns the shape of an argument, and whether the body has one of that name. The kind of any
// other argument is the one that the owner of the body chooses.
func (s *BodyShape) Arg(name string) (ArgShape, bool) {
	switch {
	case s == nil:
		return ArgShape{Kind: Expression}, false
	case s.Names != nil:
		return ArgShape{Kind: s.Names}, true
	}
	if a, ok := s.Args[name]; ok {
		return a, true
	}
	return ArgShape{Kind: cmp.Or(s.Owned, Expression)}, false
}

// Judged returns the judge of the arguments in effect, or nil.
func (s *BodyShape) Judged() judge.Joint {
	if s == nil {
		return nil
	}
	return s.Final
}

// Inside is the shape of the bodies nested in an open body by its owner.
func (s *BodyShape) Inside() *BodyShape {
	if s != nil && s.Owned != nil {
		return s
	}
	return Open
}

// IsOpen reports whether the body belongs to a provider, a module or the like.
func (s *BodyShape) IsOpen() bool { return s != nil && s.Open }

// TakesNull reports whether null for an argument of the body's owner means no value.
func (s *BodyShape) TakesNull() bool { return s != nil && s.Unset }

// Block returns the shape of a nested block, if the body has one of that type.
func (s *BodyShape) Block(typ string) (BlockShape, bool) {
	if s == nil {
		return BlockShape{}, false
	}
	b, ok := s.Blocks[typ]
	return b, ok
}

// Knows reports whether the language itself gives a name inside the body a meaning.
// Names that the author chooses have none.
func (s *BodyShape) Knows(name string) bool {
	if s == nil {
		return false
	}
	_, isArg := s.Args[name]
	_, isBlock := s.Blocks[name]
	return isArg || isBlock
}

// At returns the shape of the body of a block, given the types of the blocks around it from this
// body inwards, joined by "/"; nil if the language doesn't describe it.
func (s *BodyShape) At(path string) *BodyShape {
	for path != "" {
		var name string
		name, path, _ = strings.Cut(path, "/")
		block, ok := s.Block(name)
		if !ok {
			return nil
		}
		s = block.Body
	}
	return s
}

// Top is the shape of a top-level block; an open one where the language does not have
// the type.
func (s *BodyShape) Top(typ string) BlockShape {
	if shape, ok := s.Block(typ); ok {
		return shape
	}
	return BlockShape{Body: Open}
}

// Inner is the shape of a nested block of the body; an open one where the language does
// not know the block, which the second result reports.
func (s *BodyShape) Inner(b *source.Block) (BlockShape, bool) {
	if known, ok := s.Block(b.Type); ok && known.Body != nil {
		return known, true
	}
	if b.Type == source.DynamicBlock && len(b.Labels) == 1 {
		return BlockShape{Labels: []string{"type"}, Many: true, Body: DynamicShape}, true
	}
	return BlockShape{Many: true, Body: s.Inside()}, false
}

// Types lists the types of nested blocks that are known.
func (s *BodyShape) Types() []string {
	if s == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.Blocks)), func(typ string) bool { return s.Blocks[typ].Unknown })
}

// Open is the shape of a body that the language leaves to its owner.
var Open = &BodyShape{Open: true}

// DynamicShape is the inside of a dynamic block.
var DynamicShape = &BodyShape{
	Args:   map[string]ArgShape{"for_each": {Kind: Expression}, "iterator": {Kind: kindIterator}, "labels": {Kind: Expression}},
	Blocks: map[string]BlockShape{"content": {Once: true, Body: Open}},
}
