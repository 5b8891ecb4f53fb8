package load

import (
	"iter"
)

// JSON gives a block's labels as keys and several blocks as an array, in any
// mixture (https://github.com/hashicorp/hcl/blob/main/json/spec.md).

// unpack calls visit for each block that a property stands for: labels are
// keys, arrays are several blocks.
func (jb *jsonBuilder) unpack(v jsonValue, h header, labels int, names []string, visit func(header, jsonValue)) {
	if labels > 0 {
		jb.unpackLabel(v, h, labels, names, visit)
		return
	}
	switch v.kind() {
	case 'n':
	case '{':
		visit(h, v)
	case '[':
		h.from.element = true
		for c := range v.children() {
			visit(h, c)
		}
	default:
		jb.missing = true
		jb.diags = append(jb.diags, jsonWantsBlock(h.typ, jb.file.GivenRange(v.span())))
	}
}

func (jb *jsonBuilder) unpackLabel(v jsonValue, h header, labels int, names []string, visit func(header, jsonValue)) {
	label := names[len(names)-labels]
	if label == "" {
		label = "label"
	}
	found, reported := false, len(jb.diags)
	for p := range jb.properties(v, "give the "+label+" of this block") {
		found = true
		inner := h
		inner.labels = append(h.labels[:len(h.labels):len(h.labels)], p.name())
		if n := len(h.labels); n < len(inner.from.labels) {
			inner.from.labels[n] = p.key()[0]
		}
		jb.unpack(p, inner, labels-1, names, visit)
	}
	if !found && len(jb.diags) == reported {
		jb.missing = true
		jb.diags = append(jb.diags, jsonMissingLabel(h.typ, label, jb.file.GivenRange(v.span())))
	}
}

// properties gives the members of an object, or of all objects of an array.
// Anything else than these and null is reported.
func (jb *jsonBuilder) properties(v jsonValue, what string) iter.Seq[jsonValue] {
	return func(yield func(jsonValue) bool) {
		switch v.kind() {
		case 'n':
		case '{':
			for c := range v.children() {
				if !yield(c) {
					return
				}
			}
		case '[':
			for o := range v.children() {
				if o.kind() != '{' {
					jb.wrongType(o, what)
					continue
				}
				for c := range o.children() {
					if !yield(c) {
						return
					}
				}
			}
		default:
			jb.wrongType(v, what)
		}
	}
}

func (jb *jsonBuilder) wrongType(v jsonValue, what string) {
	jb.missing = true
	jb.diags = append(jb.diags, jsonWantsObject(what, jb.file.GivenRange(v.span())))
}
