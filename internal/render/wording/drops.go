package wording

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// Drops words which keys of earlier objects the replacing argument leaves out: "drops Cost"; empty
// if it certainly drops none, and if the values are sensitive.
func (r Redactor) Drops(a *source.Attr, earlier []source.Item) string {
	keys := r.DroppedNames([]source.Item{a}, earlier)
	if len(keys) == 0 {
		return ""
	}
	return "drops " + Some(keys, ", ")
}

// DroppedNames lists the parts of some earlier items that the replacing items leave out: keys of
// objects, and arguments and blocks in nested blocks. For sensitive values it lists nothing.
func (r Redactor) DroppedNames(effective, earlier []source.Item) []string {
	if len(effective) == 0 {
		return nil
	}
	a, isAttr := effective[0].(*source.Attr)
	switch {
	case !isAttr:
		return check.Dropped(effective, earlier)
	case r.IsSecret(a):
		return nil
	}
	return check.DroppedKeys(a, earlier)
}
