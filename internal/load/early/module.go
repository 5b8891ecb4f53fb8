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

// A Module holds what rows are about: the variables and the local values of a module, and the
// arguments that are computed early.
type Module struct {
	engine engine.Release
	rows   []*row
	tops   []string                           // types of the top-level blocks with such arguments
	flags  map[string]map[string]*source.Attr // arguments in effect of variables, by name
	at     map[string]source.Item             // where variables are declared
	locals map[string]*source.Attr
	uses   []use
	varies bool // some use is no text in quotes that stands for itself

	computed map[*source.Attr]computed
}

// A use is an argument that is computed early.
type use struct {
	name, path string
	attr       *source.Attr
}

// A computed argument has the value that local values make of it.
type computed struct {
	attr    *source.Attr
	changed *source.Attr // as in static
}

// NewModule returns a module without contents, or nil if the engine can't refuse anything: if none
// of the files contains what rows of the engine are about.
func NewModule(e engine.Release, files []*source.File) *Module {
	rows := mayMatter(rowsOf(e), files)
	if len(rows) == 0 {
		return nil
	}
	m := &Module{engine: e, rows: rows, flags: map[string]map[string]*source.Attr{}, at: map[string]source.Item{}, locals: map[string]*source.Attr{}, computed: map[*source.Attr]computed{}}
	for _, r := range rows {
		m.tops = append(m.tops, r.tops()...)
	}
	return m
}

// mayMatter returns the rows that can matter: their flags, or blocks, appear in the text of files, and an
// argument may be something else than plain text. Hardly any module contains const.
func mayMatter(rows []*row, files []*source.File) []*row {
	texts := map[string][][]byte{} // of top-level blocks, by type
	collect := func(types ...string) {
		for _, typ := range types {
			texts[typ] = nil
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
	for _, r := range rows {
		tops = append(tops, r.tops()...)
	}
	slices.Sort(tops)
	collect(slices.Compact(tops)...)
	known := map[[2]string]bool{} // by type and word: several rows share them
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
	vary := map[string]bool{} // several rows share arguments, too
	varies := func(arg string) bool {
		found, isKnown := vary[arg]
		if !isKnown {
			steps := strings.Split(arg, "/")
			found = slices.ContainsFunc(texts[steps[0]], func(text []byte) bool { return mayVary(text, steps[1]) })
			vary[arg] = found
		}
		return found
	}
	return slices.DeleteFunc(rows, func(r *row) bool {
		types, words := []string{variableType}, []string{r.flag}
		switch {
		case r.how == ifVarying:
			types, words = r.tops(), r.blocks()
		case !slices.ContainsFunc(r.args, varies):
			return true
		case r.how == ifUnflagged, r.how == ifDynamic:
			return false
		case r.how == ifCalled:
			types = append(r.tops(), localsType)
		}
		return !slices.ContainsFunc(types, func(typ string) bool {
			return slices.ContainsFunc(words, func(word string) bool { return contain(typ, word) })
		})
	})
}

// mayVary reports whether an argument with a name in the text of a block, or a block with it, may be
// something else than strings in quotes that stand for themselves.
func mayVary(block []byte, name string) bool {
	for {
		_, behind, isThere := bytes.Cut(block, []byte(name))
		if !isThere {
			return false
		}
		value, isText := bytes.CutPrefix(bytes.TrimLeft(bytes.TrimPrefix(behind, []byte(`"`)), " \t=:"), []byte(`"`))
		text, end, _ := bytes.Cut(value, []byte(`"`))
		if !isText || bytes.ContainsAny(text, `$%\`) || len(end) > 0 && bytes.IndexByte([]byte("\r\n,}"), end[0]) < 0 {
			return true
		}
		block = end
	}
}

// Computes reports whether blocks of a top-level type have arguments that are computed early.
func (m *Module) Computes(typ string) bool { return slices.Contains(m.tops, typ) }

// AreConstant reports whether each argument that was added is a text in quotes that stands for itself, so
// that none can be refused.
func (m *Module) AreConstant() bool { return !m.varies }

// ReadsNames reports whether early values may depend on what blocks of a top-level type declare: variables
// and local values.
func (m *Module) ReadsNames(typ string) bool {
	isNames := typ == variableType || typ == localsType
	return isNames && slices.ContainsFunc(m.rows, func(r *row) bool { return r.how != ifVarying })
}

// Declare adds an effective block, by its type and its name, before its arguments.
func (m *Module) Declare(typ, name string, at source.Item) {
	if typ == variableType {
		m.at[name] = at
		m.flags[name] = map[string]*source.Attr{}
	}
}

// Add adds an effective argument at a path in the block that was declared by that name.
func (m *Module) Add(name, path string, a *source.Attr) {
	switch {
	case strings.HasPrefix(path, variablePath):
		m.flags[name][strings.TrimPrefix(path, variablePath)] = a
	case strings.HasPrefix(path, localsPath):
		m.locals[a.Name] = a
	case slices.ContainsFunc(m.rows, func(r *row) bool { return r.has(path) }):
		m.uses = append(m.uses, use{name, path, a})
		_, isPlain := a.PlainText()
		m.varies = m.varies || !isPlain
	}
}
