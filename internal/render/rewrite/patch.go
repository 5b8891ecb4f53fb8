package rewrite

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Only the properties that differ are written anew, in the layout of the file.

// A bodyScope describes the body in a JSON value: a merged block, or the labels around such blocks. The
// zero scope is a value that is replaced as a whole.
type bodyScope struct {
	content *merge.MergedBody
	entries map[string]*merge.MergedItem // blocks that differ in their labels, by those
	labels  []string                     // those that were met
}

// inside is the scope of a property, and whether overrides may have changed
// anything in it.
func (s bodyScope) inside(name string) (inner bodyScope, changed bool) {
	if s.content == nil {
		labels := append(s.labels[:len(s.labels):len(s.labels)], name)
		if e := s.entries[segments.Join(labels...)]; e != nil {
			return bodyScope{content: e.Inner()}, plan.IsChanged(e)
		}
		return bodyScope{entries: s.entries, labels: labels}, true
	}
	named := s.content.AllNamed(name)
	switch {
	case len(named) == 0: // also what dynamic blocks are called by
		return bodyScope{}, true
	case named[0].Key.ID != "":
		inner.entries = map[string]*merge.MergedItem{}
		for _, e := range slices.Backward(named) {
			inner.entries[e.Key.ID] = e
		}
	case len(named) == 1:
		inner.content = named[0].Inner()
	}
	return inner, slices.ContainsFunc(named, plan.IsChanged)
}

// patched returns old text, which is at an indentation, with the parts that differ in n rewritten.
func (ed *editor) patched(old []byte, n jsonvalue.Node, s bodyScope, indent string) string {
	if bytes.Equal(compact(old), compact(jsonvalue.Text(n))) {
		return string(old)
	}
	switch n := n.(type) {
	case *jsonvalue.Object:
		switch {
		case s.content == nil && s.entries == nil:
		case old[0] == '{':
			return ed.patchedObject(old, n, s, indent)
		default:
			return ed.patchedArray(old, jsonvalue.Array{n}, s, indent)
		}
	case jsonvalue.Blocks:
		return ed.patchedArray(old, jsonvalue.Array(n), s, indent)
	}
	const short = 80
	if line := onOneLine(compact(jsonvalue.Text(n))); len(line) <= short &&
		bytes.IndexByte(old, '\n') < 0 && (old[0] == '{' || old[0] == '[') {
		return line
	}
	return ed.laidOut(n, indent)
}

func compact(text []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, text) != nil {
		return text
	}
	return out.Bytes()
}

// laidOut is the text of a new value on a line of an indentation.
func (ed *editor) laidOut(n jsonvalue.Node, indent string) string {
	var out bytes.Buffer
	w := jsonvalue.NewIndenter(&out, ed.unit)
	w.Node(n, indent)
	w.Flush()
	return strings.ReplaceAll(out.String(), "\n", ed.eol)
}

// fitting is the text of a new value beside others: on one line where those are.
func (ed *editor) fitting(n jsonvalue.Node, sp spacing) string {
	if strings.Contains(sp.between, "\n") {
		return ed.laidOut(n, sp.inner)
	}
	return onOneLine(compact(jsonvalue.Text(n)))
}

// onOneLine puts a blank behind each colon and comma of compact JSON.
func onOneLine(compact []byte) string {
	var out strings.Builder
	isQuoted, isEscaped := false, false
	for _, c := range compact {
		out.WriteByte(c)
		switch {
		case isEscaped:
			isEscaped = false
		case c == '\\':
			isEscaped = true
		case c == '"':
			isQuoted = !isQuoted
		case !isQuoted && (c == ':' || c == ','):
			out.WriteByte(' ')
		}
	}
	return out.String()
}

// patchedObject keeps the remaining properties, in their order and with the text between them. New
// ones follow their predecessor.
func (ed *editor) patchedObject(old []byte, n *jsonvalue.Object, s bodyScope, indent string) string {
	parts := partsOf(old)
	if len(parts) == 0 {
		return ed.laidOut(n, indent)
	}
	list := matched(parts, n)
	sp := spacingOf(old, parts, indent, ed.eol)
	var out strings.Builder
	out.Write(old[:parts[0].key])
	for i, m := range list {
		inner := sp.inner
		switch {
		case i > 0 && m.old > 0:
			out.Write(old[parts[m.old-1].end:parts[m.old].key])
		case i > 0:
			out.WriteString("," + sp.between)
		}
		if m.old < 0 {
			out.Write(jsonvalue.Quote(n.Names[m.new]))
			out.WriteString(": " + ed.fitting(n.Values[m.new], sp))
			continue
		}
		part := parts[m.old]
		out.Write(old[part.key:part.start])
		if within, changed := s.inside(part.name); m.new < 0 || !changed {
			out.Write(old[part.start:part.end])
		} else {
			out.WriteString(ed.patched(old[part.start:part.end], n.Values[m.new], within, inner))
		}
	}
	out.Write(old[parts[len(parts)-1].end:])
	return out.String()
}

// A propertyPair is a property of the new object and its earlier version; either may be missing,
// -1.
type propertyPair struct{ old, new int }

// matched pairs properties by name, in the order of the new object; of a
// name that comes more than once, in their order. Comments stay where they are, in
// front if the order changed.
func matched(parts []jsonPart, n *jsonvalue.Object) []propertyPair {
	at := map[string][]int{}
	for i, part := range parts {
		if part.name != "//" {
			at[part.name] = append(at[part.name], i)
		}
	}
	var list []propertyPair
	inOrder, last := true, -1 // of the properties that stay
	for i, name := range n.Names {
		switch old := at[name]; {
		case name == "//":
		case len(old) == 0:
			list = append(list, propertyPair{-1, i})
		default:
			list = append(list, propertyPair{old[0], i})
			inOrder, last = inOrder && old[0] > last, old[0]
			at[name] = old[1:]
		}
	}
	return withComments(list, parts, inOrder)
}

// withComments puts the comments into a list of pairings: each behind all that it
// stood behind, or all in front.
func withComments(list []propertyPair, parts []jsonPart, inOrder bool) []propertyPair {
	var all []propertyPair
	at := 0
	upTo := func(end int) {
		for ; at < end; at++ {
			if parts[at].name == "//" {
				all = append(all, propertyPair{at, -1})
			}
		}
	}
	if !inOrder {
		upTo(len(parts))
	}
	var added []propertyPair // behind the property that stays last, and its comments
	for _, m := range list {
		if m.old < 0 {
			added = append(added, m)
			continue
		}
		upTo(m.old)
		all = append(append(all, added...), m)
		added = nil
	}
	upTo(len(parts))
	return append(all, added...)
}

// A spacing is the text between the parts of an object or an array.
type spacing struct {
	between string // from behind a comma to the next part
	inner   string // the indentation of the parts
}

func spacingOf(old []byte, parts []jsonPart, indent, eol string) spacing {
	open := old[1:parts[0].key]
	if i := bytes.LastIndexByte(open, '\n'); i >= 0 {
		inner := string(open[i+1:])
		return spacing{between: eol + inner, inner: inner}
	}
	return spacing{between: " ", inner: indent}
}

// patchedArray keeps the elements that stay where they are.
func (ed *editor) patchedArray(old []byte, n jsonvalue.Array, s bodyScope, indent string) string {
	if old[0] == '{' && len(n) == 1 {
		return ed.patched(old, n[0], s, indent)
	}
	if old[0] == '{' && len(n) > 1 && bytes.Equal(compact(old), compact(jsonvalue.Text(n[0]))) {
		return ed.patchedArray([]byte("["+string(old)+"]"), n, s, indent)
	}
	if old[0] != '[' {
		return ed.laidOut(n, indent)
	}
	parts := partsOf(old)
	if len(parts) == 0 || len(n) == 0 {
		return ed.laidOut(n, indent)
	}
	sp := spacingOf(old, parts, indent, ed.eol)
	var out strings.Builder
	out.Write(old[:parts[0].key])
	for i, element := range n {
		switch {
		case i > 0 && i < len(parts):
			out.Write(old[parts[i-1].end:parts[i].key])
		case i > 0:
			out.WriteString("," + sp.between)
		}
		if i < len(parts) {
			out.WriteString(ed.patched(old[parts[i].start:parts[i].end], element, s, sp.inner))
		} else {
			out.WriteString(ed.fitting(element, sp))
		}
	}
	out.Write(old[parts[len(parts)-1].end:])
	return out.String()
}
