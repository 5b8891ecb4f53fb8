package compare

import (
	"bytes"
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
func Meaning(m *merge.Module) []string { return meaning(m, address.WalkAll, equal.Words, nil) }

// SameMeaning reports whether two modules have one Meaning, apart from the names that are to
// be left out; nil leaves out none.
func SameMeaning(a, b *merge.Module, leavesOut func(address.Address) bool) bool {
	walk := address.WalkAll
	if samePrimaryFiles(a.Source, b.Source) {
		walk = address.WalkKept // nothing but those files has a say in the others
	}
	asWritten := func(text []byte) [][]byte { return [][]byte{text} }
	for _, words := range []func([]byte) [][]byte{asWritten, equal.Words} { // most often the first is enough
		if slices.Equal(meaning(a, walk, words, leavesOut), meaning(b, walk, words, leavesOut)) {
			return true
		}
	}
	return false
}

// samePrimaryFiles reports whether two modules have the same primary files.
func samePrimaryFiles(a, b *load.Module) bool {
	primary := func(m *load.Module) []*source.File {
		return slices.DeleteFunc(slices.Clone(m.Files), func(f *source.File) bool { return f.Role != source.Primary })
	}
	return slices.EqualFunc(primary(a), primary(b), func(x, y *source.File) bool {
		return x.Name == y.Name && bytes.Equal(x.Given, y.Given)
	})
}

// meaning lists what is in effect of the items that are walked, by their words.
func meaning(
	m *merge.Module, walk func(*merge.Module, func(address.Address, *merge.MergedItem)), words func([]byte) [][]byte,
	leavesOut func(address.Address) bool,
) []string {
	lines := map[string]bool{}
	walk(m, func(own address.Address, e *merge.MergedItem) {
		if !e.InEffect() || e.Rule.OmitEmpty && e.Inner != nil || e.Rule.IsVoid(e.Live[0]) {
			return
		}
		if e.Rule.Match == merge.ByPosition {
			own = own.Kind()
		}
		if leavesOut != nil && leavesOut(own) {
			return
		}
		var line strings.Builder
		line.WriteString(own.String())
		for _, it := range e.Live {
			if b, ok := it.(*source.Block); ok && b.Body == nil {
				fmt.Fprintf(&line, "\n%x", sha256.Sum256(b.File.Text(b.Extent())))
			} else if e.Inner == nil {
				line.WriteString("\n" + wordsOf(e, it, words))
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

// wordsOf is the text of an item in effect as words: without blanks, line ends and comments.
func wordsOf(e *merge.MergedItem, it source.Item, split func([]byte) [][]byte) string {
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
	for _, w := range split(text) {
		words = append(words, string(w))
	}
	return strings.Join(words, " ")
}
