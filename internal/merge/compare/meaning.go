package compare

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// Meaning is what a module amounts to, apart from files, places, layout and
// comments: a line for each name in effect. Two modules with one meaning are the same
// to an engine; constraints that are given more than once count once. A block whose tree
// is not in memory is no more than its text, so that modules that are compared must keep
// the same ones, see KeepAs.
func Meaning(m *merge.Module) []string {
	lines := map[string]bool{}
	address.WalkAll(m, func(own address.Address, e *merge.MergedItem) {
		if !e.InEffect() {
			return
		}
		if e.Rule.Match == merge.ByPosition {
			own = own.Kind()
		}
		var line strings.Builder
		line.WriteString(own.String())
		for _, it := range e.Live {
			if b, ok := it.(*source.Block); ok && b.Body == nil {
				fmt.Fprintf(&line, "\n%x", sha256.Sum256(b.File.Text(b.Extent())))
			} else if e.Inner == nil {
				line.WriteString("\n" + wordsOf(e, it))
			}
		}
		lines[line.String()] = true
	})
	return slices.Sorted(maps.Keys(lines))
}

// KeepAs keeps the trees of a module in memory that another one has, by the addresses of the
// blocks. It must be called before the module is merged.
func KeepAs(m, other *load.Module) {
	keys := map[uint64]bool{}
	for _, f := range other.Files {
		for i := range f.Len() {
			if f.Kept(i) != nil {
				keys[f.Key(i)] = true
			}
		}
	}
	for _, f := range m.Files {
		for i := range f.Len() {
			if keys[f.Key(i)] {
				f.Keep(i)
			}
		}
	}
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
