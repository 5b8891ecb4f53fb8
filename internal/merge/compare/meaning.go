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
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Meaning is the meaning of a module, apart from files, positions, layout and comments: a line for
// each effective name. Two modules with one meaning are the same to an engine; a constraint given
// more than once is listed once. A block that no override file of a module (as) can change is
// represented by its text: nobody but its author changes it. Meanings that are compared need the
// same as; with nil, each name is listed.
func Meaning(m *merge.Module, as *load.Module) []string {
	opens := func(f *source.File, i int) bool { return as == nil || as.IsAddressedAt(f, i) }
	return slices.Sorted(maps.Keys(meaning{m, opens, equal.Words, nil}.lines(true)))
}

// SameMeaning reports whether two modules have one Meaning, apart from the names to leave out; nil
// leaves out none.
func SameMeaning(a, b *merge.Module, leavesOut func(address.Address) bool) bool {
	opens := func(f *source.File, i int) bool {
		return a.Source.IsAddressedAt(f, i) || b.Source.IsAddressedAt(f, i)
	}
	takesRest := !samePrimaryFiles(a.Source, b.Source) // only those files can change the other blocks
	asWritten := func(text []byte) [][]byte { return [][]byte{text} }
	for _, words := range []func([]byte) [][]byte{asWritten, equal.Words} { // most often the first is enough
		of := func(m *merge.Module) map[string]bool { return meaning{m, opens, words, leavesOut}.lines(takesRest) }
		if maps.Equal(of(a), of(b)) {
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
		return x.Name == y.Name && bytes.Equal(x.Raw, y.Raw)
	})
}

// A meaning is how a module's is written.
type meaning struct {
	*merge.Module
	opens     func(f *source.File, i int) bool // whose names count one by one
	words     func([]byte) [][]byte
	leavesOut func(address.Address) bool
}

// lines are the lines of the effective names, and of the other blocks if takesRest is set.
func (m meaning) lines(takesRest bool) map[string]bool {
	lines := map[string]bool{}
	put := func(own address.Address, rule *rules.Rule, text func() string) {
		if rule.Match == rules.ByPosition {
			own = own.Kind()
		}
		if m.leavesOut == nil || !m.leavesOut(own) {
			lines[own.String()+text()] = true
		}
	}
	address.WalkSome(m.Module, m.opens, func(own address.Address, e *merge.MergedItem) {
		if e.InEffect() && !(e.Rule.OmitEmpty && e.Inner() != nil) && !e.Rule.IsVoid(e.Live[0]) {
			put(own, e.Rule, func() string { return m.ofItem(e) })
		}
	})
	if takesRest {
		m.EachAlone(func(f *source.File, i int) {
			if !m.opens(f, i) {
				b := f.Block(i)
				put(address.OfBlock(m.Module, b), m.Rule(b), func() string { return fmt.Sprintf("\n%x", sha256.Sum256(f.TextOf(i))) })
			}
		})
	}
	return lines
}

// ofItem is the text of the effective value of an item; for an item with nested items, they are
// listed instead.
func (m meaning) ofItem(e *merge.MergedItem) string {
	var text strings.Builder
	for _, it := range e.Live {
		if e.Inner() == nil {
			text.WriteString("\n" + wordsOf(e, it, m.words))
		}
	}
	return text.String()
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
	return string(bytes.Join(split(text), []byte(" ")))
}
