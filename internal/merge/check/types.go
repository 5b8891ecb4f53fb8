package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// narrowed judges the type of a variable that replaced another one. Engines discard what callers set
// in attributes that an object type lacks, without a message.
func (f *findings) narrowed(e *merge.MergedItem) {
	a := e.Attr()
	if e.Path != "variable/type" || a == nil || !source.IsOverride(a) {
		return
	}
	is, _, diags := constant.DecodeType(a)
	if diags.HasErrors() {
		return
	}
	for _, it := range slices.Backward(e.Losers(a)) {
		was, _, diags := constant.DecodeType(it.(*source.Attr))
		names := lostAttributes("", was, is)
		if diags.HasErrors() || len(names) == 0 {
			continue
		}
		words := func(list string) string {
			return fmt.Sprintf("This type replaces the one at %s and drops %s, so values for %s are discarded. Repeat %[3]s here to keep %[3]s.",
				placeFrom(a, it), list, pronoun(len(names)))
		}
		x := f.add(mapReplaceDropsKeys, a, "%s", words(someNames(names)))
		x.Severity, x.Full = Notice, words(strings.Join(names, ", "))
		x.Related = &diag.Related{Note: "replaced type", Range: source.Where(it)}
		return
	}
}

// lostAttributes lists the attributes of object types, also of elements, that another type lacks.
func lostAttributes(path string, was, is cty.Type) (names []string) {
	switch {
	case was.IsObjectType() && is.IsObjectType():
		for _, name := range slices.Sorted(maps.Keys(was.AttributeTypes())) {
			at := spelling.AppendPath(path, spelling.Named(name))
			if is.HasAttribute(name) {
				names = append(names, lostAttributes(at, was.AttributeType(name), is.AttributeType(name))...)
			} else {
				names = append(names, at)
			}
		}
	case was.IsCollectionType() && is.IsCollectionType():
		return lostAttributes(path, was.ElementType(), is.ElementType())
	}
	return names
}
