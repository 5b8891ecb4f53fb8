package compare

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// Meaning is what a module amounts to, apart from files, places, layout and
// comments: a line for each name in effect. All trees must have been loaded. Two
// modules with one meaning are the same to an engine; constraints that are given
// more than once count once.
func Meaning(m *merge.Module) []string {
	lines := map[string]bool{}
	address.WalkAll(m, func(own address.Address, e *merge.MergedItem) {
		if !e.InEffect() {
			return
		}
		if e.Rule.Match == merge.ByPosition {
			own = own.Kind()
		}
		line := own.String()
		for _, it := range e.Live {
			if e.Inner == nil {
				line += "\n" + wordsOf(e, it)
			}
		}
		lines[line] = true
	})
	return slices.Sorted(maps.Keys(lines))
}

// wordsOf is the text of an item in effect without blanks, line ends and comments.
func wordsOf(e *merge.MergedItem, it source.Item) string {
	text := it.Source().Text(it.Extent())
	if a, ok := it.(*source.Attr); ok {
		text = a.File.Text(a.Value())
		if e.Value != nil {
			text = computed.NativeText(e.Value)
		}
		if e.Rule.TofuOnly {
			text = append([]byte(strconv.FormatBool(a.File.Tofu)+" "), text...)
		}
	}
	var words []string
	for _, w := range equal.Words(text) {
		words = append(words, string(w))
	}
	return strings.Join(words, " ")
}
