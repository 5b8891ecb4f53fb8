package feature

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Limits on values, in bytes.
const (
	maxShown    = 2000 // in the documentation of an item
	maxInserted = 8000 // in the text of an item
)

// members adds the arguments and blocks that the primary files have in the block around the
// cursor, and that this block lacks.
func (k *completer) members() {
	path := k.around[1].typ
	bodies := k.based()
	for _, w := range k.around[2:] {
		path += "/" + w.typ
		bodies = nestedIn(bodies, w)
	}
	done := map[string]bool{}
	for _, b := range bodies {
		for _, it := range b.Items() {
			name := it.Called()
			if done[name] || !hclsyntax.ValidIdentifier(name) || !k.isWanted(path, name) {
				continue
			}
			done[name] = true
			if a, ok := it.(*source.Attr); ok {
				k.argument(a)
				continue
			}
			// dynamic blocks are called after their labels
			k.nested(path+"/"+name, nestedThat(bodies, func(b *source.Block) bool { return b.Called() == name }))
		}
	}
}

// isWanted reports whether the block around the cursor lacks a name, and an override of it can
// have an effect.
func (k *completer) isWanted(path, name string) bool {
	return !k.around[len(k.around)-1].has[name] && k.fits(name) && isOverridable(k.file, path+"/"+name)
}

// based returns the top-level blocks of primary files that the one around the cursor overrides.
// An argument such as alias may tell several apart: then it returns those that have it if the
// block around the cursor has it, or else those that don't.
func (k *completer) based() []*source.Block {
	top := k.around[1]
	var list []*source.Block
	for _, b := range k.bases.list {
		if b.Type == top.typ && slices.Equal(escaped(b.Labels), top.labels) {
			list = k.bases.byKey[b.Address()]
			break
		}
	}
	fitting := slices.DeleteFunc(slices.Clone(list), func(b *source.Block) bool {
		return slices.ContainsFunc(k.bases.types[b.Type].identifiers, func(name string) bool {
			return (b.Attr(name) != nil) != top.has[name]
		})
	})
	if len(fitting) == 0 {
		return list
	}
	return fitting
}

// nestedIn returns the nested blocks with the type and the labels of w.
func nestedIn(bodies []*source.Block, w *writtenBlock) []*source.Block {
	return nestedThat(bodies, func(b *source.Block) bool {
		return b.Type == w.typ && slices.Equal(escaped(b.Labels), w.labels)
	})
}

// nestedThat returns the nested blocks that a function selects.
func nestedThat(bodies []*source.Block, selects func(*source.Block) bool) []*source.Block {
	var list []*source.Block
	for _, b := range bodies {
		for _, it := range b.Items() {
			if nested, ok := it.(*source.Block); ok && selects(nested) {
				list = append(list, nested)
			}
		}
	}
	return list
}

// argument adds an argument with its value in the primary file, for the user to change.
func (k *completer) argument(a *source.Attr) {
	item := protocol.CompletionItem{
		Label: a.Name, Kind: protocol.CompleteProperty,
		Detail: short(k.redact.Value(a)) + " (" + wording.Place(a) + ")",
	}
	rest := strings.TrimSpace(k.rest)
	text := ""
	if at := a.Value(); !k.redact.Hides(a) && at.End.Byte-at.Start.Byte <= maxInserted {
		text = k.relocated(a, a.Value())
		if shown := a.Display(); string(shown) != short(k.redact.Value(a)) { // which the detail has
			item.Documentation = documentationOf(shown)
		}
	}
	switch {
	case strings.HasPrefix(rest, "="):
		k.add(item, a.Name)
	case strings.HasPrefix(text, "<<") && rest != "":
		k.add(item, a.Name+" = ") // nothing may follow the end of a heredoc
	default:
		k.snippet(item, a.Name+" = ", text, "")
	}
}

// nested adds the nested blocks with a name: an empty block if an override merges with them, or
// else a copy of all, since an override replaces all of them.
func (k *completer) nested(path string, blocks []*source.Block) {
	b := blocks[0]
	item := protocol.CompletionItem{Label: b.Called(), Kind: protocol.CompleteClass, Detail: wording.CountOf(items(blocks))}
	if rest := strings.TrimSpace(k.rest); strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, `"`) {
		k.add(item, b.Called())
		return
	}
	var texts []string
	for _, b := range blocks {
		texts = append(texts, k.relocated(b, b.Extent()))
	}
	text := strings.Join(texts, k.file.LineEnd+k.indent)
	r := rules.Of(path, k.file.Engine)
	if r != nil && r.Do == rules.Merge || len(text) > maxInserted || k.hidesIn(blocks) {
		k.snippet(item, headerText(b)+" {"+k.file.LineEnd, "", k.file.LineEnd+k.indent+"}")
		return
	}
	item.Documentation = documentationOf([]byte(text))
	item.InsertTextFormat = protocol.InsertPlain
	k.add(item, text)
}

// relocated is a part of an item, indented for the position of the cursor.
func (k *completer) relocated(it source.Item, at hcl.Range) string {
	src := it.Source().Native
	return textedit.Relocate(it.Source().Text(at), textedit.IndentAt(src, it.Extent().Start.Byte), k.indent, k.file.LineEnd)
}

func items(blocks []*source.Block) []source.Item {
	list := make([]source.Item, len(blocks))
	for i, b := range blocks {
		list[i] = b
	}
	return list
}

// hidesIn reports whether blocks hold a value that must not be shown.
func (k *completer) hidesIn(blocks []*source.Block) bool {
	found := false
	for _, b := range blocks {
		eachIn(b, func(it source.Item) { found = found || k.redact.Hides(it) })
	}
	return found
}

// documentationOf shows configuration beside an item, unless it is too long.
func documentationOf(text []byte) *protocol.MarkupContent {
	if len(text) > maxShown {
		return nil
	}
	return &protocol.MarkupContent{Kind: protocol.PlainText, Value: strings.ToValidUTF8(string(text), "\ufffd")}
}
