package feature

import (
	"bytes"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Finding an item of a file in the text of the effective configuration.

// An itemPath is the path to an item.
type itemPath struct {
	block []string // type and labels of the top-level block
	inner []string // names of the nested blocks and the item in it
	alias string   // of a provider configuration, as in the source
}

func pathOf(it source.Item) itemPath {
	var p itemPath
	for it.Within() != nil {
		p.inner = append(p.inner, it.Called())
		it = it.Within()
	}
	slices.Reverse(p.inner)
	b, ok := it.(*source.Block)
	if !ok {
		return p
	}
	p.block = append([]string{b.Type}, b.Labels...)
	if alias := b.Attr("alias"); alias != nil {
		p.alias = string(alias.Display())
	}
	return p
}

// find returns the range of the name of an item in a text or, if the text doesn't have the
// item, of the innermost block around it. It reports false if the text doesn't have the
// top-level block.
func (p itemPath) find(text []byte, isJSON bool) (at [2]int, ok bool) {
	if len(p.block) == 0 {
		return at, false
	}
	if isJSON {
		at, depth := p.findJSON(jsontree.NewReader(text).Root(), append(slices.Clone(p.block), p.inner...))
		return at, depth > 0
	}
	best := -1
	scan := outline.NewScanner(text)
	line := uint32(0)
	for from := 0; from < len(text); line++ {
		end := len(text)
		if n := bytes.IndexByte(text[from:], '\n'); n >= 0 {
			end = from + n + 1
		}
		if bytes.HasPrefix(text[from:], []byte(p.block[0])) {
			scan.Resume(outline.Place{Line: line + 1, Column: 1, Byte: uint32(from)})
			if scan.Next() == outline.Found && slices.Equal(headerOf(text, scan), p.block) {
				if found, depth := p.in(text, scan); depth > best {
					at, best = found, depth
				}
			}
		}
		if best == len(p.inner)+1 {
			break
		}
		from = end
	}
	return at, best >= 0
}

// headerOf returns the type and the labels of the block that a scanner found.
func headerOf(text []byte, scan *outline.Scanner) []string {
	b := scan.Items[0]
	list := []string{string(text[b.Name.Start.Byte:b.Name.End.Byte])}
	for _, l := range scan.Labels[b.FirstLabel:b.EndLabel] {
		list = append(list, string(bytes.Trim(text[l.Start.Byte:l.End.Byte], `"`)))
	}
	return list
}

// in finds the item, or the innermost block around it, in the top-level block that a scanner
// found. depth is how many names of p.inner the block has, and one more for all of them in a
// block with the right alias.
func (p itemPath) in(text []byte, scan *outline.Scanner) (at [2]int, depth int) {
	named := func(it outline.Item) string { return string(text[it.Name.Start.Byte:it.Name.End.Byte]) }
	span := func(s outline.Span) [2]int { return [2]int{int(s.Start.Byte), int(s.End.Byte)} }
	at = span(scan.Items[0].Name)
	alias, items := "", scan.Items[1:1+scan.Items[0].Inner]
	for i := 0; i < len(items); i += 1 + int(items[i].Inner) {
		if named(items[i]) == "alias" {
			alias = string(text[items[i].Value.Start.Byte:items[i].Value.End.Byte])
		}
	}
	for _, name := range p.inner {
		isThere := false
		for i := 0; i < len(items); i += 1 + int(items[i].Inner) {
			if named(items[i]) == name {
				at, isThere = span(items[i].Name), true
				items = items[i+1 : i+1+int(items[i].Inner)]
				break
			}
		}
		if !isThere {
			return at, depth
		}
		depth++
	}
	if alias == p.alias {
		depth++
	}
	return at, depth
}

// findJSON follows keys from object to object in a JSON value as far as they exist, and returns the
// range of the last one and how many exist. In an array it follows the element that has the most.
func (p itemPath) findJSON(v jsontree.Value, keys []string) (at [2]int, depth int) {
	if len(keys) == 0 {
		return at, 0
	}
	isArray := v.Kind() == '['
	for inner := range v.Children() {
		switch {
		case isArray && len(keys) == len(p.inner) && aliasIn(inner) != p.alias:
		case isArray:
			if found, n := p.findJSON(inner, keys); n > depth {
				at, depth = found, n
			}
		case inner.Name() == keys[0]:
			key := inner.Key()
			if found, n := p.findJSON(inner, keys[1:]); n > 0 {
				return found, n + 1
			}
			return [2]int{int(key[0]), int(key[1])}, 1
		}
	}
	return at, depth
}

// aliasIn is the alias in the body of a block in JSON, as in the source; empty if there is none.
func aliasIn(body jsontree.Value) string {
	alias := ""
	if body.Kind() == '{' {
		for p := range body.Children() {
			if p.Name() == "alias" {
				alias = string(p.Raw())
			}
		}
	}
	return alias
}
