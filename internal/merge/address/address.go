package address

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// An Address names something in a module by segments with dots between them, the
// outermost first:
//
//	resource "aws_instance" "web" {     # aws_instance.web
//	  ami = "ami-1"                     # aws_instance.web.ami
//	  provisioner "local-exec" {        # aws_instance.web.provisioner[0], also
//	    command = "true"                # aws_instance.web.provisioner.local-exec
//	  }
//	}
//
// It is the text as people write it. Two addresses may name the same thing, as
// variable.region and var.region do; Segments and Pattern.Match settle that.
type Address string

// A Segment is one part of an address.
type Segment struct {
	Name  string // empty where an index alone goes on from what is named
	Index int    // counts blocks from 0; -1 for none
}

// Parse returns the address that a text is. It refuses a text with an empty segment,
// and one with anything in brackets but a whole number.
func Parse(text string) (Address, error) {
	a := Address(text)
	_, err := a.Segments()
	return a, err
}

// Of returns the address of a top-level item.
func Of(item *merge.MergedItem) Address { return Address(item.Address()) }

// OfBlock returns the address of what a top-level block declares.
func OfBlock(m *merge.Module, b *source.Block) Address { return Address(m.Address(b)) }

// String returns the text of the address.
func (a Address) String() string { return string(a) }

// Child returns the address of what a path of names leads to from a: without names a,
// from no address the path itself.
func (a Address) Child(names ...string) Address {
	path := Address(strings.Join(names, "."))
	switch {
	case len(names) == 0:
		return a
	case a == "":
		return path
	}
	return a + "." + path
}

// At returns the address of one of several blocks that share a, counted from 0.
func (a Address) At(index int) Address { return a + Address("["+strconv.Itoa(index)+"]") }

// Parent returns a without its last segment; of a single segment, no address.
func (a Address) Parent() Address { return a[:max(0, strings.LastIndexByte(string(a), '.'))] }

// Kind returns a up to its first index: what all blocks that are counted there share.
func (a Address) Kind() Address {
	kind, _, _ := strings.Cut(string(a), "[")
	return Address(kind)
}

// In returns how a goes on from another address, empty for a itself. It reports
// whether a is the other one or something inside it.
func (a Address) In(around Address) (Address, bool) {
	rest, ok := strings.CutPrefix(string(a), string(around))
	return Address(strings.TrimPrefix(rest, ".")), ok && (rest == "" || rest[0] == '.')
}

// Next returns a as far as it goes on from a text that it starts with: up to the next
// dot, which is included, or to its end.
func (a Address) Next(start string) Address {
	if dot := strings.IndexByte(string(a[len(start):]), '.'); dot >= 0 {
		return a[:len(start)+dot+1]
	}
	return a
}

// texts yields the segments as they are written.
func (a Address) texts() iter.Seq[string] { return strings.SplitSeq(string(a), ".") }

// Segments takes the address apart. The type of a block at its start counts as what
// addresses start with instead. It returns an error where Parse does.
func (a Address) Segments() ([]Segment, error) {
	var list []Segment
	first, single := true, !strings.Contains(string(a), ".")
	for part := range a.texts() {
		s, err := a.segment(part)
		if err != nil {
			return nil, err
		}
		if short, ok := shortForm(s.Name); ok && first && !single {
			s.Name = short
		}
		if first = false; s.Name != "" {
			list = append(list, s)
		}
	}
	return list, nil
}

// segment reads one part of the address.
func (a Address) segment(part string) (Segment, error) {
	s := Segment{Name: part, Index: -1}
	if name, number, ok := strings.Cut(part, "["); ok {
		n, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
		if err != nil || n < 0 || !strings.HasSuffix(number, "]") {
			return s, fmt.Errorf("%q is not an address: brackets hold the number of a nested block, as in aws_instance.web.provisioner[0], not a key of count or for_each", string(a))
		}
		s = Segment{name, n}
	}
	if s.Name == "" {
		return s, fmt.Errorf("%q is not an address; write one such as aws_instance.web.ami, var.region, module.vpc.source or terraform.backend", string(a))
	}
	return s, nil
}

// written returns an address with segments behind it.
func (a Address) written(segments []Segment) Address {
	for _, s := range segments {
		if s.Name != "" {
			a = a.Child(s.Name)
		}
		if s.Index >= 0 {
			a = a.At(s.Index)
		}
	}
	return a
}
