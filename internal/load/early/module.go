package early

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// What values are made of.
const (
	variableType, variablePath = "variable", "variable/"
	localsType, localsPath     = "locals", "locals/"
)

// A Module holds what rules are about: the variables and the local values of a module, and the
// arguments that are computed early.
type Module struct {
	engine     engine.Release
	rules      []*rule
	tops       []string                           // types of the top-level blocks with such arguments
	flags      map[string]map[string]*source.Attr // arguments of the merged variables, by the variable's name
	declaredAt map[string]source.Item             // where variables are declared
	locals     map[string]*source.Attr
	earlyArgs  []earlyArg
	varies     bool // some early argument is not a plain string in quotes

	computed map[*source.Attr]computed
}

// An earlyArg is an argument that is computed early.
type earlyArg struct {
	name, path string // the name of its block, and its path, such as module/source
	attr       *source.Attr
}

// A computed holds a copy of an argument, attr, with the value that local values give it, where the original has
// references.
type computed struct {
	attr     *source.Attr
	override *source.Attr // as in staticValue
}

// NewModule returns a Module to which the merged module's values are added. It returns nil if no rule can apply,
// because no file contains the names that rules are about: then no values need to be collected.
func NewModule(e engine.Release, files []*source.File) *Module {
	rules := rulesThatMatter(rulesOf(e), files)
	if len(rules) == 0 {
		return nil
	}
	m := &Module{engine: e, rules: rules, flags: map[string]map[string]*source.Attr{}, declaredAt: map[string]source.Item{}, locals: map[string]*source.Attr{}, computed: map[*source.Attr]computed{}}
	for _, r := range rules {
		m.tops = append(m.tops, r.topTypes()...)
	}
	return m
}

// rulesThatMatter returns the rules that can refuse something in the files, judged by a search of their text. It
// spares most modules the work of judging. The other rules are deleted from the slice rules in place.
func rulesThatMatter(rules []*rule, files []*source.File) []*rule {
	s := &textSearch{files: files, texts: map[string][][]byte{}, contained: map[[2]string]bool{}, varying: map[string]bool{}}
	var tops []string
	for _, r := range rules {
		tops = append(tops, r.topTypes()...)
	}
	slices.Sort(tops)
	s.collect(slices.Compact(tops)...)
	return slices.DeleteFunc(rules, func(r *rule) bool { return !s.matters(r) })
}

// A textSearch looks for words in the text of top-level blocks. It keeps results, because several rules ask the same.
type textSearch struct {
	files     []*source.File
	texts     map[string][][]byte // of blocks, by type; only of the types collected so far
	contained map[[2]string]bool  // results of contains, by type and word
	varying   map[string]bool     // results of varies, by argument
}

// collect fills s.texts for some types.
func (s *textSearch) collect(types ...string) {
	for _, typ := range types {
		s.texts[typ] = nil // so that a type without blocks has an entry, too
	}
	for _, f := range s.files {
		for i := range f.Len() {
			if typ := f.TypeOf(i); slices.Contains(types, typ) {
				s.texts[typ] = append(s.texts[typ], f.TextOf(i))
			}
		}
	}
}

// matters reports whether a rule can refuse something: one of its arguments is something else than a plain string,
// and the rule's flag, such as const, occurs in a variable. Rules of some kinds look for less, or for other words.
func (s *textSearch) matters(r *rule) bool {
	types, words := []string{variableType}, []string{r.flag} // look for one of the words in blocks of these types
	switch {
	case r.how == ifVarying:
		types, words = r.topTypes(), r.blockTypes()
	case !slices.ContainsFunc(r.args, s.varies):
		return false // plain strings are never refused
	case r.how == ifUnflagged, r.how == ifDynamic:
		return true // it may matter without any word
	case r.how == ifCalled: // flag is a function, which arguments and local values may call
		types = append(r.topTypes(), localsType)
	}
	return slices.ContainsFunc(types, func(typ string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return s.contains(typ, word) })
	})
}

// contains reports whether a block of a type contains a word.
func (s *textSearch) contains(typ, word string) bool {
	at := [2]string{typ, word}
	found, isKnown := s.contained[at]
	if !isKnown {
		if _, isCollected := s.texts[typ]; !isCollected {
			s.collect(typ) // variables and local values, of which there may be many
		}
		found = slices.ContainsFunc(s.texts[typ], func(text []byte) bool { return bytes.Contains(text, []byte(word)) })
		s.contained[at] = found
	}
	return found
}

// varies reports whether an argument, such as module/source, may be other than a plain string.
func (s *textSearch) varies(arg string) bool {
	found, isKnown := s.varying[arg]
	if !isKnown {
		steps := strings.Split(arg, "/")
		found = slices.ContainsFunc(s.texts[steps[0]], func(text []byte) bool { return mayVary(text, steps[1]) })
		s.varying[arg] = found
	}
	return found
}

// mayVary reports whether the text of a block may set an argument, or one in a nested block, of that name to anything
// but a plain string: source = "./a" doesn't vary, source = "./${var.a}" does. It looks behind each occurrence of the
// name, even in a comment or a longer word. In doubt it returns true, which only costs time.
func mayVary(block []byte, name string) bool {
	for {
		_, behind, isThere := bytes.Cut(block, []byte(name))
		if !isThere {
			return false
		}
		behind = bytes.TrimPrefix(behind, []byte(`"`)) // the name's closing quote in JSON
		value := bytes.TrimLeft(behind, " \t=:")
		inQuotes, isText := bytes.CutPrefix(value, []byte(`"`))
		text, rest, _ := bytes.Cut(inQuotes, []byte(`"`))
		hasTemplate := bytes.ContainsAny(text, `$%\`)                                // or an escape sequence
		isWhole := len(rest) == 0 || bytes.IndexByte([]byte("\r\n,}"), rest[0]) >= 0 // nothing follows the string
		if !isText || hasTemplate || !isWhole {
			return true
		}
		block = rest
	}
}

// Computes reports whether blocks of a top-level type have arguments that the engine computes early.
func (m *Module) Computes(typ string) bool { return slices.Contains(m.tops, typ) }

// AreConstant reports whether every argument that was added is a plain string in quotes, so that no rule can refuse
// one. Then variables and local values needn't be added.
func (m *Module) AreConstant() bool { return !m.varies }

// ReadsNames reports whether blocks of a top-level type must be declared and added, because early values may depend
// on them. These are variable and locals blocks. Rules of kind ifVarying refuse any reference, so they need neither.
func (m *Module) ReadsNames(typ string) bool {
	isNames := typ == variableType || typ == localsType
	return isNames && slices.ContainsFunc(m.rules, func(r *rule) bool { return r.how != ifVarying })
}

// Declare announces a merged block by its type and name. Call it before its arguments are added. Only variables are
// noted.
func (m *Module) Declare(typ, name string, at source.Item) {
	if typ == variableType {
		m.declaredAt[name] = at
		m.flags[name] = map[string]*source.Attr{}
	}
}

// Add adds a merged argument, if some rule needs it. name is its block's name, as passed to Declare; path is its
// place in the language, such as module/source.
func (m *Module) Add(name, path string, a *source.Attr) {
	switch {
	case strings.HasPrefix(path, variablePath):
		m.flags[name][strings.TrimPrefix(path, variablePath)] = a
	case strings.HasPrefix(path, localsPath):
		m.locals[a.Name] = a
	case slices.ContainsFunc(m.rules, func(r *rule) bool { return r.covers(path) }):
		m.earlyArgs = append(m.earlyArgs, earlyArg{name, path, a})
		_, isPlain := a.PlainText()
		m.varies = m.varies || !isPlain
	}
}
