package jsonsyntax

import (
	"iter"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
)

// JSON gives a block's labels as keys and several blocks as an array, in any
// mixture (https://github.com/hashicorp/hcl/blob/main/json/spec.md).

// unpack calls visit for each block of a property: labels are keys, arrays are several
// blocks.
//
//	"provisioner": [{"local-exec": {…}}, {"file": [{…}, {…}]}]
//
// are three blocks of type provisioner.
func (jb *writer) unpack(v jsontree.Value, h header, labels int, names []string, visit func(header, jsontree.Value)) {
	if labels > 0 {
		jb.unpackLabel(v, h, labels, names, visit)
		return
	}
	switch v.Kind() {
	case 'n':
	case '{':
		visit(h, v)
	case '[':
		h.from.Element = true
		for c := range v.Children() {
			visit(h, c)
		}
	default:
		jb.missing = true
		jb.report(v.Span(), "Incorrect JSON value type",
			"Write an object for one block of type \"%s\", or an array of objects for several.", diag.Escape(h.typ))
	}
}

func (jb *writer) unpackLabel(v jsontree.Value, h header, labels int, names []string, visit func(header, jsontree.Value)) {
	label := names[len(names)-labels]
	if label == "" {
		label = "label"
	}
	found, reported := false, len(jb.diags)
	for p := range jb.properties(v, "give the "+label+" of this block") {
		found = true
		inner := h
		inner.labels = append(h.labels[:len(h.labels):len(h.labels)], p.Name())
		if n := len(h.labels); n < len(inner.from.Labels) {
			inner.from.Labels[n] = p.Key()[0]
		}
		jb.unpack(p, inner, labels-1, names, visit)
	}
	if !found && len(jb.diags) == reported {
		jb.missing = true
		jb.report(v.Span(), "Missing block label",
			"Write an object whose keys are the %s of each %s block and whose values are the bodies.", label, diag.Escape(h.typ))
	}
}

// properties gives the members of an object, or of all objects of an array.
// Anything else than these and null is reported.
func (jb *writer) properties(v jsontree.Value, what string) iter.Seq[jsontree.Value] {
	return func(yield func(jsontree.Value) bool) {
		switch v.Kind() {
		case 'n':
		case '{':
			for c := range v.Children() {
				if !yield(c) {
					return
				}
			}
		case '[':
			for o := range v.Children() {
				if o.Kind() != '{' {
					jb.wrongType(o, what)
					continue
				}
				for c := range o.Children() {
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

func (jb *writer) wrongType(v jsontree.Value, what string) {
	jb.missing = true
	jb.report(v.Span(), "Incorrect JSON value type", "Write an object, or an array of objects, to %s.", what)
}
