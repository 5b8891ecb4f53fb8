package feature

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Completion in JSON inserts a property with its quotes, its value and the commas around it, so
// the file stays valid.

// completeJSON adds the properties that may be written at the cursor.
func (k *completer) completeJSON() {
	path := k.json.path()
	if slices.Contains(path, "//") {
		return
	}
	inner := k.json.around[len(k.json.around)-1]
	labels := 0
	for _, b := range k.bases.list {
		switch n := len(path); {
		case n == 0:
			k.property(inner, b.Type, "")
			continue
		case b.Type != path[0] || !isPrefix(path[1:], b.Labels):
			continue
		case n <= len(b.Labels):
			k.property(inner, b.Labels[n-1], wording.Place(b))
		default:
			labels = len(b.Labels) + 1
		}
	}
	if labels == 0 {
		return
	}
	k.around = []*writtenBlock{{}, {typ: path[0], labels: escaped(path[1:labels]), has: k.json.around[labels].has}}
	if k.nest(path[labels:]) {
		k.members()
	}
}

// isPrefix reports whether one of the lists is a prefix of the other.
func isPrefix(path, labels []string) bool {
	n := min(len(path), len(labels))
	return slices.Equal(path[:n], labels[:n])
}

// nest adds the nested blocks along a path of properties to those around the cursor. It fails if
// the path is inside the value of an argument.
func (k *completer) nest(path []string) bool {
	bodies := k.based()
	for len(path) > 0 {
		made := nestedAlong(bodies, path)
		if made == nil {
			return false
		}
		path = path[1+len(made.labels):]
		made.has = k.json.around[len(k.json.around)-1-len(path)].has
		made.labels = escaped(made.labels)
		k.around = append(k.around, made)
		bodies = nestedIn(bodies, made)
	}
	return true
}

// nestedAlong returns the type and the labels with which a path starts, or nil if no body has
// such a nested block.
func nestedAlong(bodies []*source.Block, path []string) *writtenBlock {
	along := nestedThat(bodies, func(b *source.Block) bool {
		names := append([]string{b.Type}, b.Labels...)
		return len(names) <= len(path) && slices.Equal(names, path[:len(names)])
	})
	if len(along) == 0 {
		return nil
	}
	return &writtenBlock{typ: along[0].Type, labels: along[0].Labels}
}

// property adds a property whose value is an object.
func (k *completer) property(inner *jsonFrame, name, detail string) {
	if inner.has[name] || !k.fits(name) {
		return
	}
	inner.has[name] = true
	k.addProperty(protocol.CompletionItem{Label: name, Kind: protocol.CompleteClass, Detail: detail}, name, "{", "", "}")
}

// jsonArgument adds an argument with its value in the primary file.
func (k *completer) jsonArgument(item protocol.CompletionItem, a *source.Attr) {
	value := `""`
	if !k.redact.Hides(a) {
		text := string(jsonvalue.Text(jsonout.Value(a, k.shape())))
		if len(text) <= maxInserted {
			value = text
		}
		if shown := a.Display(); string(shown) != short(k.redact.Value(a)) { // which the detail has
			item.Documentation = documentationOf(shown)
		}
	}
	k.addProperty(item, a.Name, "", value, "")
}

// shape returns the shape of the block around the cursor.
func (k *completer) shape() *language.BodyShape {
	known, _ := language.Of(k.file.Engine).Block(k.around[1].typ)
	for _, w := range k.around[2:] {
		known, _ = known.Body.Inner(&source.Block{Type: w.typ, Labels: w.labels})
	}
	return known.Body
}

// jsonNested adds an empty nested block.
func (k *completer) jsonNested(item protocol.CompletionItem, path string, b *source.Block) {
	if b.Type == source.DynamicBlock {
		return
	}
	if r := rules.Of(path, k.file.Engine); r == nil || r.Do != rules.Merge {
		item.Detail += ", replaced as a whole"
	}
	before, after := "{", "}"
	for _, l := range b.Labels {
		before, after = before+string(jsonvalue.Quote(l))+": {", after+"}"
	}
	k.addProperty(item, b.Called(), before, "", after)
}

// addProperty adds a property. The part of its value between before and after is a placeholder
// in snippets.
func (k *completer) addProperty(item protocol.CompletionItem, name, before, filled, after string) {
	c := k.json
	quoted := string(jsonvalue.Quote(name))
	item.FilterText = name
	if c.isQuoted {
		item.FilterText = strings.TrimSuffix(quoted, `"`)
	}
	if c.comma >= 0 {
		item.AdditionalTextEdits = []protocol.TextEdit{{
			Range: k.view.Text(k.file.Name).Range(c.comma, c.comma, k.view.Encoding), NewText: ",",
		}}
	}
	if c.hasValue {
		k.add(item, quoted)
		return
	}
	if c.isBefore {
		after += ","
	}
	k.snippet(item, quoted+": "+before, filled, after)
}
