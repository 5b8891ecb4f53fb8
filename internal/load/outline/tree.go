package outline

import "github.com/hashicorp/hcl/v2"

// A Place is a position in a text, small since there are many. Line and Column, in grapheme
// clusters, start at 1, Byte starts at 0.
type Place struct{ Line, Column, Byte uint32 }

// Pos is the place as package hcl has it.
func (p Place) Pos() hcl.Pos {
	return hcl.Pos{Line: int(p.Line), Column: int(p.Column), Byte: int(p.Byte)}
}

// Forward is the place by ASCII bytes later on the line, or earlier if by is negative.
func (p Place) Forward(by int) Place {
	return Place{p.Line, uint32(int(p.Column) + by), uint32(int(p.Byte) + by)}
}

func placeOf(p hcl.Pos) Place { return Place{uint32(p.Line), uint32(p.Column), uint32(p.Byte)} }

// A Span is a part of a text.
type Span struct{ Start, End Place }

// SpanOf is the part of a text that a range covers.
func SpanOf(r hcl.Range) Span { return Span{placeOf(r.Start), placeOf(r.End)} }

// In is the range of the span in a file.
func (s Span) In(file string) hcl.Range {
	return hcl.Range{Filename: file, Start: s.Start.Pos(), End: s.End.Pos()}
}

// Of is the part of a text that the span covers. It shares the text's memory.
func (s Span) Of(text []byte) []byte { return text[s.Start.Byte:s.End.Byte] }

// An Item is an argument or a block.
type Item struct {
	Name  Span // of the argument; the type of the block
	Value Span // the argument's expression; from the block's opening brace through the closing one
	// The labels of a block are Tree.Labels[FirstLabel:EndLabel].
	FirstLabel, EndLabel uint32
	// Inner is the number of the following items that are inside the block, at any depth.
	Inner   uint32
	IsBlock bool
}

// A Tree is a block and all items in it.
type Tree struct {
	Items  []Item // the block itself and, after it, everything in it, in source order
	Labels []Span // of all blocks, in source order, with their quotes
	// Texts are the labels as the language reads them; nil if each equals its text without quotes.
	Texts []string
}

// After is the index of the item after an item and all that is in it.
func (t *Tree) After(i int) int { return i + 1 + int(t.Items[i].Inner) }
