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
	attr    *source.Attr
	changed *source.Attr // as in staticValue
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

// rulesThatMatter returns the rules that can refuse something in the files, judged by a search of their text: the
// rule's flag, such as const, or its blocks must occur, and an argument must be something else than a plain string.
// It spares most modules the work of judging. The other rules are deleted from the slice rules in place.
func rulesThatMatter(rules []*rule, files []*source.File) []*rule {
	texts := map[string][][]byte{} // of top-level blocks, by type
	// collect fills texts for some types.
	collect := func(types ...string) {
		for _, typ := range types {
			texts[typ] = nil // so that a type without blocks has an entry, too
		}
		for _, f := range files {
			for i := range f.Len() {
				if typ := f.TypeOf(i); slices.Contains(types, typ) {
					texts[typ] = append(texts[typ], f.TextOf(i))
				}
			}
		}
	}
	var tops []string
	for _, r := range rules {
		tops = append(tops, r.topTypes()...)
	}
	slices.Sort(tops)
	collect(slices.Compact(tops)...)
	known := map[[2]string]bool{} // results of contain, by type and word: several rules ask the same
	// contain reports whether a block of a type contains a word.
	contain := func(typ, word string) bool {
		at := [2]string{typ, word}
		found, isKnown := known[at]
		if !isKnown {
			if _, isCollected := texts[typ]; !isCollected {
				collect(typ) // variables and local values, of which there may be many
			}
			found = slices.ContainsFunc(texts[typ], func(text []byte) bool { return bytes.Contains(text, []byte(word)) })
			known[at] = found
		}
		return found
	}
	isVarying := map[string]bool{} // results of varies, by argument
	// varies reports whether an argument, such as module/source, may be other than a plain string.
	varies := func(arg string) bool {
		found, isKnown := isVarying[arg]
		if !isKnown {
			steps := strings.Split(arg, "/")
			found = slices.ContainsFunc(texts[steps[0]], func(text []byte) bool { return mayVary(text, steps[1]) })
			isVarying[arg] = found
		}
		return found
	}
	return slices.DeleteFunc(rules, func(r *rule) bool { // true deletes the rule
		// The rule matters if a block of one of the types contains one of the words.
		types, words := []string{variableType}, []string{r.flag}
		switch {
		case r.how == ifVarying:
			types, words = r.topTypes(), r.blockTypes()
		case !slices.ContainsFunc(r.args, varies):
			return true // plain strings are never refused
		case r.how == ifUnflagged, r.how == ifDynamic:
			return false // it may matter without any word
		case r.how == ifCalled: // flag is a function, which arguments and local values may call
			types = append(r.topTypes(), localsType)
		}
		return !slices.ContainsFunc(types, func(typ string) bool {
			return slices.ContainsFunc(words, func(word string) bool { return contain(typ, word) })
		})
	})
}

// mayVary reports whether the text of a block may set an argument, or one in a nested block, of that name to anything
// but a plain string: source = "./a" doesn't vary, source = "./${var.a}" does. It looks behind each occurrence of the
// name, and in doubt returns true.
func mayVary(block []byte, name string) bool {
	for {
		_, behind, isThere := bytes.Cut(block, []byte(name))
		if !isThere {
			return false
		}
		// Skip the name's closing quote in JSON, and the = or : after it.
		value, isText := bytes.CutPrefix(bytes.TrimLeft(bytes.TrimPrefix(behind, []byte(`"`)), " \t=:"), []byte(`"`))
		text, rest, _ := bytes.Cut(value, []byte(`"`))
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
