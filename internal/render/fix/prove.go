package fix

import (
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
)

// Same reports whether two modules mean the same to the engine.
func Same(before, after *merge.Module) bool { return compare.SameMeaning(before, after, nil) }

// Repeated reports whether fixes changed a module in only one way: the parts that overrides dropped
// from the fixes' subjects are back, as in the replaced layer.
func Repeated(before, after *merge.Module, fixes []*Fix) bool {
	about := subjects{}
	for _, x := range fixes {
		about[x.Finding.Address.Kind()] = true
	}
	return changes.Restored(before, after, about.cover) && about.sameElsewhere(before, after)
}

// subjects are the addresses that fixes are about, without indexes.
type subjects map[address.Address]bool

// cover reports whether an address is one of the subjects, or of a part of one.
func (s subjects) cover(own address.Address) bool {
	for at := own.Kind(); !at.IsEmpty(); at = at.Parent() {
		if s[at] {
			return true
		}
	}
	return false
}

// sameElsewhere reports whether two modules mean the same but for the subjects.
func (s subjects) sameElsewhere(before, after *merge.Module) bool {
	return compare.SameMeaning(before, after, s.cover)
}
