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

// Parse returns the address written in a text. A block type at its start is replaced by the address
// prefix: variable.region is var.region. It refuses a text with an empty segment, and empty
// brackets.
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

// OfBlock returns the address of a top-level block's declaration.
func OfBlock(m *merge.Module, b *source.Block) Address { return Address{m.Address(b)} }

// InsideOf lists the addresses of a top-level block's items if they do not continue the block's
// address, like those of local values.
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

// Child returns the address with names appended: without names a itself, for an empty address the
// path of names.
func (a Address) Child(names ...string) Address {
	return Address{segments.Concat(a.text, segments.Join(names...))}
}

// At returns the address of one of several blocks that share a, or of an element; indexes start at
// 0.
func (a Address) At(index int) Address { return a.Step(segments.At(index)) }

// Step returns the address with a segment appended.
func (a Address) Step(s segments.Segment) Address { return Address{segments.Append(a.text, s)} }

// Join returns the address with the segments of another one appended.
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

// Kind returns a up to its first index: the address shared by all blocks numbered there.
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

// In returns the rest of a after another address, empty for a itself. It reports whether a is the
// other address or inside it.
func (a Address) In(around Address) (Address, bool) {
	rest, ok := strings.CutPrefix(a.text, around.text)
	isIn := ok && (rest == "" || around.IsEmpty() || rest[0] == '.' || rest[0] == '[')
	return Address{strings.TrimPrefix(rest, ".")}, isIn
}

// Next returns the text of a up to the next completion after start: through the current segment and
// the dot behind it.
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

// Dotted is the address with a dot between all names, whatever characters they contain, and indexes
// behind them: the spelling of addresses before names were quoted. It can be ambiguous.
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

// with returns an address with segments behind it.
func (a Address) with(list []segments.Segment) Address {
	for _, s := range list {
		a = a.Step(s)
	}
	return a
}
