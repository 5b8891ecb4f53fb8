package source

import "github.com/hashicorp/hcl/v2"

// A Place is a point of a file, small since there are many.
type Place struct{ Line, Column, Byte uint32 }

func (p Place) pos() hcl.Pos {
	return hcl.Pos{Line: int(p.Line), Column: int(p.Column), Byte: int(p.Byte)}
}

func placeOf(p hcl.Pos) Place { return Place{uint32(p.Line), uint32(p.Column), uint32(p.Byte)} }

// forward is the position by ASCII bytes later, or earlier if by is negative.
func (p Place) forward(by int) Place {
	return Place{p.Line, uint32(int(p.Column) + by), uint32(int(p.Byte) + by)}
}

// A Span is a stretch of a file.
type Span struct{ Start, End Place }

func spanOf(r hcl.Range) Span { return Span{placeOf(r.Start), placeOf(r.End)} }
