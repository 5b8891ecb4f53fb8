package extract

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
)

// Options control the override and its proof.
type Options struct {
	// Name is the file name of the override, which must come last (IsLast).
	Name string
	// NewFile, if set, is the file name of a new primary file for the blocks that BASE lacks.
	NewFile string
	// Write returns the text of a file of a name that holds some parts, and its diagnostics: with
	// errors, the text can't be used.
	Write func(name string, parts []*merge.Part) ([]byte, hcl.Diagnostics)
	// Load loads BASE together with more files.
	Load func(more map[string][]byte) (*load.Module, hcl.Diagnostics, error)
}

// A Result is an override, and the differences that it can't express.
type Result struct {
	// Override are the top-level blocks of the override file, New those of the new primary file.
	Override, New []*merge.Part
	// Texts are the texts of these files, by name; a file without blocks is not among them.
	Texts map[string][]byte
	// Expressed are the differences that the two files make up for, and Left all others.
	Expressed []compare.Difference
	Left      []*Remainder
	// Idle are differences in items that the engine ignores in every file.
	Idle []compare.Difference
	// Diags are warnings about how the files are written.
	Diags hcl.Diagnostics

	partial map[address.Address]bool // differences expressed by blocks that aren't written whole

	Base, Edited *merge.Module
	// Merged is BASE with the two files, which has been compared with EDITED.
	Merged *merge.Module
}

// A RefusedError reports that the engine refuses one of the modules, or the two together.
type RefusedError struct {
	Of    side
	Diags hcl.Diagnostics
}

// A side is one of the modules.
type side int

// The sides.
const (
	Base   side = iota
	Edited      // the edited copy
	Merged      // BASE with the files that are made
)

// Error implements error.
func (e *RefusedError) Error() string {
	return []string{"BASE", "EDITED", "BASE with the override"}[e.Of] + " has errors: " + e.Diags.Error()
}

// Find finds the override with which base means what edited means. Both must have the same
// override files. The error is a *RefusedError, or what Load returned.
func Find(base, edited *load.Module, o Options) (*Result, error) {
	later, diags := merge.Files(edited, merge.Options{})
	if diags.HasErrors() {
		return nil, &RefusedError{Edited, diags}
	}
	earlier, own := merge.Files(base, merge.Options{})
	x := newExtraction(compare.Reading{Module: earlier, Diags: own}, compare.Reading{Module: later, Diags: diags}, o)
	for of, read := range []*index{x.base, x.edited} {
		if twice := read.givenTwice(); len(twice) > 0 {
			return nil, &RefusedError{side(of), twice}
		}
	}
	if err := x.converge(); err != nil {
		return nil, err
	}
	if err := x.shrink(); err != nil {
		return nil, err
	}
	return x.result()
}
