package feature

import (
	"bytes"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// Definition links the name of an override to the overridden item: the declaration in a primary
// file, else the one in the first override block. An item added by an override links to the block
// in a primary file to which it is added; a declaration in a primary file links to itself. The key
// in a variables file links to the declaration of the variable. It returns nil for values, and for
// items that no override touches.
func Definition(v *view.View, name string, p protocol.Position) []protocol.LocationLink {
	if links := declarationLinks(v, name, p); links != nil {
		return links
	}
	return linksFrom(v, name, p, (*index).bases)
}

// Implementation links a name to its effective overrides.
func Implementation(v *view.View, name string, p protocol.Position) []protocol.LocationLink {
	return linksFrom(v, name, p, func(x *index, it source.Item) []source.Item {
		return x.related(it, func(o merge.Outcome, at source.Item) bool {
			return source.IsOverride(at) && (o.Status == effect.StatusEffective || o.Status == effect.StatusMerged)
		})
	})
}

// References lists where a name is declared and overridden, in the order in which the engine
// applies the files. Without withDeclaration it lists the overrides alone.
func References(v *view.View, name string, p protocol.Position, withDeclaration bool) []protocol.Location {
	return Locations(linksFrom(v, name, p, func(x *index, it source.Item) []source.Item {
		return x.related(it, func(_ merge.Outcome, at source.Item) bool {
			return withDeclaration || source.IsOverride(at)
		})
	}))
}

// Locations converts links for clients that don't support them.
func Locations(links []protocol.LocationLink) (list []protocol.Location) {
	for _, l := range links {
		list = append(list, protocol.Location{URI: l.TargetURI, Range: l.TargetSelectionRange})
	}
	return list
}

// linksFrom returns links from the name at a position to the items that find returns for it.
func linksFrom(
	v *view.View, name string, p protocol.Position, find func(*index, source.Item) []source.Item,
) (links []protocol.LocationLink) {
	s := spotAt(v, name, p)
	if s == nil || !s.isName {
		return nil
	}
	origin := s.rangeOf(v)
	for _, it := range find(indexOf(v), s.item) {
		links = append(links, linkFrom(v, &origin, it))
	}
	return links
}

func linkFrom(v *view.View, origin *protocol.Range, it source.Item) protocol.LocationLink {
	return protocol.LocationLink{
		OriginSelectionRange: origin,
		TargetURI:            v.URI(it.Source().Name),
		TargetRange:          v.Range(wholeOf(it)),
		TargetSelectionRange: v.Range(source.Where(it)),
	}
}

// related lists those items in the history of an item that pass, each once. If several blocks are
// in effect, it leaves out those that don't have the item.
func (x *index) related(it source.Item, passes func(merge.Outcome, source.Item) bool) []source.Item {
	about, ok := x.subject(it)
	if !ok {
		return nil
	}
	var list []source.Item
	known, effective := map[source.Item]bool{}, map[source.Item]bool{}
	if about.Item.Inner() == nil {
		for _, it := range about.Effective() {
			effective[it] = true
		}
	}
	for _, o := range about.Item.Outcomes() {
		if !about.matters(o.Item) {
			continue
		}
		for _, at := range about.In(o.Item) {
			isOther := o.Status == effect.StatusEffective && !effective[at]
			if !known[at] && !isOther && passes(o, at) {
				known[at] = true
				list = append(list, at)
			}
		}
	}
	return list
}

// bases returns the items that an item overrides or, if an override adds it, the block to which it
// is added. An item of a primary file is its own base.
func (x *index) bases(it source.Item) []source.Item {
	if !source.IsOverride(it) {
		return x.related(it, func(_ merge.Outcome, at source.Item) bool { return at == it })
	}
	if found := x.overriddenItems(it); len(found) > 0 {
		return found
	}
	// Several blocks of one name in the same block are applied together: none overrides another.
	all := x.related(it, func(merge.Outcome, source.Item) bool { return true })
	if len(all) > 0 && merge.Holder(all[0]) != merge.Holder(it) {
		return all[:1]
	}
	for b := merge.Holder(it); b != nil; b = merge.Holder(b) {
		if found := x.overriddenItems(b); len(found) > 0 {
			return found
		}
	}
	return x.outranked(it)
}

// outranked returns the items of other names that an item replaces in its block.
func (x *index) outranked(it source.Item) (list []source.Item) {
	in := x.entries[merge.Holder(it)].merged
	if merge.Holder(it) == nil || in == nil || in.Inner() == nil {
		return nil
	}
	for _, e := range in.Inner().Items {
		for _, o := range e.Outcomes() {
			if o.Status == effect.StatusHidden && o.By == it {
				list = append(list, o.Item)
			}
		}
	}
	return list
}

// overriddenItems returns the items of primary files that an override overrides or outranks.
func (x *index) overriddenItems(it source.Item) []source.Item {
	list := x.related(it, func(_ merge.Outcome, at source.Item) bool { return !source.IsOverride(at) })
	e := x.entries[it].merged
	if e == nil || !e.InEffect() || merge.Holder(it) == nil {
		return list
	}
	if in := x.entries[merge.Holder(it)].merged; in != nil && in.Inner() != nil {
		in.Inner().EachHidden(e, func(hidden source.Item) {
			if !source.IsOverride(hidden) {
				list = append(list, hidden)
			}
		})
	}
	return list
}

// The layers of a variable, its declaration, its uses, and its keys in variables files.

// A variableSpot is where a variable is named.
type variableSpot struct {
	name     string
	from, to int // offsets
}

// variableAt finds the variable that is named at a position: as var.NAME, or by the key in a
// variables file; nil for none.
func variableAt(v *view.View, name string, p protocol.Position) *variableSpot {
	text := v.Text(name)
	if text == nil || v.Merged == nil {
		return nil
	}
	at := text.Offset(p, v.Encoding)
	if v.Merged.Source.File(name) == nil {
		return keyAt(v.Layers(), name, at)
	}
	s := spotAt(v, name, p)
	if s == nil || s.isName {
		return nil
	}
	whole := wholeOf(s.item)
	return referenceIn(text.Bytes()[whole.Start.Byte:whole.End.Byte], whole.Start.Byte, at)
}

// keyAt finds the name that a variables file gives a value at an offset.
func keyAt(set *layers.Set, file string, at int) *variableSpot {
	if set == nil {
		return nil
	}
	for _, v := range set.Variables() {
		for _, l := range v.Layers {
			if r := l.Range; l.Value != nil && r.Filename == file && r.Start.Byte <= at && at <= r.End.Byte {
				return &variableSpot{v.Name, r.Start.Byte, r.End.Byte}
			}
		}
	}
	return nil
}

// root is what references to variables start with.
const root = "var"

// referenceIn finds var.NAME at an offset of a file, of which a text begins at another offset.
func referenceIn(text []byte, base, at int) *variableSpot {
	if !bytes.Contains(text, []byte(root)) {
		return nil
	}
	tokens := parse.Tokens(text, "", hcl.InitialPos)
	for i := range tokens {
		if i+2 >= len(tokens) || base+tokens[i].Range.Start.Byte > at {
			return nil
		}
		isMember := i > 0 && tokens[i-1].Type == hclsyntax.TokenDot
		name := tokens[i+2]
		if isMember || string(tokens[i].Bytes) != root || tokens[i].Type != hclsyntax.TokenIdent ||
			tokens[i+1].Type != hclsyntax.TokenDot || name.Type != hclsyntax.TokenIdent || base+name.Range.End.Byte < at {
			continue
		}
		return &variableSpot{string(name.Bytes), base + tokens[i].Range.Start.Byte, base + name.Range.End.Byte}
	}
	return nil
}

// variableHover explains the variable that is named at a position; nil for none.
func variableHover(v *view.View, name string, p protocol.Position, kind protocol.MarkupKind) *protocol.Hover {
	s := variableAt(v, name, p)
	set := v.Layers()
	if s == nil || set == nil || set.Variable(s.name) == nil {
		return nil
	}
	h := &hover{markup: newMarkup(kind), index: indexOf(v), view: v, linked: map[string]bool{}}
	h.variable(set, set.Variable(s.name))
	return &protocol.Hover{Contents: h.content(), Range: new(v.Text(name).Range(s.from, s.to, v.Encoding))}
}

// variable writes the value of a variable, and its layers.
func (h *hover) variable(set *layers.Set, v *layers.Variable) {
	rec := report.Variable(h.Redactor, set, v)
	headline := spelling.JoinPath(root, v.Name)
	headline += rec.Words + report.FirstLines(rec.Text, maxHoverLines)
	h.block(headline)
	h.layers(&rec)
}

// layers lists the layers of a variable, the effective one first.
func (h *hover) layers(v *report.VariableRecord) {
	h.paragraph()
	h.list(len(v.Layers), func(i int) { h.layer(&v.Layers[len(v.Layers)-1-i]) })
	for _, note := range v.Notes {
		h.paragraph()
		h.words(note)
		h.end()
	}
}

// layer writes what became of a layer.
func (h *hover) layer(l *report.LayerRecord) {
	h.words(l.Words + " ")
	h.link(l.Place, string(h.view.URI(l.Range.Filename))+"#L"+strconv.Itoa(l.Range.Start.Line))
	switch {
	case l.ValueWords == "":
	case l.IsText():
		h.words(" ")
		h.code(l.ValueWords)
	default:
		h.words(" " + l.ValueWords)
	}
	if l.Note != "" {
		h.words(", " + l.Note)
	}
}

// declarationLinks links a key in a variables file to the declaration of the variable; nil at other
// positions, and if no file declares it.
func declarationLinks(v *view.View, name string, p protocol.Position) []protocol.LocationLink {
	text := v.Text(name)
	if v.Merged == nil || text == nil || v.Merged.Source.File(name) != nil {
		return nil
	}
	s := variableAt(v, name, p)
	if s == nil || v.Layers().Variable(s.name).Item == nil {
		return nil
	}
	origin := text.Range(s.from, s.to, v.Encoding)
	return []protocol.LocationLink{linkFrom(v, &origin, v.Layers().Variable(s.name).Item.Live[0])}
}
