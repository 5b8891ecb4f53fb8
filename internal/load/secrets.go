package load

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
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
func hidingArguments() map[string]hidingArgument {
	found := map[string]hidingArgument{}
	for typ, block := range Root.Blocks {
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
	s := &Secrets{module: m, flagged: map[string]bool{}, hidden: map[*File][][2]int{}, hides: hidingArguments()}
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
	return b != nil && b.In == nil && s.hides[b.Type].value == a.Name && s.flagged[blockKey(b)]
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
	if f.Broken {
		return s.findBroken(f)
	}
	var all [][2]int
	for i := range f.Len() {
		arg, ok := s.hides[string(f.TypeOf(i))]
		if !ok || !s.flagged[blockKey(f.Block(i))] {
			continue
		}
		if a := f.Block(i).Tree().Body.Attr(arg.value); a != nil {
			at := f.Place(a.Value())
			all = append(all, [2]int{at.Start.Byte, at.End.Byte})
		}
	}
	return all
}

// findBroken hides more than need be, since of a file that can't be parsed
// nobody knows where its values end: what stands behind the equals signs of a
// block that is called sensitive somewhere, and everything of a JSON file that
// may call something so and is not even JSON.
func (s *Secrets) findBroken(f *File) [][2]int {
	var all [][2]int
	if f.Syntax == JSON {
		root, diags := parseJSON(f)
		if !diags.HasErrors() {
			s.findParsed(root, &all)
		} else if len(s.flagged) > 0 || s.mentions(f.Given) {
			all = [][2]int{{0, len(f.Given)}}
		}
		return all
	}
	s.eachBroken(f, func(b *Block, from, to int) { all = append(all, behindEquals(f.Given, from, to)...) })
	return all
}

// findParsed hides values of a JSON file that is well-formed and makes no sense.
func (s *Secrets) findParsed(root jsonValue, all *[][2]int) {
	for p := range root.objects() {
		arg, ok := s.hides[p.name()]
		if !ok {
			continue
		}
		for label := range p.objects() {
			flagged := s.flagged[blockKey(&Block{Type: p.name(), Labels: []string{label.name()}})]
			if flagged || bytes.Contains(label.raw(), []byte(strconv.Quote(arg.flag))) {
				valuesOf(label, arg.value, all)
			}
		}
	}
}

// valuesOf lists the values of a name anywhere in a value.
func valuesOf(v jsonValue, name string, all *[][2]int) {
	for c := range v.children() {
		if key := c.key(); key[0] < key[1] && c.name() == name {
			*all = append(*all, [2]int{int(c.span()[0]), int(c.span()[1])})
			continue
		}
		valuesOf(c, name, all)
	}
}

// eachBroken visits the blocks of a native file that can't be parsed that may
// hold something sensitive, with where they start and end.
func (s *Secrets) eachBroken(f *File, visit func(head *Block, from, to int)) {
	if f.Syntax == JSON {
		return
	}
	tokens, _ := hclsyntax.LexConfig(f.Given, f.Name, hcl.InitialPos)
	for _, span := range topLevel(tokens) {
		b := tokens[span[0]:span[1]]
		arg, ok := s.hides[string(b[0].Bytes)]
		if !ok {
			continue
		}
		head, from, to := headOf(b), b[0].Range.Start.Byte, b[len(b)-1].Range.End.Byte
		if bytes.Contains(f.Given[from:to], []byte(arg.flag)) || s.flagged[blockKey(head)] {
			visit(head, from, to)
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

// topLevel finds where the items of a file start and end among its tokens. One
// that is not closed goes to the end.
func topLevel(tokens hclsyntax.Tokens) [][2]int {
	var found [][2]int
	depth, start := 0, -1
	for i, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
		case hclsyntax.TokenCBrace, hclsyntax.TokenTemplateSeqEnd:
			depth--
		case hclsyntax.TokenIdent:
			if depth <= 0 && start < 0 {
				start, depth = i, 0
			}
		case hclsyntax.TokenNewline:
			if depth <= 0 && start >= 0 {
				found, start = append(found, [2]int{start, i}), -1
			}
		}
	}
	if start >= 0 {
		found = append(found, [2]int{start, len(tokens)})
	}
	return found
}

// headOf reads the type and the labels at the start of a block's tokens.
func headOf(tokens hclsyntax.Tokens) *Block {
	b := &Block{Type: string(tokens[0].Bytes)}
	for _, t := range tokens[1:] {
		switch t.Type {
		case hclsyntax.TokenQuotedLit, hclsyntax.TokenIdent:
			b.Labels = append(b.Labels, string(t.Bytes))
		case hclsyntax.TokenOBrace, hclsyntax.TokenNewline, hclsyntax.TokenEqual:
			return b
		}
	}
	return b
}

// behindEquals lists, line by line, what stands behind the first equals sign of
// each line, and the whole of lines that have none, but for the first line's head.
func behindEquals(src []byte, from, to int) [][2]int {
	var found [][2]int
	for at := from; at < to; {
		end := lineEnd(src, at, to)
		start := at
		if n := bytes.IndexByte(src[at:end], '='); n >= 0 {
			start = at + n + 1
		} else if at == from {
			start = end
		}
		for start < end && (src[start] == ' ' || src[start] == '\t') {
			start++
		}
		if start < end {
			found = append(found, [2]int{start, end})
		}
		at = end + len(src[end:to]) - len(bytes.TrimLeft(src[end:to], "\r\n"))
	}
	return slices.Clip(found)
}
