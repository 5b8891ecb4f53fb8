package address

import (
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// An Address names something in a module by segments, the outermost first:
//
//	resource "aws_instance" "web" {     # aws_instance.web
//	  ami = "ami-1"                     # aws_instance.web.ami
//	  provisioner "local-exec" {        # aws_instance.web.provisioner[0], also
//	    command = "true"                # aws_instance.web.provisioner.local-exec
//	  }
//	  tags = {                          # aws_instance.web.tags
//	    "app/name" = "shop"             # aws_instance.web.tags["app/name"]
//	  }
//	}
//
// The zero Address names nothing. Two addresses with the same segments are equal, so that they
// can be the keys of a map. Two that differ may name the same thing, as the two of the
// provisioner do; Find and Pattern.Match settle that.
type Address struct {
	text string // of the segments, as package segments writes it
}

// Parse returns the address that a text is. The type of a block at its start counts as what
// addresses start with instead: variable.region is var.region. It refuses a text with an empty
// segment, and brackets that hold nothing.
func Parse(text string) (Address, error) {
	parts, err := segments.Read(text)
	if err != nil {
		return Address{}, fmt.Errorf("%q is not an address: %w; write one such as aws_instance.web.ami, var.region, module.vpc.source or aws_instance.web.provisioner[0]", text, err)
	}
	var a Address
	for _, p := range shortened(parts) {
		a.text = segments.Append(a.text, p.Segment)
	}
	return a, nil
}

// New returns the address of a path of names.
func New(names ...string) Address { return Address{segments.Join(names...)} }

// Of returns the address of a top-level item.
func Of(item *merge.MergedItem) Address { return Address{item.Address()} }

// OfBlock returns the address of what a top-level block declares.
func OfBlock(m *merge.Module, b *source.Block) Address { return Address{m.Address(b)} }

// InsideOf lists the addresses of what a top-level block holds where those do not go on from the
// block's, as local values'.
func InsideOf(m *merge.Module, b *source.Block) []Address {
	var list []Address
	for _, text := range m.OwnAddresses(b) {
		list = append(list, Address{text})
	}
	return list
}

// String returns the text of the address, which Parse reads. It is printable.
func (a Address) String() string { return a.text }

// Equal reports whether two addresses are the same.
func (a Address) Equal(b Address) bool { return a == b }

// Compare orders addresses by their texts.
func (a Address) Compare(b Address) int { return strings.Compare(a.text, b.text) }

// IsEmpty reports whether the address names nothing.
func (a Address) IsEmpty() bool { return a.text == "" }

// Child returns the address of what a path of names leads to from a: without names a,
// from no address the path itself.
func (a Address) Child(names ...string) Address {
	return Address{segments.Concat(a.text, segments.Join(names...))}
}

// At returns the address of one of several blocks that share a, or of an element, counted from 0.
func (a Address) At(index int) Address { return a.Step(segments.At(index)) }

// Step returns the address that a segment leads to from a.
func (a Address) Step(s segments.Segment) Address { return Address{segments.Append(a.text, s)} }

// Join returns the address that the segments of another one lead to from a.
func (a Address) Join(rest Address) Address { return Address{segments.Concat(a.text, rest.text)} }

// Parent returns a without its last segment; of a single segment, no address.
func (a Address) Parent() Address {
	return Address{a.text[:max(0, lastStart(a.text))]}
}

// Last returns the last segment of an address as it is written without the others.
func (a Address) Last() string {
	return strings.TrimPrefix(a.text[max(0, lastStart(a.text)):], ".")
}

// lastStart is where the last segment starts, with the dot or the bracket.
func lastStart(text string) int {
	switch {
	case strings.HasSuffix(text, `"]`):
		return strings.LastIndex(text, `["`) // inside of quotes there is a backslash between the two
	case strings.HasSuffix(text, "]"):
		return strings.LastIndexByte(text, '[')
	}
	return strings.LastIndexByte(text, '.')
}

// Kind returns a up to its first index: what all blocks that are counted there share.
func (a Address) Kind() Address {
	if strings.IndexByte(a.text, '[') < 0 {
		return a
	}
	var kind Address
	for _, s := range a.Segments() {
		if s.IsIndex() {
			break
		}
		kind = kind.Step(s)
	}
	return kind
}

// In returns how a goes on from another address, empty for a itself. It reports
// whether a is the other one or something inside it.
func (a Address) In(around Address) (Address, bool) {
	rest, ok := strings.CutPrefix(a.text, around.text)
	isIn := ok && (rest == "" || around.IsEmpty() || rest[0] == '.' || rest[0] == '[')
	return Address{strings.TrimPrefix(rest, ".")}, isIn
}

// Next returns the text of a as far as it goes on from a text that it starts with: through the
// segment at hand and the dot behind it.
func (a Address) Next(start string) string {
	for _, p := range a.parts() {
		switch {
		case p.End < len(start) || p.End == len(start) && p.End < len(a.text):
		case p.End < len(a.text) && a.text[p.End] == '.':
			return a.text[:p.End+1]
		default:
			return a.text[:p.End]
		}
	}
	return a.text
}

// Segments takes the address apart.
func (a Address) Segments() []segments.Segment {
	parts := a.parts()
	list := make([]segments.Segment, len(parts))
	for i, p := range parts {
		list[i] = p.Segment
	}
	return list
}

// parts are the segments as they are written; none of no address.
func (a Address) parts() []segments.Part {
	if a.IsEmpty() {
		return nil
	}
	parts, _ := segments.Read(a.text) // it was written by the package
	return parts
}

// Dotted is the address with a dot between all names, whatever characters they have, and indexes
// behind them: how addresses were written before names were quoted. Not every one of these names
// one thing.
func (a Address) Dotted() string {
	var out strings.Builder
	for i, s := range a.Segments() {
		switch {
		case s.IsIndex():
			out.WriteString(segments.Append("", s))
		case i > 0:
			out.WriteString("." + s.Name)
		default:
			out.WriteString(s.Name)
		}
	}
	return out.String()
}

// written returns an address with segments behind it.
func (a Address) written(list []segments.Segment) Address {
	for _, s := range list {
		a = a.Step(s)
	}
	return a
}
