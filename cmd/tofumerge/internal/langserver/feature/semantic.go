package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// Legend is the legend of SemanticTokens. The modifier is not one of the protocol's.
var Legend = protocol.SemanticTokensLegend{
	TokenTypes:     []string{"property", "type"},
	TokenModifiers: []string{"overridden"},
}

const (
	tokenProperty = iota
	tokenType
)

// SemanticTokens marks the names of the arguments and nested blocks of a file that are not in
// effect because of an override. in limits them to a range; nil is the whole file.
//
// VS Code shows the tokens of one server per document. With these, it would drop those of the
// ordinary server, so users must switch them on.
func SemanticTokens(v *view.View, name string, in *protocol.Range) *protocol.SemanticTokens {
	tokens := &protocol.SemanticTokens{Data: []uint32{}}
	x, text := indexOf(v), v.Text(name)
	if x == nil || text == nil {
		return tokens
	}
	var last protocol.Position
	for _, it := range x.in(name) {
		if !isOverridden(outcomesOf(v).of[it].Status) {
			continue
		}
		at, kind := v.Location(it).Range, uint32(tokenProperty)
		if b, ok := it.(*source.Block); ok {
			kind = tokenType
			if b.From == nil {
				at = v.Range(b.TypeAt())
			}
		}
		if in != nil && (isBefore(at.End, in.Start) || isBefore(in.End, at.Start)) ||
			at.Start.Line != at.End.Line || isBefore(at.Start, last) {
			continue
		}
		line, character := at.Start.Line-last.Line, at.Start.Character
		if line == 0 {
			character -= last.Character
		}
		tokens.Data = append(tokens.Data, line, character, at.End.Character-at.Start.Character, kind, 1)
		last = at.Start
	}
	return tokens
}

// isOverridden reports whether items of a status are not in effect because of an override.
func isOverridden(s effect.Status) bool {
	return s == effect.StatusReplaced || s == effect.StatusHidden || s == effect.StatusCleared
}

func isBefore(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
