package feature

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// How many bytes of a value are shown beside a list, and inserted.
const (
	maxShown    = 2000
	maxInserted = 8000
)

// members lists what the block in the primary files has, at the place of the cursor in it,
// and this one lacks.
func (k *completer) members() {
	path := k.around[1].typ
	var bodies []*source.Block
	for _, b := range k.based() {
		bodies = append(bodies, b.Tree())
	}
	for _, w := range k.around[2:] {
		path += "/" + w.typ
		bodies = nestedIn(bodies, w)
	}
	done := map[string]bool{}
	for _, b := range bodies {
		for _, it := range b.Body.Items {
			name := it.Called()
			if done[name] || !hclsyntax.ValidIdentifier(name) || !k.isWanted(path, name) {
				continue
			}
			done[name] = true
			if a, ok := it.(*source.Attr); ok {
				k.argument(a)
				continue
			}
			k.nested(path+"/"+name, blocksNamed(bodies, name))
		}
	}
}

// isWanted reports whether something may be written in the block around the cursor, with an
// effect.
func (k *completer) isWanted(path, name string) bool {
	return !k.around[len(k.around)-1].has[name] && k.fits(name) && isOverridable(k.file, path+"/"+name)
}

// based are the top-level blocks of primary files that the one around the cursor overrides.
// Which one of several that an argument tells apart is not known while people type: either
// those that have it, or those that don't.
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
			return (b.Tree().Body.Attr(name) != nil) != top.has[name]
		})
	})
	if len(fitting) == 0 {
		return list
	}
	return fitting
}

// nestedIn are the nested blocks that have a type and labels; those that a dynamic block makes
// have no labels.
func nestedIn(bodies []*source.Block, w *written) []*source.Block {
	var list []*source.Block
	for _, b := range bodies {
		for _, it := range b.Body.Items {
			nb, ok := it.(*source.Block)
			if ok && nb.Type == w.typ && slices.Equal(escaped(nb.Labels), w.labels) {
				list = append(list, nb)
			}
		}
	}
	return list
}

// blocksNamed are the nested blocks of a name.
func blocksNamed(bodies []*source.Block, name string) []*source.Block {
	var list []*source.Block
	for _, b := range bodies {
		for _, it := range b.Body.Items {
			if nb, ok := it.(*source.Block); ok && nb.Called() == name {
				list = append(list, nb)
			}
		}
	}
	return list
}

// argument adds an argument with its value in the primary file, to be changed.
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
		k.add(item, a.Name+" = ") // a heredoc ends with its line
	default:
		k.snippet(item, a.Name+" = ", text, "")
	}
}

// nested adds the nested blocks of a name: an empty one where overrides merge them, and else
// all of them, since an override replaces them as a whole.
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
	r := merge.RuleOf(path, k.file.Engine)
	if r != nil && r.Do == merge.Merge || len(text) > maxInserted || k.hidesIn(blocks) {
		k.snippet(item, headerText(b)+" {"+k.file.LineEnd, "", k.file.LineEnd+k.indent+"}")
		return
	}
	item.Documentation = documentationOf([]byte(text))
	item.InsertTextFormat = protocol.InsertPlain
	k.add(item, text)
}

// relocated is a stretch of an item as it is to be written at the cursor.
func (k *completer) relocated(it source.Item, at hcl.Range) string {
	src := it.Source().Src
	return textedit.Relocate(it.Source().Text(at), textedit.IndentAt(src, it.Extent().Start.Byte), k.indent, k.file.LineEnd)
}

func items(blocks []*source.Block) []source.Item {
	list := make([]source.Item, len(blocks))
	for i, b := range blocks {
		list[i] = b
	}
	return list
}

// hidesIn reports whether blocks hold a value that is not to be shown.
func (k *completer) hidesIn(blocks []*source.Block) bool {
	found := false
	for _, b := range blocks {
		eachIn(b, func(it source.Item) { found = found || k.redact.Hides(it) })
	}
	return found
}

// documentationOf is a text of configuration beside a list, as it is.
func documentationOf(text []byte) *protocol.MarkupContent {
	if len(text) > maxShown {
		return nil
	}
	return &protocol.MarkupContent{Kind: protocol.PlainText, Value: strings.ToValidUTF8(string(text), "\ufffd")}
}
