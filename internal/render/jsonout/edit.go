package jsonout

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// A JSON file that stays one keeps its text, too: of a block that overrides
// change, only the properties that change are written anew, in the layout of
// the file.

// A jsonEditor turns a JSON file into what it is after the merge.
type jsonEditor struct {
	*jsonWriter
	file    *source.File
	unit    string // one level of indentation
	edits   []textedit.Edit
	wrapped map[int]*wrapping    // by where the bodies start
	known   map[[2]int]dissected // by where they start and end
}

// Edits are the edits to a JSON file as it was given that make the merge's
// changes. Diagnostics tell what JSON can't say of them.
func Edits(m *merge.Module, p *plan.File) ([]textedit.Edit, hcl.Diagnostics) {
	jw := &jsonWriter{root: &jsonvalue.Object{}, grower: &jsonsyntax.Grower{}}
	edits := jw.edits(p)
	for _, it := range lostComments(p) {
		jw.diags = append(jw.diags, commentLost(it, p.File))
	}
	m.Source.Places(jw.diags)
	return edits, jw.diags
}

func (jw *jsonWriter) edits(p *plan.File) []textedit.Edit {
	ed := &jsonEditor{jsonWriter: jw, file: p.File, unit: unitOf(p.File.Given), wrapped: map[int]*wrapping{}, known: map[[2]int]dissected{}}
	if len(partsOf(bytes.TrimSpace(p.File.Given))) == 0 {
		ed.addAll(slices.Concat(p.Before, p.After), spot{})
		return ed.edits // there is nothing else
	}
	ed.addAll(p.Before, spot{first: true})
	for _, i := range p.Indexes() {
		behind, _ := source.Spread(p.Blocks[i].Source)
		ed.addAll(p.Blocks[i].Behind, spot{behind: behind})
	}
	ed.addAll(p.After, spot{behind: -1})
	ed.endWrappings()
	for _, i := range p.Indexes() {
		if q := p.Blocks[i]; q.Changed {
			ed.block(q)
		}
	}
	return ed.edits
}

// unitOf is what a file indents its first indented line by.
func unitOf(src []byte) string {
	for line := range bytes.Lines(src) {
		rest := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(rest); n > 0 && len(bytes.TrimSpace(rest)) > 0 {
			return string(line[:n])
		}
	}
	return textedit.IndentUnit
}

// block exchanges the body of a block that overrides changed.
func (ed *jsonEditor) block(q *plan.Block) {
	b := ed.grower.Tree(q.Source)
	shape, _ := language.Of(b.File.Engine).Inner(b)
	from, to := b.ValueSpread()
	old := ed.file.Given[from:to]
	text := ed.patched(old, ed.body(q.Content, b, shape.Body), scope{content: q.Content}, textedit.IndentAt(ed.file.Given, from))
	if text != string(old) {
		ed.edits = append(ed.edits, textedit.Replace(from, to, text))
	}
}

// A jsonPart is a member of a JSON object, or an element of an array, which has
// no key.
type jsonPart struct {
	name            string
	key, start, end int // offsets in the text around it
}

// partsOf takes an object or an array apart.
func partsOf(text []byte) []jsonPart {
	dec := json.NewDecoder(bytes.NewReader(text))
	open, _ := dec.Token()
	var list []jsonPart
	for dec.More() {
		var p jsonPart
		if open == json.Delim('{') {
			before := int(dec.InputOffset())
			token, err := dec.Token()
			if err != nil {
				return list
			}
			p.name, _ = token.(string)
			p.key = before + bytes.IndexByte(text[before:], '"')
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return list
		}
		p.end = int(dec.InputOffset())
		p.start = p.end - len(raw)
		if open != json.Delim('{') {
			p.key = p.start
		}
		list = append(list, p)
	}
	return list
}

// A scope is what a JSON value is the body of: a merged block, or the labels that
// lead to such. The zero scope is a value that is exchanged as a whole.
type scope struct {
	content *merge.MergedBody
	entries map[string]*merge.MergedItem // blocks that differ in their labels, by those
	labels  []string                     // those that were met
}

// inside is the scope of a property, and whether overrides may have changed
// anything in it.
func (s scope) inside(name string) (inner scope, changed bool) {
	if s.content == nil {
		return s.labelled(append(s.labels[:len(s.labels):len(s.labels)], name))
	}
	named := s.content.AllNamed(name)
	switch {
	case len(named) == 0: // also what dynamic blocks are called by
		return scope{}, true
	case named[0].Key.ID != "":
		inner.entries = map[string]*merge.MergedItem{}
		for _, e := range slices.Backward(named) {
			inner.entries[e.Key.ID] = e
		}
	case len(named) == 1:
		inner.content = named[0].Inner
	}
	return inner, slices.ContainsFunc(named, plan.IsChanged)
}

func (s scope) labelled(labels []string) (scope, bool) {
	if e := s.entries[strings.Join(labels, ".")]; e != nil {
		return scope{content: e.Inner}, plan.IsChanged(e)
	}
	return scope{entries: s.entries, labels: labels}, true
}

// patched is old text, which stands at an indentation, with what differs in n
// written anew.
func (ed *jsonEditor) patched(old []byte, n jsonvalue.Node, s scope, indent string) string {
	if bytes.Equal(compact(old), compact(text(n))) {
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
	if line := onOneLine(compact(text(n))); len(line) <= short && bytes.IndexByte(old, '\n') < 0 && (old[0] == '{' || old[0] == '[') {
		return line
	}
	return ed.laidOut(n, indent)
}

// text is a node without layout.
func text(n jsonvalue.Node) []byte {
	var out bytes.Buffer
	n.AppendTo(&out)
	return out.Bytes()
}

func compact(text []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, text) != nil {
		return text
	}
	return out.Bytes()
}

// laidOut is the text of a new value on a line of an indentation.
func (ed *jsonEditor) laidOut(n jsonvalue.Node, indent string) string {
	var out bytes.Buffer
	w := jsonvalue.NewIndenter(&out, ed.unit)
	w.Node(n, indent)
	w.Flush()
	return strings.ReplaceAll(out.String(), "\n", ed.file.LineEnd)
}

// fitting is the text of a new value beside others: on one line where those are.
func (ed *jsonEditor) fitting(n jsonvalue.Node, sp spacing) string {
	if strings.Contains(sp.between, "\n") {
		return ed.laidOut(n, sp.inner)
	}
	return onOneLine(compact(text(n)))
}

// onOneLine puts a blank behind each colon and comma of compact JSON.
func onOneLine(compact []byte) string {
	var out strings.Builder
	quoted := false
	for i, c := range compact {
		out.WriteByte(c)
		switch {
		case c == '"' && !(quoted && isEscaped(compact, i)):
			quoted = !quoted
		case !quoted && (c == ':' || c == ','):
			out.WriteByte(' ')
		}
	}
	return out.String()
}

// isEscaped tells whether an odd number of backslashes stands before a byte.
func isEscaped(text []byte, at int) bool {
	n := 0
	for at > n && text[at-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// patchedObject keeps the properties that stay, in their order and with what
// stands between them. New ones follow the property that goes before them.
func (ed *jsonEditor) patchedObject(old []byte, n *jsonvalue.Object, s scope, indent string) string {
	parts := partsOf(old)
	if len(parts) == 0 {
		return ed.laidOut(n, indent)
	}
	list := matched(parts, n)
	sp := spacingOf(old, parts, indent, ed.file.LineEnd)
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
		p := parts[m.old]
		out.Write(old[p.key:p.start])
		if within, changed := s.inside(p.name); m.new < 0 || !changed {
			out.Write(old[p.start:p.end])
		} else {
			out.WriteString(ed.patched(old[p.start:p.end], n.Values[m.new], within, inner))
		}
	}
	out.Write(old[parts[len(parts)-1].end:])
	return out.String()
}

// A pairing is a property of the new object and the one that it was; either may
// be none, -1.
type pairing struct{ old, new int }

// matched pairs properties by name, in the order in which they are to stand; of a
// name that comes more than once, in their order. Comments stay where they are, in
// front if the order changed.
func matched(parts []jsonPart, n *jsonvalue.Object) []pairing {
	at := map[string][]int{}
	for i, p := range parts {
		if p.name != "//" {
			at[p.name] = append(at[p.name], i)
		}
	}
	var list []pairing
	inOrder, last := true, -1 // of the properties that stay
	for i, name := range n.Names {
		switch old := at[name]; {
		case name == "//":
		case len(old) == 0:
			list = append(list, pairing{-1, i})
		default:
			list = append(list, pairing{old[0], i})
			inOrder, last = inOrder && old[0] > last, old[0]
			at[name] = old[1:]
		}
	}
	return withComments(list, parts, inOrder)
}

// withComments puts the comments into a list of pairings: each behind all that it
// stood behind, or all in front.
func withComments(list []pairing, parts []jsonPart, inOrder bool) []pairing {
	var all []pairing
	at := 0
	upTo := func(end int) {
		for ; at < end; at++ {
			if parts[at].name == "//" {
				all = append(all, pairing{at, -1})
			}
		}
	}
	if !inOrder {
		upTo(len(parts))
	}
	var added []pairing // behind the property that stays last, and its comments
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

// A spacing is how the parts of an object or an array stand apart.
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
func (ed *jsonEditor) patchedArray(old []byte, n jsonvalue.Array, s scope, indent string) string {
	if old[0] == '{' && len(n) == 1 {
		return ed.patched(old, n[0], s, indent)
	}
	if old[0] == '{' && len(n) > 1 && bytes.Equal(compact(old), compact(text(n[0]))) {
		more := ed.patchedArray([]byte("["+string(old)+"]"), n, s, indent)
		return more
	}
	if old[0] != '[' {
		return ed.laidOut(n, indent)
	}
	parts := partsOf(old)
	if len(parts) == 0 || len(n) == 0 {
		return ed.laidOut(n, indent)
	}
	sp := spacingOf(old, parts, indent, ed.file.LineEnd)
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
