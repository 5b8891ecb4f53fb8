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
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

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
	at := v.Text(name).Range(s.from, s.to, v.Encoding)
	return &protocol.Hover{Contents: h.content(), Range: &at}
}

// variable writes the value of a variable, and its layers.
func (h *hover) variable(set *layers.Set, v *layers.Variable) {
	rec := report.Variable(h.Redactor, set, v)
	headline := spelling.JoinPath(root, v.Name)
	if len(rec.Callers) == 0 {
		headline += rec.Words + report.FirstLines(rec.Text, maxHoverLines)
	}
	h.block(headline)
	h.layers(&rec)
}

// layers lists the layers of a variable, the effective one first, and the calls that load the
// module.
func (h *hover) layers(v *report.VariableRecord) {
	if len(v.Callers) > 0 {
		h.paragraph()
		h.list(len(v.Callers), func(i int) {
			words, place := v.Callers[i].Words()
			h.words(words + " " + place + " ")
			h.code(v.Callers[i].Address)
		})
		h.paragraph()
		h.words("If this is run as the root module:")
		h.end()
	}
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
	if l.Range == nil {
		h.words(l.Place)
	} else {
		h.link(l.Place, string(h.view.URI(l.Range.Filename))+"#L"+strconv.Itoa(l.Range.Start.Line))
	}
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
	it := v.Layers().Variable(s.name).Item.Live[0]
	return []protocol.LocationLink{{
		OriginSelectionRange: &origin,
		TargetURI:            v.URI(it.Source().Name),
		TargetRange:          v.Range(wholeOf(it)),
		TargetSelectionRange: v.Range(source.Where(it)),
	}}
}
