package feature

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// How an item of a file is found in the text of the effective configuration.

// A way leads to an item: the type and the labels of a top-level block, and the names of what
// is in it.
type way struct {
	block []string
	inner []string
	alias string // of a provider configuration, as it is written
}

// pathOf is the way to an item.
func pathOf(it source.Item) way {
	var w way
	for it.Within() != nil {
		w.inner = append(w.inner, it.Called())
		it = it.Within()
	}
	slices.Reverse(w.inner)
	b, ok := it.(*source.Block)
	if !ok {
		return w
	}
	w.block = append([]string{b.Type}, b.Labels...)
	if alias := b.Tree().Body.Attr("alias"); alias != nil {
		w.alias = string(alias.Display())
	}
	return w
}

// find is the stretch of a text that names an item: the best there is, if the text has the
// block.
func find(text []byte, w way, isJSON bool) (at [2]int, ok bool) {
	if len(w.block) == 0 {
		return at, false
	}
	if isJSON {
		at, depth := w.findJSON(text, 0, append(slices.Clone(w.block), w.inner...))
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
		if bytes.HasPrefix(text[from:], []byte(w.block[0])) {
			scan.Resume(outline.Place{Line: line + 1, Column: 1, Byte: uint32(from)})
			if scan.Next() == outline.Found && slices.Equal(headerOf(text, scan), w.block) {
				if found, depth := w.in(text, scan); depth > best {
					at, best = found, depth
				}
			}
		}
		if best == len(w.inner)+1 {
			break
		}
		from = end
	}
	return at, best >= 0
}

// headerOf is the type and the labels of the block that a scanner found.
func headerOf(text []byte, scan *outline.Scanner) []string {
	b := scan.Items[0]
	list := []string{string(text[b.Name.Start.Byte:b.Name.End.Byte])}
	for _, l := range scan.Labels[b.FirstLabel:b.EndLabel] {
		list = append(list, string(bytes.Trim(text[l.Start.Byte:l.End.Byte], `"`)))
	}
	return list
}

// in is where the item is, or what is around it, in the block that a scanner found, and how
// far the way led: one more than its names if there is nothing better.
func (w way) in(text []byte, scan *outline.Scanner) (at [2]int, depth int) {
	named := func(it outline.Item) string { return string(text[it.Name.Start.Byte:it.Name.End.Byte]) }
	span := func(s outline.Span) [2]int { return [2]int{int(s.Start.Byte), int(s.End.Byte)} }
	at = span(scan.Items[0].Name)
	alias, items := "", scan.Items[1:1+scan.Items[0].Inner]
	for i := 0; i < len(items); i += 1 + int(items[i].Inner) {
		if named(items[i]) == "alias" {
			alias = string(text[items[i].Value.Start.Byte:items[i].Value.End.Byte])
		}
	}
	for _, name := range w.inner {
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
	if alias == w.alias {
		depth++
	}
	return at, depth
}

// findJSON is the stretch of the last key of a path that a JSON text has, and how far the path
// led. Of an array the element counts that leads furthest.
func (w way) findJSON(text []byte, base int, keys []string) (at [2]int, depth int) {
	dec := json.NewDecoder(bytes.NewReader(text))
	opening, err := dec.Token()
	if err != nil || len(keys) == 0 {
		return at, 0
	}
	for dec.More() {
		name, keyEnd := "", 0
		if opening == json.Delim('{') {
			key, err := dec.Token()
			if err != nil {
				break
			}
			name, keyEnd = key.(string), int(dec.InputOffset())
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			break
		}
		start := int(dec.InputOffset()) - len(value)
		switch {
		case opening == json.Delim('[') && len(keys) == len(w.inner) && aliasIn(value) != w.alias:
		case opening == json.Delim('['):
			if inner, n := w.findJSON(value, base+start, keys); n > depth {
				at, depth = inner, n
			}
		case name == keys[0]:
			keyStart := keyEnd - 1 - len(name) - 1 // of a key without escapes
			at, depth = [2]int{base + max(0, keyStart), base + keyEnd}, 1
			if inner, n := w.findJSON(value, base+start, keys[1:]); n > 0 {
				at, depth = inner, n+1
			}
			return at, depth
		}
	}
	return at, depth
}

// aliasIn is the alias that a JSON text has which is the body of a block.
func aliasIn(body []byte) string {
	var b struct {
		Alias json.RawMessage `json:"alias"`
	}
	_ = json.Unmarshal(body, &b) // what is no body has none
	return string(b.Alias)
}
