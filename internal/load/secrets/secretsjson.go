package secrets

import (
	"bytes"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/credentials"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// The hidden parts of a JSON file. Values are hidden by their names, so the file need not be valid
// configuration.

// flagJSON notes the blocks that name a flag in a file that is not understood.
func (s *Set) flagJSON(f *source.File) {
	root, diags := jsontree.Parse(f)
	if diags.HasErrors() {
		s.unsure = true
		return
	}
	for p := range root.Objects() {
		for label := range p.Objects() {
			if slices.ContainsFunc(s.hides[p.Name()].flags,
				func(flag string) bool { return len(valuesOf(label, flag)) > 0 }) {
				s.flagged[(&source.Block{Type: p.Name(), Labels: []string{label.Name()}}).Address()] = true
			}
		}
	}
}

func (s *Set) findJSON(f *source.File) [][2]int {
	root, diags := jsontree.Parse(f)
	if diags.HasErrors() {
		return [][2]int{{0, len(f.Raw)}}
	}
	var all [][2]int
	for p := range root.Objects() {
		if arg, ok := s.hides[p.Name()]; ok {
			for label := range p.Objects() {
				if s.isFlagged(&source.Block{Type: p.Name(), Labels: []string{label.Name()}}) {
					for _, v := range append(valuesOf(label, arg.value), typesWithDefaults(label)...) {
						all = append(all, stretch(v))
					}
				}
			}
		}
		if len(s.holders[p.Name()]) > 0 {
			shape := language.Of(f.Engine).Top(p.Name()).Body
			all = credentialsIn(all, p, namesWithin(shape, nil), shape)
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	return all
}

// credentialsIn adds the secrets by name in a value that is the bodies of blocks of a
// shape, or objects by their labels.
func credentialsIn(all [][2]int, v jsontree.Value, names credentials.Names, shape *language.BodyShape) [][2]int {
	for c := range v.Children() {
		name := ""
		if key := c.Key(); key[0] < key[1] {
			name = c.Name()
		}
		if names != nil && !credentials.IsBareReference(referenceIn(c)) &&
			(names.Has(name) || c.Kind() == '"' && names.AreInObject(c.Raw())) {
			all = append(all, stretch(c))
			continue
		}
		if block, ok := shape.Block(name); ok && block.Body != nil {
			all = credentialsIn(all, c, namesWithin(block.Body, names), block.Body)
			continue
		}
		all = credentialsIn(all, c, names, shape)
	}
	return all
}

// referenceIn is the expression that a string consists of, if it is but one.
func referenceIn(v jsontree.Value) []byte {
	text, isOpen := bytes.CutPrefix(v.Raw(), []byte(`"${`))
	text, isClosed := bytes.CutSuffix(text, []byte(`}"`))
	if !isOpen || !isClosed {
		return nil
	}
	return bytes.TrimSpace(text)
}

// typesWithDefaults lists strings in a block that are types with defaults. They have
// one name in all blocks.
func typesWithDefaults(v jsontree.Value) []jsontree.Value {
	var all []jsontree.Value
	for name, arg := range language.Root.At("variable").Args {
		for _, t := range valuesOf(v, name) {
			if arg.Kind.IsType() && bytes.Contains(t.Raw(), []byte("optional")) {
				all = append(all, t)
			}
		}
	}
	return all
}

// valuesOf lists the values of a name anywhere in a value.
func valuesOf(v jsontree.Value, name string) []jsontree.Value {
	var all []jsontree.Value
	for c := range v.Children() {
		if key := c.Key(); key[0] < key[1] && c.Name() == name {
			all = append(all, c)
			continue
		}
		all = append(all, valuesOf(c, name)...)
	}
	return all
}

// stretch is where a value is in its file.
func stretch(v jsontree.Value) [2]int {
	at := v.Span()
	return [2]int{int(at[0]), int(at[1])}
}
