package load

import (
	"maps"
	"slices"
	"strings"
)

// A Kind says what an argument takes: how its value is judged when a file is
// loaded, and how a string in JSON is to be read there.
type Kind int

// The kinds of arguments. Kind.Reading tells how a string in JSON is read.
const (
	Expression       Kind = iota // anything
	Condition                    // an expression that refers to something
	Inert                        // accepted and never looked at
	Constant                     // a value that needs no other object
	Setting                      // a constant bool
	Text                         // a constant string
	Notice                       // a constant string that says something
	Word                         // a constant string that is a name
	Constraint                   // a version constraint
	EngineConstraint             // a version constraint on the engine itself
	Type                         // a type expression
	Default                      // a variable's default
	Reference                    // a reference to an object
	References                   // a list of references
	ProviderRef                  // a provider configuration
	ProviderMap                  // provider configurations by provider configuration
	Requirement                  // an entry of required_providers
	IgnoreList                   // attribute paths or the keyword all
	TriggerList                  // references to resources
	When                         // create or destroy
	OnFailure                    // continue or fail
	ImportAddress                // a resource's address whose keys may be expressions
	Method                       // a reference to an encryption method
	Edition                      // a language edition keyword
	Experiments                  // a list of experiment keywords
	Reserved                     // the name is kept free; giving it is an error
)

// An ArgShape is what the language says of one argument.
type ArgShape struct {
	Kind     Kind
	Required bool // in primary files; an override file may leave it out
	// Hides names the argument of the same block whose value is not to be shown
	// to people if this one is true.
	Hides   string
	Engines Engines
}

// A BlockShape is what the language says of one type of nested block.
type BlockShape struct {
	Labels  []string // what each label is called
	Once    bool     // at most one in a body
	Many    bool     // several alike may stand in a body, and their order counts
	Reserve bool     // the name is kept free; giving it is an error
	Like    string   // the top-level type whose bodies its body is like
	Inside  bool     // what it declares stands inside it, so its tree is always needed
	Refuse  string   // why a block known elsewhere may not stand here
	Engines Engines
	Body    *BodyShape
}

// A BodyShape is what the language says of the inside of a block.
type BodyShape struct {
	// Open bodies belong to a provider, a module or the like, which says what
	// else they may hold; the shape knows the meta-arguments only.
	Open bool
	// Names, for a body of arguments whose names the author chooses, is their kind.
	Names  *Kind
	Args   map[string]ArgShape
	Blocks map[string]BlockShape
	// Exclusive lists paths of which one block may have one at most.
	Exclusive [][]string
	// Check judges what one argument alone does not tell.
	Check func(*Block, *shapeCheck)
	// Final judges what override files may still change.
	Final func(*Block, *shapeCheck)
}

// Arg returns the shape of an argument, if the body has one of that name.
func (s *BodyShape) Arg(name string) (ArgShape, bool) {
	if s == nil {
		return ArgShape{}, false
	}
	if s.Names != nil {
		return ArgShape{Kind: *s.Names}, true
	}
	a, ok := s.Args[name]
	return a, ok
}

func (s *BodyShape) isOpen() bool { return s != nil && s.Open }

// Block returns the shape of a nested block, if the body has one of that type.
func (s *BodyShape) Block(typ string) (BlockShape, bool) {
	if s == nil {
		return BlockShape{}, false
	}
	b, ok := s.Blocks[typ]
	return b, ok
}

// Knows tells whether the language itself gives a name inside the body a
// meaning. Names that the author chooses have none.
func (s *BodyShape) Knows(name string) bool {
	if s == nil {
		return false
	}
	_, isArg := s.Args[name]
	_, isBlock := s.Blocks[name]
	return isArg || isBlock
}

// ShapeAt returns the shape of the body of a block, given the block types that
// lead to it, joined by "/"; nil where the language says nothing of it.
func ShapeAt(path string) *BodyShape {
	shape := Root
	for path != "" {
		var name string
		name, path, _ = strings.Cut(path, "/")
		block, ok := shape.Block(name)
		if !ok {
			return nil
		}
		shape = block.Body
	}
	return shape
}

// Inner is the shape of a nested block, given that of the body that it stands in;
// of one that the language does not know nothing is said. The second result tells
// whether the language knows it.
func (s *BodyShape) Inner(b *Block) (BlockShape, bool) {
	if known, ok := s.Block(b.Type); ok && known.Body != nil {
		return known, true
	}
	if b.Type == dynamicType && len(b.Labels) == 1 {
		return BlockShape{Labels: []string{"type"}, Many: true, Body: dynamicShape}, true
	}
	return BlockShape{Many: true, Body: open}, false
}

// EscapeBlock is the block whose items count as items of the block around it, even
// where their names are those of meta-arguments.
const EscapeBlock = "_"

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
