package load

import (
	"bytes"
	"slices"
)

// What of a JSON file is not to be shown. Values are hidden by their names, so that
// it does not matter whether the file makes sense.

// flagJSON notes the blocks that name a flag in a file that is not understood.
func (s *Secrets) flagJSON(f *File) {
	root, diags := parseJSON(f)
	if diags.HasErrors() {
		s.unsure = true
		return
	}
	for p := range root.objects() {
		for label := range p.objects() {
			if slices.ContainsFunc(s.hides[p.name()].flags, func(flag string) bool { return len(valuesOf(label, flag)) > 0 }) {
				s.flagged[(&Block{Type: p.name(), Labels: []string{label.name()}}).Address()] = true
			}
		}
	}
}

func (s *Secrets) findJSON(f *File) [][2]int {
	root, diags := parseJSON(f)
	if diags.HasErrors() {
		return [][2]int{{0, len(f.Given)}}
	}
	var all [][2]int
	for p := range root.objects() {
		if arg, ok := s.hides[p.name()]; ok {
			for label := range p.objects() {
				if s.isFlagged(&Block{Type: p.name(), Labels: []string{label.name()}}) {
					all = append(append(all, valuesOf(label, arg.value)...), typesWithDefaults(label)...)
				}
			}
		}
		if len(s.holders[p.name()]) > 0 {
			shape := LanguageOf(f.Engine).top(p.name()).Body
			all = credentialsIn(all, p, shape.secrets(nil), shape)
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	return all
}

// credentialsIn adds what is called a secret in a value that stands for blocks with a
// body of a shape, or for their labels.
func credentialsIn(all [][2]int, v jsonValue, names secretNames, shape *BodyShape) [][2]int {
	for c := range v.children() {
		name := ""
		if key := c.key(); key[0] < key[1] {
			name = c.name()
		}
		if names != nil && !isReference(referenceIn(c)) && (names.has(name) || c.kind() == '"' && names.areInObject(c.raw())) {
			all = append(all, [2]int{int(c.span()[0]), int(c.span()[1])})
			continue
		}
		if block, ok := shape.Block(name); ok && block.Body != nil {
			all = credentialsIn(all, c, block.Body.secrets(names), block.Body)
			continue
		}
		all = credentialsIn(all, c, names, shape)
	}
	return all
}

// referenceIn is the expression that a string consists of, if it is but one.
func referenceIn(v jsonValue) []byte {
	text, isOpen := bytes.CutPrefix(v.raw(), []byte(`"${`))
	text, isClosed := bytes.CutSuffix(text, []byte(`}"`))
	if !isOpen || !isClosed {
		return nil
	}
	return bytes.TrimSpace(text)
}

// typesWithDefaults lists strings in a block that are types with defaults. They have
// one name in all blocks.
func typesWithDefaults(v jsonValue) [][2]int {
	var all [][2]int
	for name, arg := range root.At("variable").Args {
		for _, at := range valuesOf(v, name) {
			if arg.Kind.isType() && bytes.Contains(v.doc.src[at[0]:at[1]], []byte("optional")) {
				all = append(all, at)
			}
		}
	}
	return all
}

// valuesOf lists the values of a name anywhere in a value.
func valuesOf(v jsonValue, name string) [][2]int {
	var all [][2]int
	for c := range v.children() {
		if key := c.key(); key[0] < key[1] && c.name() == name {
			all = append(all, [2]int{int(c.span()[0]), int(c.span()[1])})
			continue
		}
		all = append(all, valuesOf(c, name)...)
	}
	return all
}
