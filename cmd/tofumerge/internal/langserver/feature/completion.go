package feature

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/template"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// maxCompletions is how many items are listed. A client asks again with more of the word.
const maxCompletions = 300

// CompletionTriggers are characters after which clients ask by themselves.
var CompletionTriggers = []string{`"`}

// Completion is what may be written at a place of a native override file: the blocks that
// primary files declare, their labels, and in a block what the block in the primary file has
// and this one lacks, with its value. Elsewhere the ordinary language server knows more.
func Completion(v *view.View, c *Client, name string, p protocol.Position) *protocol.CompletionList {
	if v.Merged == nil || v.Text(name) == nil {
		return nil
	}
	f := v.Merged.Source.File(name)
	if f.Role != source.Override || f.Syntax != source.Native {
		return nil
	}
	text := v.Text(name)
	offset := text.Offset(p, v.Encoding)
	k := &completer{
		view: v, client: c, file: f, cursor: cursorAt(f.Given, offset), bases: basesIn(v),
		word:   string(f.Given[:offset]),
		redact: redactorOf(v),
	}
	k.word = k.word[min(k.from, offset):]
	k.indent = textedit.IndentAt(f.Given, k.from)
	switch {
	case k.at == atLabel:
		k.labels()
	case k.at == atName && len(k.around) == 1:
		k.blocks()
	case k.at == atName:
		k.members()
	}
	if k.list.Items == nil {
		return nil
	}
	return &k.list
}

// A completer lists what may be written at a cursor.
type completer struct {
	cursor
	view   *view.View
	client *Client
	file   *source.File
	bases  *bases
	redact wording.Redactor
	word   string // what is written of the name so far
	indent string
	list   protocol.CompletionList
}

// bases are the top-level blocks of primary files that overrides can address.
type bases struct {
	list  []*source.Block // the first of each address
	byKey map[string][]*source.Block
	types map[string]baseType
}

type basesKey struct{}

func basesIn(v *view.View) *bases { return view.Once(v, basesKey{}, newBases) }

func newBases(v *view.View) *bases {
	all := &bases{byKey: map[string][]*source.Block{}, types: map[string]baseType{}}
	for _, f := range v.Merged.Source.Files {
		if f.Role != source.Primary {
			continue
		}
		for i := range f.Len() {
			typ, known := all.types[string(f.TypeOf(i))]
			if !known {
				typ = baseTypeOf(f, string(f.TypeOf(i)))
				all.types[string(f.TypeOf(i))] = typ
			}
			if !typ.isOverridable {
				continue
			}
			b := f.Block(i)
			key := b.Address()
			if all.byKey[key] = append(all.byKey[key], b); len(all.byKey[key]) == 1 || len(typ.identifiersIn(b)) > 0 {
				all.list = append(all.list, b)
			}
		}
	}
	return all
}

// A baseType is what matters of a type of top-level blocks.
type baseType struct {
	isOverridable bool
	identifiers   []string // arguments that are part of the address, as alias is
}

func baseTypeOf(f *source.File, typ string) baseType {
	t := baseType{isOverridable: isOverridable(f, typ) && hclsyntax.ValidIdentifier(typ)}
	for _, r := range merge.Rules {
		if name, ok := strings.CutPrefix(r.Path, typ+"/"); ok && r.Do == merge.Identify {
			t.identifiers = append(t.identifiers, name)
		}
	}
	return t
}

// identifiersIn are the arguments of a block that are part of its address.
func (t baseType) identifiersIn(b *source.Block) []*source.Attr {
	var list []*source.Attr
	for _, name := range t.identifiers {
		if a := b.Tree().Body.Attr(name); a != nil {
			list = append(list, a)
		}
	}
	return list
}

// isOverridable reports whether overrides of a path of block types do anything.
func isOverridable(f *source.File, path string) bool {
	r := merge.RuleOf(path, f.Engine)
	return r == nil || r.Do != merge.Drop && r.Do != merge.Reject && r.Do != merge.KeepEarlier
}

// fits reports whether a text may become what is written, as editors match them.
func (k *completer) fits(text string) bool {
	if k.word == "" {
		return true
	}
	rest := strings.ToLower(text)
	for _, r := range strings.ToLower(k.word) {
		i := strings.IndexRune(rest, r)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

// add adds an item, the order of which is that of adding. It reports whether there is room
// for more.
func (k *completer) add(item protocol.CompletionItem, text string) bool {
	if len(k.list.Items) == maxCompletions {
		k.list.IsIncomplete = true
		return false
	}
	at := k.view.Text(k.file.Name).Range(k.from, k.to, k.view.Encoding)
	item.TextEdit = &protocol.TextEdit{Range: at, NewText: text}
	item.SortText = fmt.Sprintf("%04d", len(k.list.Items))
	if strings.Contains(text, "\n") {
		item.InsertTextMode = protocol.InsertAsIs
	}
	k.list.Items = append(k.list.Items, item)
	return true
}

// labels lists the labels that blocks have at the place.
func (k *completer) labels() {
	n := len(k.header.labels)
	isLast := map[string]bool{}
	for _, b := range k.bases.list {
		if len(k.around) > 1 || b.Type != k.header.typ || len(b.Labels) <= n || !k.startsAs(b) {
			continue
		}
		label := b.Labels[n]
		text := template.EscapeQuoted(label)
		if _, known := isLast[label]; known || !k.fits(text) {
			continue
		}
		isLast[label] = true
		item := protocol.CompletionItem{Label: text, Kind: protocol.CompleteReference, Detail: wording.Place(b)}
		switch {
		case !k.isQuoted:
			text = `"` + text + `"`
		case !k.isClosed:
			text += `"`
		}
		item.FilterText = strings.TrimSuffix(text, `"`)
		if !k.add(item, text) {
			return
		}
	}
}

// startsAs reports whether a block has the labels that are written.
func (k *completer) startsAs(b *source.Block) bool {
	for i, l := range k.header.labels {
		if template.EscapeQuoted(b.Labels[i]) != l {
			return false
		}
	}
	return true
}

// blocks lists the blocks that primary files declare, but for those that the file has. Where
// a block follows on the line only its type is to be written.
func (k *completer) blocks() {
	types := map[string]bool{}
	for _, b := range k.bases.list {
		header := headerText(b)
		identifiers := k.bases.types[b.Type].identifiersIn(b)
		own := written{typ: b.Type, labels: escaped(b.Labels)}
		switch {
		case strings.TrimSpace(k.rest) != "":
			if !types[b.Type] && k.fits(b.Type) {
				types[b.Type] = true
				k.add(protocol.CompletionItem{Label: b.Type, Kind: protocol.CompleteClass}, b.Type)
			}
			continue
		case len(identifiers) == 0 && k.around[0].has[own.key()], !k.fits(header):
			continue
		}
		body := ""
		for _, a := range identifiers {
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

// snippet adds an item whose text has a place to fill in, with what may be there.
func (k *completer) snippet(item protocol.CompletionItem, before, filled, after string) bool {
	item.InsertTextFormat = protocol.InsertPlain
	if strings.HasSuffix(before, "\n") {
		before += k.indent + textedit.IndentUnit
	}
	if !k.client.Snippets {
		return k.add(item, before+filled+after)
	}
	item.InsertTextFormat = protocol.InsertSnippet
	hole := "$0"
	if filled != "" {
		hole = "${1:" + insideHoles.Replace(filled) + "}"
	}
	return k.add(item, outsideHoles.Replace(before)+hole+outsideHoles.Replace(after))
}

// What snippets have in the place of characters with a meaning.
var (
	outsideHoles = strings.NewReplacer(`\`, `\\`, `$`, `\$`)
	insideHoles  = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)
)

// headerText is the type of a block with its labels.
func headerText(b *source.Block) string {
	text := b.Type
	for _, l := range b.Labels {
		text += " " + template.Quote(l)
	}
	return text
}

func escaped(labels []string) []string {
	list := slices.Clone(labels)
	for i, l := range list {
		list[i] = template.EscapeQuoted(l)
	}
	return list
}
