package values

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A Path is a path from an argument, or from nested blocks, to a part of them, given by its last
// step.
type Path struct {
	From *Path // the way to here; nil at its start
	// Name is an object's key, or in a nested block the name of an argument or the type of blocks;
	// empty for an index.
	Name string
	// Before and After are the index in the list as it was and as it is, from 0; -1
	// where it is in one of them only.
	Before, After int
	IsIndex       bool // the step is an index, not a name
	// IsOnly is set if there is one block, so people need no index.
	IsOnly bool
}

// To is the path to a name behind the path.
func (p *Path) To(name string) *Path { return &Path{From: p, Name: name} }

// Steps lists the steps from the start.
func (p *Path) Steps() []*Path {
	var list []*Path
	for at := p; at != nil; at = at.From {
		list = append(list, at)
	}
	slices.Reverse(list)
	return list
}

// At is the path to an index behind the path, in the list as it was and as it is.
func (p *Path) At(before, after int, isOnly bool) *Path {
	return &Path{From: p, Before: before, After: after, IsOnly: isOnly, IsIndex: true}
}

// Index is the index for people: the effective one where there is one.
func (p *Path) Index() int {
	if p.After >= 0 {
		return p.After
	}
	return p.Before
}

// Address is the path relative to an address: tags.Owner, [2], ["cost centre"]. The index of a lone
// block is left out.
func (p *Path) Address() address.Address {
	var a address.Address
	for _, s := range p.Steps() {
		switch {
		case s.IsIndex && s.IsOnly:
		case s.IsIndex:
			a = a.At(s.Index())
		default:
			a = a.Child(s.Name)
		}
	}
	return a
}

// The output for each change must stay in proportion to the file, so parts with longer paths are
// not compared.
const (
	maxSteps = 32  // of a way
	maxNames = 256 // bytes of the names on it
	// maxBlockNames is maxNames for nested blocks: dynamic blocks of providers with long names nest
	// deep, and nobody sees the difference between two blocks that are shown as a whole.
	maxBlockNames = 1024
)

// A Budget limits how much longer a path may become.
type Budget struct{ steps, names int }

// Full is the room for a path at its start.
var Full = Budget{maxSteps, maxNames}

// BudgetFor is the room for paths behind an address.
func BudgetFor(own address.Address) Budget {
	return Budget{maxSteps, maxNames - len(own.String())}
}

// Behind is the room behind a step of a name.
func (r Budget) Behind(name string) Budget {
	return Budget{r.steps - 1, r.names - len(name) - 4}
}

// IsLeft reports whether the path may become longer.
func (r Budget) IsLeft() bool { return r.steps > 0 && r.names > 0 }

// IsLeftForBlocks reports whether a path to nested blocks may become longer.
func (r Budget) IsLeftForBlocks() bool {
	return r.steps > 0 && r.names > maxNames-maxBlockNames
}
