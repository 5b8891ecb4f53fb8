package wording

import (
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// Text is the text of a row's item if Value only describes it, as in "a 3-line object": for an
// argument the value, for a block all of it, starting at the left margin. It is empty if Value is
// the text, and if the text is hidden.
func (r Redactor) Text(row HistoryRow) string {
	isHidden := r.Hides(row.At) || r.Redact && row.IsSuperseded()
	if row.Status == effect.StatusMerged || isHidden {
		return ""
	}
	text := ""
	switch it := row.At.(type) {
	case *source.Attr:
		if IsText(it, row.Value) {
			return ""
		}
		text = textedit.Relocate(it.Display(), indentOf(it), "", "\n")
	case *source.Block:
		if r.All {
			return ""
		}
		text = textedit.Relocate(r.blockText(it), indentOf(it), "", "\n")
	}
	return safetext.Printable(strings.TrimRight(text, "\n"))
}

func indentOf(it source.Item) string {
	return textedit.IndentAt(it.Source().Native, it.Extent().Start.Byte)
}

// blockText is the text of a block without the values that are not to be shown.
func (r Redactor) blockText(b *source.Block) []byte {
	at := b.Extent()
	var edits []textedit.Edit
	for _, hidden := range r.SecretsIn(nil, b) {
		edits = append(edits, textedit.Replace(hidden[0]-at.Start.Byte, hidden[1]-at.Start.Byte, SensitiveValue))
	}
	text := b.File.Text(at)
	return textedit.Apply(text, 0, len(text), edits)
}

// SecretsIn appends the stretches of native text of the values in a block that are not to be shown.
func (r Redactor) SecretsIn(list [][2]int, b *source.Block) [][2]int {
	for _, it := range b.Items() {
		switch it := it.(type) {
		case *source.Attr:
			if r.IsSecret(it) {
				list = append(list, [2]int{it.Value().Start.Byte, it.Value().End.Byte})
			}
		case *source.Block:
			list = r.SecretsIn(list, it)
		}
	}
	return list
}
