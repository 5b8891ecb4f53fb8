package compare

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// unlike are the keys of the blocks that may not mean the same to the engines of two modules,
// which are the same directory: a block that is in one of them only, that an override file of
// either names, or that may hold something at which the engines differ. All others are blocks of
// one text that mean the same to both.
func unlike(a, b *load.Module) map[uint64]bool {
	keys := map[uint64]bool{}
	m := newMayDiffer(a.Engine, b.Engine)
	for _, pair := range [][2]*load.Module{{a, b}, {b, a}} {
		for _, f := range pair[0].Files {
			o := pair[1].File(f.Name)
			isRead := o != nil && isReadAlike(f, o)
			for i := range f.Len() {
				if !isRead || pair[0].IsAddressedAt(f, i) || m.block(f, i) {
					keys[f.Key(i)] = true
				}
			}
		}
	}
	return keys
}

// isReadAlike reports whether two modules read one file in one way.
func isReadAlike(f, o *source.File) bool {
	return f.Role == o.Role && f.Syntax == source.Native && f.Len() == o.Len() &&
		bytes.Equal(f.Native, o.Native)
}

// mayDiffer has the names at which two engines differ, by the types of top-level blocks.
type mayDiffer map[string][][]byte

func newMayDiffer(a, b engine.Release) mayDiffer {
	m := mayDiffer{}
	for typ, names := range language.NamesUnlike(a, b) {
		for _, name := range names {
			m.add(typ, name)
		}
	}
	first, second := rules.NewSet(a), rules.NewSet(b)
	for _, r := range rules.All {
		if !isSameAlone(first.For(r.Path), second.For(r.Path)) {
			typ, _, _ := strings.Cut(r.Path, "/")
			m.add(typ, rules.Base(r.Path))
		}
	}
	return m
}

func (m mayDiffer) add(typ, name string) {
	if !slices.ContainsFunc(m[typ], func(known []byte) bool { return string(known) == name }) {
		m[typ] = append(m[typ], []byte(name))
	}
}

// block reports whether a block may hold something on which the engines differ. Rules for any name
// apply to every block of their type.
func (m mayDiffer) block(f *source.File, i int) bool {
	text := f.TextOf(i)
	return len(m["*"]) > 0 || slices.ContainsFunc(m[string(f.TypeOf(i))], func(name []byte) bool {
		return string(name) == "*" || holdsWord(text, name)
	})
}

// holdsWord reports whether a text holds a name that is not part of a longer one.
func holdsWord(text, name []byte) bool {
	for at := 0; ; at++ {
		n := bytes.Index(text[at:], name)
		if n < 0 {
			return false
		}
		at += n
		end := at + len(name)
		if (at == 0 || !isInName(text[at-1])) && (end == len(text) || !isInName(text[end])) {
			return true
		}
	}
}

func isInName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// isSameAlone reports whether two rules treat an item that no override file names identically.
func isSameAlone(a, b *rules.Rule) bool {
	return a == b || a.Match == b.Match && a.Do == b.Do && a.OmitEmpty == b.OmitEmpty && a.TofuOnly == b.TofuOnly &&
		a.Unused == b.Unused && a.Void == b.Void && slices.Equal(a.Assumes, b.Assumes) &&
		slices.Equal(a.Outranks, b.Outranks)
}
