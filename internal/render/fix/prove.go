package fix

import (
	"fmt"

	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
)

// Same reports whether two modules mean the same to the engine. They must keep the same trees
// (compare.KeepAs).
func Same(before, after *merge.Module) bool { return compare.SameMeaning(before, after, nil) }

// Repeated reports whether a module differs from what it was before fixes in this only:
// what overrides dropped from what the fixes are about is there again, as the primary
// files have it.
func Repeated(before, after *merge.Module, fixes []*Fix) bool {
	about := subjects{}
	for _, x := range fixes {
		about[x.Finding.Address.Kind()] = true
	}
	was, is := changesIn(before), changesIn(after)
	for change := range is {
		if _, known := was[change]; !known {
			return false
		}
	}
	for change, c := range was {
		if _, stays := is[change]; stays {
			continue
		}
		if c.Kind() != changes.Dropped || !about.cover(c.Address) {
			return false
		}
	}
	return len(is) < len(was) && about.sameElsewhere(before, after)
}

// changesIn are the changes of a module, by all that they say.
func changesIn(m *merge.Module) map[string]changes.Change {
	all := map[string]changes.Change{}
	for _, b := range changes.Of(m) {
		for _, c := range b.Changes {
			text := fmt.Sprintf("%q %q %d", c.Address, c.Path.String(), c.Kind())
			for _, v := range []*changes.Value{c.Before, c.After} {
				if v != nil {
					text += fmt.Sprintf(" %q", v.Text())
				}
			}
			all[text] = c
		}
	}
	return all
}

// subjects are the addresses of what fixes are about, without indexes.
type subjects map[address.Address]bool

// cover reports whether an address is one of the subjects, or of a part of one.
func (s subjects) cover(own address.Address) bool {
	for at := own.Kind(); at != ""; at = at.Parent() {
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
