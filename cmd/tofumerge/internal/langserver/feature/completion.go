package feature

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/template"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// maxCompletions is the maximum number of items. The client asks again when the word is longer.
const maxCompletions = 300

// CompletionTriggers are the characters that make a client ask for completion.
var CompletionTriggers = []string{`"`}

// Completion lists the texts that are possible at a position of an override file. At the top level these are the
// blocks that primary files declare, and behind a block type their labels. In a block these are the arguments and
// blocks that the primary file has and this block lacks, with their values. It is nil in JSON, and outside override
// files, where the ordinary language server knows more.
func Completion(v *view.View, c *Client, name string, p protocol.Position) *protocol.CompletionList {
	if v.Merged == nil || v.Text(name) == nil {
		return nil
	}
	f := v.Merged.Source.File(name)
	if f.Role != source.Override || f.Syntax == source.JSON {
		return nil
	}
	text := v.Text(name)
	offset := text.Offset(p, v.Encoding)
	k := &completer{
		view: v, client: c, file: f, bases: basesIn(v), redact: redactorOf(v),
	}
	k.fill(offset)
	if k.list.Items == nil {
		return nil
	}
	return &k.list
}

// fill sets the cursor at an offset, and adds the texts that are possible there.
func (k *completer) fill(offset int) {
	given := k.file.Raw
	k.cursor = cursorAt(given, offset)
	k.word = string(given[min(k.from, offset):offset])
	k.indent = textedit.IndentAt(given, k.from)
	switch {
	case k.at == atLabel:
		k.labels()
	case k.at == atName && len(k.around) == 1: // at the top level of the file
		k.blocks()
	case k.at == atName: // in a block
		k.members()
	}
}

// A completer lists possible texts at a cursor of an override file.
type completer struct {
	cursor
	view   *view.View
	client *Client
	file   *source.File
	bases  *bases
	redact wording.Redactor
	word   string // the part of the word that is before the cursor
	indent string // of the cursor's line
	list   protocol.CompletionList
}

// bases are the top-level blocks of primary files that overrides can address.
type bases struct {
	list  []*source.Block // the first of each address, and all with an identifier such as alias
	byKey map[string][]*source.Block
	types map[string]baseType
}

var basesIn = view.Cached(newBases)

// newBases finds the blocks of primary files that overrides can address. It lists one block for each address. Of
// blocks with an identifier such as alias it lists all, because an override must repeat the identifier to choose
// among them.
func newBases(v *view.View) *bases {
	all := &bases{byKey: map[string][]*source.Block{}, types: map[string]baseType{}}
	for _, f := range v.Merged.Source.Files {
		if f.Role != source.Primary {
			continue
		}
		for i := range f.Len() {
			typ, known := all.types[f.TypeOf(i)]
			if !known {
				typ = baseTypeOf(f, f.TypeOf(i))
				all.types[f.TypeOf(i)] = typ
			}
			if !typ.isOverridable {
				continue
			}
			b := f.Block(i)
			// List the first block of each address, and each that has an identifier.
			key := b.Address()
			all.byKey[key] = append(all.byKey[key], b)
			isFirst := len(all.byKey[key]) == 1
			if isFirst || len(typ.identifiersIn(b)) > 0 {
				all.list = append(all.list, b)
			}
		}
	}
	return all
}

// A baseType describes a type of top-level blocks.
type baseType struct {
	isOverridable bool
	identifiers   []string // arguments that are part of the address, such as alias
}

// baseTypeOf looks up the rules of a block type: whether overrides of it can have an effect in the engine of f, and
// which arguments are part of its addresses.
func baseTypeOf(f *source.File, typ string) baseType {
	t := baseType{isOverridable: isOverridable(f, typ) && hclsyntax.ValidIdentifier(typ)}
	for _, r := range rules.All() {
		if name, ok := strings.CutPrefix(r.Path, typ+"/"); ok && r.Do == rules.Identify {
			t.identifiers = append(t.identifiers, name)
		}
	}
	return t
}

// identifiersIn returns the arguments of a block that are part of its address.
func (t baseType) identifiersIn(b *source.Block) (list []*source.Attr) {
	for _, name := range t.identifiers {
		if a := b.Attr(name); a != nil {
			list = append(list, a)
		}
	}
	return list
}

// isOverridable reports whether an override of a path, such as resource/ingress or variable/type, can have an
// effect.
func isOverridable(f *source.File, path string) bool {
	r := rules.Of(path, f.Engine)
	return r == nil || r.Do != rules.Drop && r.Do != rules.Reject && r.Do != rules.KeepEarlier
}

// fits reports whether a text matches the word before the cursor as editors match words: it has all characters of
// the word, in order, but perhaps with others between them.
func (k *completer) fits(text string) bool {
	if k.word == "" {
		return true
	}
	rest := strings.ToLower(text) // after the characters found so far
	for _, r := range strings.ToLower(k.word) {
		i := strings.IndexRune(rest, r)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

// add adds an item, with which text replaces the word at the cursor. It reports false if the list is full.
func (k *completer) add(item protocol.CompletionItem, text string) bool {
	if len(k.list.Items) == maxCompletions {
		k.list.IsIncomplete = true
		return false
	}
	at := k.view.Text(k.file.Name).Range(k.from, k.to, k.view.Encoding)
	item.TextEdit = &protocol.TextEdit{Range: at, NewText: text}
	item.SortText = fmt.Sprintf("%04d", len(k.list.Items)) // or the client would sort by label
	if strings.Contains(text, "\n") {
		item.InsertTextMode = protocol.InsertAsIs
	}
	k.list.Items = append(k.list.Items, item)
	return true
}

// labels adds the labels that blocks of primary files have after the type and labels written so far.
func (k *completer) labels() {
	if len(k.around) > 1 {
		return // in a block, but bases are top-level blocks
	}
	n := len(k.header.labels)
	seen := map[string]bool{}
	for _, b := range k.bases.list {
		isMatch := b.Type == k.header.typ && len(b.Labels) > n && slices.Equal(escaped(b.Labels[:n]), k.header.labels)
		if !isMatch {
			continue
		}
		// n labels are written, so the next one is missing.
		label := b.Labels[n]
		text := template.EscapeQuoted(label)
		if seen[label] || !k.fits(text) {
			continue
		}
		seen[label] = true
		item := protocol.CompletionItem{Label: text, Kind: protocol.CompleteReference, Detail: wording.Place(b)}
		switch { // add the quotes that aren't written yet
		case !k.isQuoted:
			text = `"` + text + `"`
		case !k.isClosed:
			text += `"`
		}
		// The client compares this with the word at the cursor, which doesn't include the closing quote.
		item.FilterText = strings.TrimSuffix(text, `"`)
		if !k.add(item, text) {
			return
		}
	}
}

// blocks adds the blocks that primary files declare and the file lacks. If more text follows on the line, it
// adds only their types, because the header may be there already.
func (k *completer) blocks() {
	types := map[string]bool{}
	hasMore := strings.TrimSpace(k.rest) != "" // on the line, after the word
	for _, b := range k.bases.list {
		// Only the type, and each type once.
		if hasMore {
			if !types[b.Type] && k.fits(b.Type) {
				types[b.Type] = true
				k.add(protocol.CompletionItem{Label: b.Type, Kind: protocol.CompleteClass}, b.Type)
			}
			continue
		}
		// The whole block, unless the file has it already.
		header := headerText(b)
		identifiers := k.bases.types[b.Type].identifiersIn(b)
		own := writtenBlock{typ: b.Type, labels: escaped(b.Labels)}
		// Blocks that differ only in an identifier share the key, so the file may still lack this one.
		isThere := len(identifiers) == 0 && k.around[0].has[own.key()]
		if isThere || !k.fits(header) {
			continue
		}
		body := ""
		for _, a := range identifiers { // alias, for example: an override must repeat it
			body += textedit.IndentUnit + a.Name + " = " + string(a.File.Text(a.Value())) + k.file.LineEnd
		}
		label := header
		if len(identifiers) > 0 {
			label += " (" + strings.TrimSpace(body) + ")"
		}
		item := protocol.CompletionItem{
			Label: label, Kind: protocol.CompleteSnippet, Detail: wording.Place(b), FilterText: header,
		}
		if !k.snippet(item, header+" {"+k.file.LineEnd+body, "", k.file.LineEnd+"}") {
			return
		}
	}
}

// snippet adds an item that inserts before, filled and after, and lets the user type over filled. If filled is
// empty, the cursor ends up there. It reports false if the list is full. Clients without snippets get the text.
func (k *completer) snippet(item protocol.CompletionItem, before, filled, after string) bool {
	item.InsertTextFormat = protocol.InsertPlain
	// What the user fills in goes on a line of its own.
	if strings.HasSuffix(before, "\n") {
		before += k.indent + textedit.IndentUnit
	}
	if !k.client.Snippets {
		return k.add(item, before+filled+after)
	}
	item.InsertTextFormat = protocol.InsertSnippet
	hole := "$0" // the final position of the cursor
	if filled != "" {
		hole = "${1:" + insideHoles.Replace(filled) + "}"
	}
	return k.add(item, outsideHoles.Replace(before)+hole+outsideHoles.Replace(after))
}

// Escapes of the characters that have a meaning in a snippet.
var (
	outsideHoles = strings.NewReplacer(`\`, `\\`, `$`, `\$`)
	insideHoles  = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)
)

// headerText returns the type and the labels of a block as native syntax spells them.
func headerText(b *source.Block) string {
	text := b.Type
	for _, l := range b.Labels {
		text += " " + template.Quote(l)
	}
	return text
}

// escaped returns labels with escapes, as they are written between quotes in native syntax.
func escaped(labels []string) []string {
	list := slices.Clone(labels)
	for i, l := range list {
		list[i] = template.EscapeQuoted(l)
	}
	return list
}

// Limits on values, in bytes.
const (
	maxShown    = 2000 // in the documentation of an item
	maxInserted = 8000 // in the text of an item
)

// members adds the arguments and blocks that can be written in the block around the cursor: those of the
// primary files' blocks that it overrides, except for the ones that it has already.
func (k *completer) members() {
	// path is the types of the blocks around the cursor, and bodies are the blocks of primary files in their place.
	path := k.around[1].typ // the top-level block; around[0] is the file
	bodies := k.overriddenBlocks()
	for _, w := range k.around[2:] { // follow the nesting inwards
		path += "/" + w.typ
		bodies = nestedBlocks(bodies, func(b *source.Block) bool { return b.Type == w.typ && slices.Equal(escaped(b.Labels), w.labels) })
	}
	// Add each name once, an argument by its first value, nested blocks all together.
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
			k.nested(path+"/"+name, nestedBlocks(bodies, func(b *source.Block) bool { return b.Called() == name }))
		}
	}
}

// isWanted reports whether to offer a name in the block around the cursor, whose block types are path: the block
// lacks it, it fits the word, and an override of it can have an effect.
func (k *completer) isWanted(path, name string) bool {
	return !k.around[len(k.around)-1].has[name] && k.fits(name) && isOverridable(k.file, path+"/"+name)
}

// overriddenBlocks returns the primary files' blocks that the top-level block around the cursor overrides. If
// that block has an identifier such as alias, only blocks that also have one fit, whatever its value; otherwise
// only blocks without. If none fits, it returns all.
func (k *completer) overriddenBlocks() []*source.Block {
	top := k.around[1] // the top-level block as it is written so far
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

// nestedBlocks returns the blocks directly inside bodies that a function selects.
func nestedBlocks(bodies []*source.Block, selects func(*source.Block) bool) (list []*source.Block) {
	for _, b := range bodies {
		for _, it := range b.Items() {
			if nested, ok := it.(*source.Block); ok && selects(nested) {
				list = append(list, nested)
			}
		}
	}
	return list
}

// argument adds an argument with its value in the primary file, for the user to change. If an equals sign
// follows the cursor, it adds only the name. Sensitive and very long values are left out.
func (k *completer) argument(a *source.Attr) {
	// The item shows the value in the primary file, shortened.
	item := protocol.CompletionItem{
		Label: a.Name, Kind: protocol.CompleteProperty,
		Detail: screen.Cut(k.redact.Value(a), hintColumns) + " (" + wording.Place(a) + ")",
	}
	// text is the value to insert; empty if it is sensitive or too long.
	rest := strings.TrimSpace(k.rest)
	text := ""
	if at := a.Value(); !k.redact.Hides(a) && at.End.Byte-at.Start.Byte <= maxInserted {
		text = k.relocated(a, a.Value())
		// Repeat the value only if the detail doesn't show all of it.
		if shown := a.Display(); string(shown) != screen.Cut(k.redact.Value(a), hintColumns) {
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

// nested adds one item for the nested blocks of one name. path is the types of the blocks around them and their
// own, such as resource/ingress. If an override merges with such blocks, the item is an empty block. Otherwise
// an override replaces all of them, so the item is a copy of all; if that is very long or shows a sensitive
// value, it is also an empty block.
func (k *completer) nested(path string, blocks []*source.Block) {
	b := blocks[0]
	item := protocol.CompletionItem{Label: b.Called(), Kind: protocol.CompleteClass, Detail: wording.CountOf(items(blocks))}
	if rest := strings.TrimSpace(k.rest); strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, `"`) {
		k.add(item, b.Called()) // the rest of the header is there already
		return
	}
	// text is a copy of all blocks.
	var texts []string
	for _, b := range blocks {
		texts = append(texts, k.relocated(b, b.Extent()))
	}
	text := strings.Join(texts, k.file.LineEnd+k.indent)
	r := rules.Of(path, k.file.Engine)
	isMerged := r != nil && r.Do == rules.Merge
	if isMerged || len(text) > maxInserted || k.hidesIn(blocks) {
		k.snippet(item, headerText(b)+" {"+k.file.LineEnd, "", k.file.LineEnd+k.indent+"}")
		return
	}
	item.Documentation = documentationOf([]byte(text))
	item.InsertTextFormat = protocol.InsertPlain
	k.add(item, text)
}

// relocated returns the text of an item at a range, indented for the line of the cursor.
func (k *completer) relocated(it source.Item, at hcl.Range) string {
	src := it.Source().Native
	return textedit.Relocate(it.Source().Text(at), textedit.IndentAt(src, it.Extent().Start.Byte), k.indent, k.file.LineEnd)
}

// items converts blocks to items.
func items(blocks []*source.Block) []source.Item {
	list := make([]source.Item, len(blocks))
	for i, b := range blocks {
		list[i] = b
	}
	return list
}

// hidesIn reports whether blocks hold, at any depth, a value that must not be shown.
func (k *completer) hidesIn(blocks []*source.Block) bool {
	found := false
	for _, b := range blocks {
		eachIn(b, func(it source.Item) { found = found || k.redact.Hides(it) })
	}
	return found
}

// documentationOf returns configuration to show beside a completion; nil if it is too long.
func documentationOf(text []byte) *protocol.MarkupContent {
	if len(text) > maxShown {
		return nil
	}
	return &protocol.MarkupContent{Kind: protocol.PlainText, Value: strings.ToValidUTF8(string(text), "\ufffd")}
}
