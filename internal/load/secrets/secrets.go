// Package secrets finds the values of a module that must not be shown: values that the
// configuration marks sensitive or ephemeral, and credentials, which are found by the names of
// arguments.
//
// It returns the stretches of the module's files to withhold. A file that can't be parsed is
// withheld as a whole if it may contain such a value.
package secrets

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"sort"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Values that a module marks sensitive or ephemeral are not shown to people, in no layer: one mark
// in any file is enough. Credentials are found by their names.

// A Set knows which values of a module must not be shown.
type Set struct {
	files      []*source.File
	showSource bool
	mutex      sync.Mutex                // guards hidden and withheld
	flagged    map[string]bool           // keys of blocks that some file marks
	hidden     map[*source.File][][2]int // where the values are in File.Raw, once needed
	hides      map[string]hidingArgument // by block type
	holders    map[string][]string       // holders of top-level blocks, by their types
	// unsure is set if a file that can't be parsed may flag any value.
	unsure bool
	// withheld caches whether the lines of a file that can't be parsed must be hidden.
	withheld map[*source.File]bool
}

// A hidingArgument names flags of a type of block, each of which makes the value of another argument a
// secret.
type hidingArgument struct {
	flags []string
	value string
}

// hidingArguments returns the flags that hide a value, by the top-level types that have any.
func hidingArguments(root *language.BodyShape) map[string]hidingArgument {
	found := map[string]hidingArgument{}
	for _, block := range root.Blocks {
		if block.Body == nil {
			continue
		}
		for _, arg := range block.Body.Args {
			if arg.Hides != "" {
				found[block.Name] = hidingArgument{append(found[block.Name].flags, arg.Name), arg.Hides}
			}
		}
	}
	return found
}

// areNamedIn reports whether a text contains the name of a flag. Most blocks don't, and needn't be built.
func (h hidingArgument) areNamedIn(text []byte) bool {
	return slices.ContainsFunc(h.flags, func(flag string) bool { return bytes.Contains(text, []byte(flag)) })
}

// mayBeOnIn reports whether a flag of a block is on, or may be because it isn't constant.
func (h hidingArgument) mayBeOnIn(b *source.Block) bool {
	return slices.ContainsFunc(h.flags, func(flag string) bool {
		s := constant.SwitchOf(b.Attr(flag))
		return s == constant.On || s == constant.Unclear
	})
}

// Find returns the set of values in a module that must not be shown. A file that can't be read or parsed
// may flag any value, unless no flag is named in it.
func Find(files []*source.File, e engine.Release, showSource bool) *Set {
	root := language.Of(e)
	s := &Set{
		files:      files,
		showSource: showSource,
		flagged:    map[string]bool{},
		hidden:     map[*source.File][][2]int{},
		withheld:   map[*source.File]bool{},
		hides:      hidingArguments(root),
		holders:    map[string][]string{},
	}
	for _, block := range root.Blocks {
		s.holders[block.Name] = credentialHolders(block.Body, map[*language.BodyShape]bool{})
	}
	for _, f := range files {
		switch {
		case isUnclear(f):
			s.unsure = s.unsure || f.Raw == nil || s.mayFlag(f)
		case f.Broken:
			s.flagJSON(f)
		default:
			s.flag(f)
		}
	}
	return s
}

// flag marks the blocks of a file in which a flag hides a value.
func (s *Set) flag(f *source.File) {
	for i := range f.Len() {
		arg, ok := s.hides[f.TypeOf(i)]
		if !ok || !arg.areNamedIn(f.TextOf(i)) {
			continue
		}
		if b := f.Block(i); arg.mayBeOnIn(b) {
			s.flagged[b.Address()] = true
		}
	}
}

// Share makes both sets hide what either hides.
func (s *Set) Share(other *Set) {
	maps.Copy(s.flagged, other.flagged)
	maps.Copy(other.flagged, s.flagged)
	s.unsure = s.unsure || other.unsure
	other.unsure = s.unsure
	for _, each := range []*Set{s, other} {
		clear(each.hidden)
		clear(each.withheld)
	}
}

// Withholds reports whether no line of a file may be shown: the file is outside the repository, or it can't
// be parsed, so that secrets in it can't be located, and the module may have some.
func (s *Set) Withholds(f *source.File) bool {
	switch {
	case s.showSource:
		return false
	case f.Outside:
		return true
	case !isUnclear(f):
		return false
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	withheld, known := s.withheld[f]
	if !known {
		withheld = s.unsure || len(s.flagged) > 0 || mayHoldCredentials(f) || slices.ContainsFunc(s.files, s.mayFlag)
		s.withheld[f] = withheld
	}
	return withheld
}

// isUnclear reports whether a file can't be read or parsed, so that values in it can't be located. In
// well-formed JSON they can, even if the file is broken.
func isUnclear(f *source.File) bool { return f.Broken && !jsonsyntax.IsWellFormed(f) }

// mayFlag reports whether a file may hold the name of a flag.
func (s *Set) mayFlag(f *source.File) bool {
	text := plainText(f)
	for _, arg := range s.hides {
		if arg.areNamedIn(text) {
			return true
		}
	}
	return isUnclear(f) && f.Syntax == source.JSON && bytes.Contains(text, []byte(`\u`)) // any name
}

// mayHoldCredentials reports whether a file contains the name of an argument that may be a
// credential, in any block.
func mayHoldCredentials(f *source.File) bool {
	text := plainText(f)
	if bytes.Contains(text, []byte("encryption")) {
		return language.OfEncryption.AreIn(text)
	}
	return language.CommonCredentials.AreIn(text)
}

// plainText returns a file's text without the zeros that UTF-16 puts between letters, so that names can be
// found in it.
func plainText(f *source.File) []byte {
	if bytes.IndexByte(f.Raw, 0) < 0 {
		return f.Raw
	}
	return bytes.ReplaceAll(f.Raw, []byte{0}, nil)
}

// Covers reports whether an argument's value must not be shown.
func (s *Set) Covers(a *source.Attr) bool {
	switch b := a.Within(); {
	case s.isMarked(a):
		return true
	case b == nil:
		return false
	default:
		names, _ := namesIn(b)
		return names.Hide(a)
	}
}

// CoveredIn lists where in the native text the values in a block are that Covers.
func (s *Set) CoveredIn(b *source.Block) [][2]int {
	names, shape := namesIn(b)
	return findIn(nil, b, names, shape, s.isMarked)
}

// isMarked reports whether an argument's value must not be shown whatever its name is: because of a flag,
// or because its file is outside the repository.
func (s *Set) isMarked(a *source.Attr) bool {
	b := a.Within()
	return a.File.Outside && !s.showSource || b != nil && b.Within() == nil && s.isFlagged(b) && s.isValue(a)
}

// isFlagged reports whether a flag hides values in a top-level block, in any file.
func (s *Set) isFlagged(b *source.Block) bool {
	_, canBe := s.hides[b.Type]
	return canBe && (s.unsure || s.flagged[b.Address()])
}

// isValue reports whether a flag of its block hides an argument. The type counts if it may hold the
// defaults of optional attributes, which are values like any other.
func (s *Set) isValue(a *source.Attr) bool {
	shape, _ := language.Of(a.File.Engine).Block(a.Within().Type)
	arg, _ := shape.Body.Arg(a.Name)
	return s.hides[a.Within().Type].value == a.Name || arg.Kind.IsType() && bytes.Contains(a.File.Text(a.Value()), []byte("optional"))
}

// In lists the stretches between two offsets of File.Raw that must not be shown, in order.
func (s *Set) In(f *source.File, from, to int) [][2]int {
	all := s.hiddenIn(f)
	var found [][2]int
	first := sort.Search(len(all), func(i int) bool { return all[i][1] > from })
	for _, at := range all[first:] {
		if at[0] >= to {
			break
		}
		found = append(found, [2]int{max(at[0], from), min(at[1], to)})
	}
	return found
}

// hiddenIn lists all stretches of a file that must not be shown, in order. It computes them once.
func (s *Set) hiddenIn(f *source.File) [][2]int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all, known := s.hidden[f]
	if !known {
		all = outermost(s.find(f))
		s.hidden[f] = all
	}
	return all
}

// outermost returns the stretches that are not inside others. The list must be ordered by their starts.
func outermost(all [][2]int) [][2]int {
	var list [][2]int
	for _, at := range all {
		if n := len(list); n == 0 || at[1] > list[n-1][1] {
			list = append(list, at)
		}
	}
	return list
}

// find lists the stretches of a file to hide, in order. It looks only into top-level blocks that may hold a
// secret, by their type or the words in their text.
func (s *Set) find(f *source.File) [][2]int {
	switch {
	case isUnclear(f):
		return nil // all of it is withheld, or nothing
	case f.Syntax == source.JSON:
		return s.findJSON(f)
	}
	var all [][2]int
	mayFlag := sync.OnceValue(func() bool { return s.mayFlag(f) })
	for i := range f.Len() {
		_, canBe := s.hides[f.TypeOf(i)]
		_, isKnown := language.Of(f.Engine).Block(f.TypeOf(i))
		if isKnown && !canBe && !s.mayHold(f, i) {
			continue
		}
		b := f.Block(i)
		names, shape := namesIn(b)
		switch {
		case !isKnown && (len(s.flagged) > 0 || s.unsure || mayFlag()):
			// a type that may be misspelt
			all = findIn(all, b, names, shape, func(*source.Attr) bool { return true })
		case s.isFlagged(b), s.mayHold(f, i):
			all = findIn(all, b, names, shape, s.isMarked)
		}
	}
	return all
}

// mayHold reports whether the top-level block with index i may hold credentials.
func (s *Set) mayHold(f *source.File, i int) bool {
	text := f.TextOf(i)
	return slices.ContainsFunc(s.holders[f.TypeOf(i)],
		func(typ string) bool { return bytes.Contains(text, []byte(typ)) })
}

// findIn appends the stretches of the values in a block to hide: by their names, or because isHidden says
// so.
func findIn(all [][2]int, b *source.Block, names language.CredentialNames, shape *language.BodyShape,
	isHidden func(*source.Attr) bool) [][2]int {
	for _, it := range b.Items() {
		switch it := it.(type) {
		case *source.Attr:
			if isHidden(it) || names.Hide(it) {
				all = append(all, [2]int{it.Value().Start.Byte, it.Value().End.Byte})
			}
		case *source.Block:
			inner, _ := shape.Inner(it)
			all = findIn(all, it, namesWithin(inner.Body, names), inner.Body, isHidden)
		}
	}
	return all
}

// Arguments with which providers, backends, key providers and connections prove who they are. No
// flag in the configuration marks them as secret, only their names.

// namesIn returns the names of credentials that count in a block, and the shape of its body. The names of a
// block apply to everything inside.
func namesIn(b *source.Block) (language.CredentialNames, *language.BodyShape) {
	around := b.Within()
	if around == nil {
		shape := language.Of(b.File.Engine).Top(b.Type).Body
		return namesWithin(shape, nil), shape
	}
	names, outer := namesIn(around)
	inner, _ := outer.Inner(b)
	return namesWithin(inner.Body, names), inner.Body
}

// namesWithin returns the names of credentials in a body: its own ones, or those of the block around it.
func namesWithin(s *language.BodyShape, around language.CredentialNames) language.CredentialNames {
	if s != nil && s.Secrets != nil {
		return s.Secrets
	}
	return around
}

// credentialHolders lists the types of the nested blocks, at any depth, in which names of credentials begin to count.
// "" stands for the body itself.
func credentialHolders(s *language.BodyShape, seen map[*language.BodyShape]bool) []string {
	switch {
	case s == nil || seen[s]:
		return nil
	case s.Secrets != nil:
		return []string{""}
	}
	seen[s] = true
	var found []string
	for _, block := range s.Blocks {
		for _, holder := range credentialHolders(block.Body, seen) {
			found = append(found, cmp.Or(holder, block.Name))
		}
	}
	return found
}

// The hidden parts of a JSON file. Values are hidden by their names, so the file need not be valid
// configuration.

// flagJSON marks the blocks that name a flag, on or off, in a JSON file with errors.
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

// findJSON is find for a JSON file. It goes by names only, so the file need not be valid configuration.
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
						all = append(all, stretchOf(v))
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

// credentialsIn appends where the credentials in a value are, by their names. The value holds bodies of a
// shape, or objects whose keys are labels.
func credentialsIn(all [][2]int, v jsontree.Value, names language.CredentialNames, shape *language.BodyShape) [][2]int {
	for c := range v.Children() {
		name := c.Name()
		if names != nil && !language.IsBareReference(referenceIn(c)) &&
			(names.Has(name) || c.Kind() == '"' && names.AreInObject(c.Raw())) {
			all = append(all, stretchOf(c))
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

// referenceIn returns the expression in a string such as "${...}", or nil for any other value.
func referenceIn(v jsontree.Value) []byte {
	text, isOpen := bytes.CutPrefix(v.Raw(), []byte(`"${`))
	text, isClosed := bytes.CutSuffix(text, []byte(`}"`))
	if !isOpen || !isClosed {
		return nil
	}
	return bytes.TrimSpace(text)
}

// typesWithDefaults lists the types with defaults of optional attributes in a block. It searches under the
// name that the type of a variable has.
func typesWithDefaults(v jsontree.Value) []jsontree.Value {
	var all []jsontree.Value
	for _, arg := range language.Root.At("variable").Args {
		for _, t := range valuesOf(v, arg.Name) {
			if arg.Kind.IsType() && bytes.Contains(t.Raw(), []byte("optional")) {
				all = append(all, t)
			}
		}
	}
	return all
}

// valuesOf lists the values under a name anywhere in a value, but not inside one another.
func valuesOf(v jsontree.Value, name string) []jsontree.Value {
	var all []jsontree.Value
	for c := range v.Children() {
		if c.IsMember() && c.Name() == name {
			all = append(all, c)
			continue
		}
		all = append(all, valuesOf(c, name)...)
	}
	return all
}

// stretchOf returns where a value is in its file.
func stretchOf(v jsontree.Value) [2]int {
	return [2]int{v.Start(), v.End()}
}
