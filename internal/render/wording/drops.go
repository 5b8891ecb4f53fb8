package wording

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// Drops words which keys of earlier objects the argument leaves out that took their place:
// "drops Cost"; empty where it drops none for certain, and where the values are sensitive.
func (r Redactor) Drops(a *source.Attr, earlier []source.Item) string {
	if r.IsSecret(a) {
		return ""
	}
	keys := check.DroppedKeys(a, earlier)
	if len(keys) == 0 {
		return ""
	}
	return "drops " + Some(keys, ", ")
}
