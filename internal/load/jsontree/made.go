package jsontree

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// A Node is a JSON value on its way to be written: Raw, Lines, *Object, Array, Blocks or Property.
type Node interface {
	// IsBlocks reports whether the value is nested blocks, and not the value of an argument.
	IsBlocks() bool
}

// Raw is JSON text.
type Raw []byte

// Lines is JSON text that Indented made with an empty prefix and the unit of Write.
type Lines string

// Array is a JSON array.
type Array []Node

// Blocks is the array of nested blocks of one type.
type Blocks Array

// Property is the JSON text of nested blocks of one type, which may be meant for an argument.
type Property Raw

// IsBlocks implements Node. Only Blocks and Property hold nested blocks.
func (Raw) IsBlocks() bool { return false }

// IsBlocks implements Node: not nested blocks.
func (Lines) IsBlocks() bool { return false }

// IsBlocks implements Node: not nested blocks.
func (Array) IsBlocks() bool { return false }

// IsBlocks implements Node: not nested blocks.
func (*Object) IsBlocks() bool { return false }

// IsBlocks implements Node: nested blocks, for certain.
func (Blocks) IsBlocks() bool { return true }

// IsBlocks implements Node: nested blocks, though the value may be meant for an argument.
func (Property) IsBlocks() bool { return true }

// Blocks takes the property apart into its nested blocks: the elements of an array, an object as the only block,
// none for null.
func (p Property) Blocks() (list Blocks) {
	v := NewReader(p).Root()
	if v.Kind() == '{' {
		return Blocks{Raw(p)}
	}
	for c := range v.Children() {
		list = append(list, Raw(c.Raw()))
	}
	return list
}

// AddBlocks adds nested blocks of type typ after those that the object has already. If typ names an argument, the
// blocks become a separate property of the same name.
func (o *Object) AddBlocks(typ string, more ...Node) {
	i := o.Find(typ)
	if i < 0 {
		o.Add(typ, Blocks(more))
		return
	}
	switch before := o.Values[i].(type) {
	case Blocks:
		o.Values[i] = append(before, more...)
	case Property:
		o.Values[i] = append(before.Blocks(), more...)
	default: // an argument
		o.Add(typ, Blocks(more))
	}
}

// An Object is a JSON object whose members keep their order. Several may have one name: comments may, and
// so may blocks whose order JSON can't express otherwise.
type Object struct {
	Names  []string
	Values []Node
	index  map[string]int // nil if there are few
}

// few is the number of members up to which an object needs no index: Find looks at each.
const few = 12

// Add adds a member after the others, even if one with the name is there.
func (o *Object) Add(name string, value Node) {
	o.Names = append(o.Names, name)
	o.Values = append(o.Values, value)
	if o.index != nil {
		o.index[name] = len(o.Names) - 1
	} else if len(o.Names) > few {
		o.reindex()
	}
}

// Find returns the index of the last member with a name, or -1.
func (o *Object) Find(name string) int {
	if o.index == nil {
		for i := len(o.Names) - 1; i >= 0; i-- {
			if o.Names[i] == name {
				return i
			}
		}
		return -1
	}
	if i, ok := o.index[name]; ok {
		return i
	}
	return -1
}

// Get returns the value of the last member with a name, or nil.
func (o *Object) Get(name string) Node {
	if i := o.Find(name); i >= 0 {
		return o.Values[i]
	}
	return nil
}

// Under returns the object under a name. If there is none, it adds an empty one.
func (o *Object) Under(name string) *Object {
	if inner, ok := o.Get(name).(*Object); ok {
		return inner
	}
	inner := &Object{}
	o.Add(name, inner)
	return inner
}

// Put adds a value under a name. A second one makes an array of both, further ones go into that array.
func (o *Object) Put(name string, value Node) {
	i := o.Find(name)
	if i < 0 {
		o.Add(name, value)
		return
	}
	if several, ok := o.Values[i].(Array); ok {
		o.Values[i] = append(several, value)
	} else {
		o.Values[i] = Array{o.Values[i], value}
	}
}

// Remove deletes the last member with a name, if there is one.
func (o *Object) Remove(name string) {
	if i := o.Find(name); i >= 0 {
		o.Names = slices.Delete(o.Names, i, i+1)
		o.Values = slices.Delete(o.Values, i, i+1)
		o.reindex()
	}
}

// reindex rebuilds the index after members have moved. A small object gets none.
func (o *Object) reindex() {
	if len(o.Names) <= few {
		o.index = nil
		return
	}
	o.index = make(map[string]int, len(o.Names))
	for i, n := range o.Names {
		o.index[n] = i
	}
}

// MoveBefore moves the member called name to just before the one called other, unless it precedes that
// already. Both must be there.
func (o *Object) MoveBefore(name, other string) {
	from, to := o.Find(name), o.Find(other)
	if from < to {
		return
	}
	value := o.Values[from]
	o.Names = slices.Insert(slices.Delete(o.Names, from, from+1), to, name)
	o.Values = slices.Insert(slices.Delete(o.Values, from, from+1), to, value)
	o.reindex()
}

// Text returns a node as JSON text without blanks between its parts. Raw nodes stay as they are.
func Text(n Node) []byte {
	var out bytes.Buffer
	(&printer{out: &out, isDense: true}).node(n, "")
	return out.Bytes()
}

// Write writes a value indented by two blanks for each level, and a line end. It panics if a Raw or
// Property is not valid JSON, as Indented does.
func Write(w io.Writer, n Node) error {
	out := bufio.NewWriter(w)
	(&printer{out: out, unit: textedit.IndentUnit}).node(n, "")
	out.WriteByte('\n')
	return out.Flush()
}

// Indented returns the text of a value that starts on a line indented by prefix, with one unit more for
// each level. It overwrites buffer, which callers reuse.
func Indented(n Node, unit, prefix string, buffer *bytes.Buffer) string {
	buffer.Reset()
	(&printer{out: buffer, unit: unit}).node(n, prefix)
	return buffer.String()
}

// A printer writes nodes, dense or with a unit of indentation for each level.
type printer struct {
	out interface {
		io.Writer
		io.ByteWriter
		io.StringWriter
	}
	unit    string // one level of indentation
	isDense bool   // without blanks and line ends
}

// node writes n at the current position, on a line indented by prefix. It lays out Raw text anew; Lines, which are
// laid out already, only need the prefix.
func (p *printer) node(n Node, prefix string) {
	switch n := n.(type) {
	case Array:
		p.list('[', ']', len(n), prefix, func(i int, prefix string) { p.node(n[i], prefix) })
	case *Object:
		p.list('{', '}', len(n.Names), prefix, func(i int, prefix string) {
			p.out.Write(Quote(n.Names[i]))
			p.out.WriteByte(':')
			if !p.isDense {
				p.out.WriteByte(' ')
			}
			p.node(n.Values[i], prefix)
		})
	case Blocks:
		p.node(Array(n), prefix)
	case Property:
		p.node(Raw(n), prefix)
	case Lines: // no string has a line end in it
		p.out.WriteString(strings.ReplaceAll(string(n), "\n", "\n"+prefix))
	case Raw:
		if p.isDense || n[0] != '{' && n[0] != '[' { // a value without parts has nothing to indent
			p.out.Write(n)
			return
		}
		var laid bytes.Buffer
		if err := json.Indent(&laid, n, prefix, p.unit); err != nil {
			panic("jsontree: made invalid JSON: " + err.Error())
		}
		p.out.Write(laid.Bytes())
	}
}

// list writes n items in brackets, each on its own line unless the printer is dense. item writes the item with index
// i and gets the indentation of its line.
func (p *printer) list(open, closing byte, n int, prefix string, item func(i int, prefix string)) {
	p.out.WriteByte(open)
	start := "\n" + prefix + p.unit // of each item's line
	for i := range n {
		if i > 0 {
			p.out.WriteByte(',')
		}
		if !p.isDense {
			p.out.WriteString(start)
		}
		item(i, start[1:]) // without the line end
	}
	if n > 0 && !p.isDense {
		p.out.WriteString("\n" + prefix)
	}
	p.out.WriteByte(closing)
}

// Quote writes a string as JSON, with as few escapes as JSON allows. It escapes invisible characters such as U+FEFF,
// too.
func Quote(s string) Raw {
	out := append(make(Raw, 0, len(s)+2), '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r >= ' ' && r <= '~':
			out = append(out, byte(r))
		case r == '\n':
			out = append(out, `\n`...)
		case r == '\r':
			out = append(out, `\r`...)
		case r == '\t':
			out = append(out, `\t`...)
		case r < 0x20 || r == 0x7f || r == 0xfeff || r == 0x2028 || r == 0x2029:
			const digits = "0123456789abcdef"
			out = append(out, '\\', 'u', digits[r>>12], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return slices.Clip(append(out, '"'))
}
