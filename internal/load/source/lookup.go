package source

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// ItemAt is the innermost item at an offset of File.Raw, or nil.
func (f *File) ItemAt(at int) Item {
	i, _ := slices.BinarySearchFunc(f.stubs, at, func(s stub, at int) int { return int(s.end.Byte) - at - 1 })
	if f.Syntax == JSON {
		i, _ = slices.BinarySearchFunc(f.origins, at, func(o Origin, at int) int { return int(o.Value[1]) - at - 1 })
	}
	if i == f.Len() {
		return nil
	}
	if from, _ := Spread(f.header(i)); at < from {
		return nil
	}
	return innermost(f.Block(i), at)
}

// innermost is the innermost item at an offset in a block. Several that share the
// key of a JSON file end one after the other.
func innermost(b *Block, at int) Item {
	items := b.Items()
	i, _ := slices.BinarySearchFunc(items, at, func(it Item, at int) int {
		_, to := Spread(it)
		return to - at - 1
	})
	if i == len(items) {
		return b
	}
	it := items[i]
	if from, _ := Spread(it); at < from {
		return b
	}
	if inner, ok := it.(*Block); ok {
		return innermost(inner, at)
	}
	return it
}

// CommentsIn lists the comments in a text of native syntax.
func CommentsIn(text []byte) []string {
	var list []string
	parse.EachToken(text, "", hcl.InitialPos, func(t hclsyntax.Token) {
		if t.Type == hclsyntax.TokenComment {
			list = append(list, string(t.Bytes))
		}
	})
	return list
}

// Offset is the offset in File.Raw of a column of a line, both starting at 1 and columns in
// characters. For column 0 it is the start of the line's text. It is negative if the file has no
// such line; lines is the number of lines.
func (f *File) Offset(line, column int) (at, lines int) {
	lines = bytes.Count(f.Raw, []byte("\n"))
	if len(f.Raw) > 0 && f.Raw[len(f.Raw)-1] != '\n' {
		lines++
	}
	if line < 1 || line > lines {
		return -1, lines
	}
	rest := f.Raw
	for range line - 1 {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	at = len(f.Raw) - len(rest)
	text, _, _ := bytes.Cut(rest, []byte("\n"))
	if column == 0 {
		return at + len(text) - len(bytes.TrimLeft(text, " \t")), lines
	}
	for n := 1; n < column && len(text) > 0; n++ {
		_, size := utf8.DecodeRune(text)
		at, text = at+size, text[size:]
	}
	return at, lines
}
