package load

import (
	"bytes"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// What a module calls sensitive is not shown to people, in no layer: a value
// counts as sensitive if any file says so.

// Secrets are the values of a module that are not to be shown.
type Secrets struct {
	module  *Module
	flagged map[string]bool           // keys of the blocks that some file calls sensitive
	hidden  map[*File][][2]int        // where the values stand in File.Given, once somebody asked
	hides   map[string]hidingArgument // by block type
}

// A hidingArgument is the argument that makes another one's value sensitive.
type hidingArgument struct{ flag, value string }

// hidingArguments lists them for the top-level types that have one.
func hidingArguments(language *BodyShape) map[string]hidingArgument {
	found := map[string]hidingArgument{}
	for typ, block := range language.Blocks {
		if block.Body == nil {
			continue
		}
		for name, arg := range block.Body.Args {
			if arg.Hides != "" {
				found[typ] = hidingArgument{name, arg.Hides}
			}
		}
	}
	return found
}

// Secrets finds what is sensitive. It is worked out once.
func (m *Module) Secrets() *Secrets {
	if m.secrets != nil {
		return m.secrets
	}
	s := &Secrets{module: m, flagged: map[string]bool{}, hidden: map[*File][][2]int{}, hides: hidingArguments(m.Engine.Language())}
	for _, f := range m.Files {
		if f.Broken {
			s.eachBroken(f, func(b *Block, _, _ int) { s.flagged[blockKey(b)] = true })
			continue
		}
		for i := range f.Len() {
			arg, ok := s.hides[string(f.TypeOf(i))]
			if !ok || !bytes.Contains(f.slice(f.stubs[i].whole()), []byte(arg.flag)) {
				continue
			}
			if b := f.Block(i); isFlagged(b.Tree(), arg.flag) {
				s.flagged[blockKey(b)] = true
			}
		}
	}
	m.secrets = s
	return s
}

// ShareSecrets makes two readings of one directory hide what either calls sensitive.
// The engines may read different files of it.
func ShareSecrets(a, b *Module) {
	first, second := a.Secrets(), b.Secrets()
	maps.Copy(first.flagged, second.flagged)
	maps.Copy(second.flagged, first.flagged)
	clear(first.hidden)
	clear(second.hidden)
}

// isFlagged tells whether a block's flag may be on. One that is no constant may be.
func isFlagged(b *Block, flag string) bool {
	a := b.Body.Attr(flag)
	if a == nil {
		return false
	}
	v, diags := constant(a, cty.Bool)
	return diags.HasErrors() || v.IsNull() || v.True()
}

// Covers tells whether an argument's value is sensitive.
func (s *Secrets) Covers(a *Attr) bool {
	b := a.In
	if b == nil || b.In != nil || !s.flagged[blockKey(b)] {
		return false
	}
	return s.hides[b.Type].value == a.Name || hasDefaultInType(a)
}

// In lists the stretches of File.Given between two offsets that are not to be
// shown, in order.
func (s *Secrets) In(f *File, from, to int) [][2]int {
	all, known := s.hidden[f]
	if !known {
		all = s.find(f)
		s.hidden[f] = all
	}
	var found [][2]int
	for _, at := range all {
		if at[0] < to && at[1] > from {
			found = append(found, [2]int{max(at[0], from), min(at[1], to)})
		}
	}
	return found
}

func (s *Secrets) find(f *File) [][2]int {
	switch {
	case f.Syntax == JSON:
		return s.findJSON(f)
	case f.Broken:
		return s.findBroken(f)
	}
	var all [][2]int
	for i := range f.Len() {
		arg, ok := s.hides[string(f.TypeOf(i))]
		if !ok || !s.flagged[blockKey(f.Block(i))] {
			continue
		}
		for _, it := range f.Block(i).Tree().Body.Items {
			if a, ok := it.(*Attr); ok && (a.Name == arg.value || hasDefaultInType(a)) {
				all = append(all, [2]int{a.Value().Start.Byte, a.Value().End.Byte})
			}
		}
	}
	return all
}

// hasDefaultInType tells a type that holds defaults of its own, which are values
// like any other.
func hasDefaultInType(a *Attr) bool {
	shape, _ := a.File.Language.Block(a.In.Type)
	arg, _ := shape.Body.Arg(a.Name)
	return arg.Kind.isType() && bytes.Contains(a.File.Text(a.Value()), []byte("optional"))
}

// findJSON hides values by their names, so that it does not matter whether the
// file makes sense. Of one that is not even JSON all is hidden if it may call
// something sensitive.
func (s *Secrets) findJSON(f *File) [][2]int {
	root, diags := parseJSON(f)
	if diags.HasErrors() {
		if len(s.flagged) > 0 || s.mentions(f.Given) || bytes.Contains(f.Given, []byte(`\u`)) {
			return [][2]int{{0, len(f.Given)}}
		}
		return nil
	}
	var all [][2]int
	for p := range root.objects() {
		arg, ok := s.hides[p.name()]
		if !ok {
			continue
		}
		for label := range p.objects() {
			flagged := s.flagged[blockKey(&Block{Type: p.name(), Labels: []string{label.name()}})]
			if flagged || f.Broken && len(valuesOf(label, arg.flag)) > 0 {
				all = append(append(all, valuesOf(label, arg.value)...), typesWithDefaults(label)...)
			}
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	return all
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

// findBroken hides more than need be, since of a file that can't be parsed
// nobody knows where its values end: the whole inside of each block that is called
// sensitive somewhere.
func (s *Secrets) findBroken(f *File) [][2]int {
	var all [][2]int
	s.eachBroken(f, func(_ *Block, from, to int) {
		if open := bytes.IndexByte(f.Given[from:to], '{'); open >= 0 {
			all = append(all, linesIn(f.Given, from+open+1, to)...)
		}
	})
	return all
}

// heads are the lines that may start a top-level block.
var heads = Pattern(`(?m)^[ \t]*([a-z_]+)[ \t]*(?:[ \t"]([^"\n{]*?)"?[ \t]*)?\{`)

// inlineComments may stand before a block's type and between its labels.
var inlineComments = Pattern(`(?s)/\*.*?\*/`)

// blanks are as many blanks as a text has bytes, but for line ends.
func blanks(text []byte) []byte {
	blank := bytes.Repeat([]byte(" "), len(text))
	for i, c := range text {
		if c == '\n' {
			blank[i] = c
		}
	}
	return blank
}

// eachBroken visits the blocks of a native file that can't be parsed that may
// hold something sensitive, with where they start and end. A block goes on to
// the next line that looks like the start of one; with a heredoc in it, which may
// hold such a line, to the end of the file.
func (s *Secrets) eachBroken(f *File, visit func(head *Block, from, to int)) {
	if f.Syntax == JSON {
		return
	}
	var starts [][]int
	for _, at := range heads().FindAllSubmatchIndex(inlineComments().ReplaceAllFunc(f.Given, blanks), -1) {
		if _, ok := f.Language.Blocks[string(f.Given[at[2]:at[3]])]; ok {
			starts = append(starts, at)
		}
	}
	for i, at := range starts {
		head := &Block{Type: string(f.Given[at[2]:at[3]])}
		arg, ok := s.hides[head.Type]
		if !ok {
			continue
		}
		if at[4] >= 0 {
			head.Labels = []string{string(f.Given[at[4]:at[5]])}
		}
		to := len(f.Given)
		if i+1 < len(starts) && !bytes.Contains(f.Given[at[0]:starts[i+1][0]], []byte("<<")) {
			to = starts[i+1][0]
		}
		if bytes.Contains(f.Given[at[0]:to], []byte(arg.flag)) || s.flagged[blockKey(head)] {
			visit(head, at[0], to)
		}
	}
}

// mentions tells whether a text names a flag at all.
func (s *Secrets) mentions(src []byte) bool {
	for _, arg := range s.hides {
		if bytes.Contains(src, []byte(arg.flag)) {
			return true
		}
	}
	return false
}

// linesIn lists what stands on each line of a stretch, but for a closing brace.
func linesIn(src []byte, from, to int) [][2]int {
	var found [][2]int
	for at := from; at < to; {
		end := lineEnd(src, at, to)
		text := bytes.TrimSpace(src[at:end])
		if start := at + bytes.Index(src[at:end], text); len(text) > 0 && string(text) != "}" {
			found = append(found, [2]int{start, start + len(text)})
		}
		at = end + len(src[end:to]) - len(bytes.TrimLeft(src[end:to], "\r\n"))
	}
	return found
}
