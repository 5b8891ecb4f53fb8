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
	flagged    map[string]bool           // addresses of blocks with a flag (sensitive, ephemeral) in any file
	hidden     map[*source.File][][2]int // ranges of File.Raw to hide, once they are needed
	hides      map[string]hidingArgument // by block type
	holders    map[string][]string       // what credentialHolders returns, by type of top-level block
	// mayFlagAny is set if a file that can't be parsed may flag any value.
	mayFlagAny bool
	// withheld caches whether the lines of a file that can't be parsed must be hidden.
	withheld map[*source.File]bool
}

// A hidingArgument names the flags of a block type, such as sensitive, and the argument whose value is secret if one
// of them is true.
type hidingArgument struct {
	flags []string
	value string
}

// hidingArguments returns, by top-level type, which flags make the value of which argument secret: in a variable,
// sensitive and others hide default.
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

// namesFlagIn reports whether the text of a block contains the name of a flag. Most don't, and needn't be parsed
// further.
func (h hidingArgument) namesFlagIn(text []byte) bool {
	return slices.ContainsFunc(h.flags, func(flag string) bool { return bytes.Contains(text, []byte(flag)) })
}

// mayBeFlaggedIn reports whether a flag of a block is true, or not constant and so perhaps true.
func (h hidingArgument) mayBeFlaggedIn(b *source.Block) bool {
	return slices.ContainsFunc(h.flags, func(flag string) bool {
		s := constant.SwitchOf(b.Attr(flag))
		return s == constant.On || s == constant.Unclear
	})
}

// Find returns the set of values in a module that must not be shown. If a file can't be read or parsed, any block may
// be flagged there, unless its text contains no flag's name. showSource turns off hiding whole files.
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
		case isUnparsed(f):
			isUnread := f.Raw == nil
			s.mayFlagAny = s.mayFlagAny || isUnread || s.mayFlag(f)
		case f.Broken: // JSON with errors in the configuration, but not in the syntax
			s.addFlaggedJSON(f)
		default:
			s.addFlagged(f)
		}
	}
	return s
}

// addFlagged adds the blocks of a file in which a flag makes a value secret.
func (s *Set) addFlagged(f *source.File) {
	for i := range f.Len() {
		arg, ok := s.hides[f.TypeOf(i)]
		if !ok || !arg.namesFlagIn(f.TextOf(i)) {
			continue
		}
		if b := f.Block(i); arg.mayBeFlaggedIn(b) {
			s.flagged[b.Address()] = true
		}
	}
}

// Share makes each of two sets hide what the other hides. It is for two readings of one directory by different
// engines.
func (s *Set) Share(other *Set) {
	maps.Copy(s.flagged, other.flagged)
	maps.Copy(other.flagged, s.flagged)
	s.mayFlagAny = s.mayFlagAny || other.mayFlagAny
	other.mayFlagAny = s.mayFlagAny
	for _, each := range []*Set{s, other} {
		// These results were computed from fewer flags.
		clear(each.hidden)
		clear(each.withheld)
	}
}

// Withholds reports whether no line of a file may be shown: it is outside the repository, or it can't be parsed, so
// that secrets can't be located, and may contain some.
func (s *Set) Withholds(f *source.File) bool {
	switch {
	case s.showSource:
		return false
	case f.Outside:
		return true
	case !isUnparsed(f):
		return false
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	withheld, known := s.withheld[f]
	if !known {
		// A flag in any file of the module may belong to a value in this one.
		withheld = s.mayFlagAny || len(s.flagged) > 0 || mayHoldCredentials(f) || slices.ContainsFunc(s.files, s.mayFlag)
		s.withheld[f] = withheld
	}
	return withheld
}

// isUnparsed reports whether a file can't be read or parsed, so that the values in it can't be located. In
// well-formed JSON they can be, even if its configuration has errors.
func isUnparsed(f *source.File) bool { return f.Broken && !jsonsyntax.IsWellFormed(f) }

// mayFlag reports whether a file may contain a flag that makes a value secret, judged by its text.
func (s *Set) mayFlag(f *source.File) bool {
	text := plainText(f)
	for _, arg := range s.hides {
		if arg.namesFlagIn(text) {
			return true
		}
	}
	// In JSON, escape sequences can spell any name. In well-formed JSON, the flags themselves are looked up.
	return isUnparsed(f) && f.Syntax == source.JSON && bytes.Contains(text, []byte(`\u`))
}

// mayHoldCredentials reports whether a file's text contains a name of credentials, anywhere. It is for files that
// can't be parsed. OfEncryption adds to the common names those of encryption blocks.
func mayHoldCredentials(f *source.File) bool {
	text := plainText(f)
	if bytes.Contains(text, []byte("encryption")) {
		return language.OfEncryption.AreIn(text)
	}
	return language.CommonCredentials.AreIn(text)
}

// plainText returns a file's text without NUL bytes: UTF-16 has one in each letter of a name, and a search wouldn't
// find the name.
func plainText(f *source.File) []byte {
	if bytes.IndexByte(f.Raw, 0) < 0 {
		return f.Raw
	}
	return bytes.ReplaceAll(f.Raw, []byte{0}, nil)
}

// Covers reports whether the value of an argument must not be shown.
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

// CoveredIn returns the ranges, in the native text, of the values in a block that must not be shown.
func (s *Set) CoveredIn(b *source.Block) [][2]int {
	names, shape := namesIn(b)
	return findIn(nil, b, names, shape, s.isMarked)
}

// isMarked reports whether the value of an argument must not be shown even if its name isn't one of a credential:
// because of a flag in its block, or because its file is outside the repository.
func (s *Set) isMarked(a *source.Attr) bool {
	if a.File.Outside && !s.showSource {
		return true
	}
	b := a.Within()
	isTopLevel := b != nil && b.Within() == nil
	return isTopLevel && s.isFlagged(b) && s.isHiddenByFlag(a)
}

// isFlagged reports whether a top-level block has a flag that makes a value secret, in any file, or may have one in a
// file that can't be parsed.
func (s *Set) isFlagged(b *source.Block) bool {
	_, canBe := s.hides[b.Type]
	return canBe && (s.mayFlagAny || s.flagged[b.Address()])
}

// isHiddenByFlag reports whether an argument is one whose value a flag in its block would make secret: default in a
// variable, for example, and a type that may contain default values, as in optional(string, "secret"). Whether the
// block has the flag is isFlagged's question.
func (s *Set) isHiddenByFlag(a *source.Attr) bool {
	if s.hides[a.Within().Type].value == a.Name {
		return true
	}
	shape, _ := language.Of(a.File.Engine).Block(a.Within().Type)
	arg, _ := shape.Body.Arg(a.Name)
	return arg.Kind.IsType() && bytes.Contains(a.File.Text(a.Value()), []byte("optional"))
}

// In returns the ranges of File.Raw that must not be shown, in order. It looks only at the part from offset from to
// offset to (exclusive), and cuts ranges that reach beyond it.
func (s *Set) In(f *source.File, from, to int) [][2]int {
	all := s.hiddenIn(f)
	var found [][2]int
	firstInside := sort.Search(len(all), func(i int) bool { return all[i][1] > from })
	for _, at := range all[firstInside:] {
		if at[0] >= to {
			break
		}
		found = append(found, [2]int{max(at[0], from), min(at[1], to)})
	}
	return found
}

// hiddenIn returns all ranges of a file that must not be shown, in order. It computes them on the first call.
func (s *Set) hiddenIn(f *source.File) [][2]int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all, known := s.hidden[f]
	if !known {
		all = outermost(s.findHidden(f))
		s.hidden[f] = all
	}
	return all
}

// outermost returns the ranges that aren't inside others. all must be ordered by their starts.
func outermost(all [][2]int) [][2]int {
	var list [][2]int
	for _, at := range all {
		if n := len(list); n == 0 || at[1] > list[n-1][1] {
			list = append(list, at)
		}
	}
	return list
}

// findHidden returns the ranges of a file to hide, in order; they may be inside one another. It parses only top-level
// blocks that may contain a secret, judged by their type and the words in their text.
func (s *Set) findHidden(f *source.File) [][2]int {
	switch {
	case isUnparsed(f):
		return nil // all of it is withheld, or nothing
	case f.Syntax == source.JSON:
		return s.findJSON(f)
	}
	var all [][2]int
	mayFlag := sync.OnceValue(func() bool { return s.mayFlag(f) }) // whether f has the name of a flag, such as sensitive
	for i := range f.Len() {
		_, hasFlags := s.hides[f.TypeOf(i)] // blocks of the type can be flagged
		_, isKnown := language.Of(f.Engine).Block(f.TypeOf(i))
		if isKnown && !hasFlags && !s.blockMayHoldCredentials(f, i) {
			continue
		}
		b := f.Block(i)
		names, shape := namesIn(b)
		switch {
		case !isKnown && (len(s.flagged) > 0 || s.mayFlagAny || mayFlag()):
			// The type may be misspelt and the block a flagged one, unless the module has no flag at all: hide all
			// its values.
			all = findIn(all, b, names, shape, func(*source.Attr) bool { return true })
		case s.isFlagged(b), s.blockMayHoldCredentials(f, i): // hide what the flag covers, and credentials
			all = findIn(all, b, names, shape, s.isMarked)
		}
	}
	return all
}

// blockMayHoldCredentials reports whether the top-level block with index i may contain credentials. It searches the
// text for the types of nested blocks that can. The type "" stands for the block itself, and is found in any text.
func (s *Set) blockMayHoldCredentials(f *source.File, i int) bool {
	text := f.TextOf(i)
	return slices.ContainsFunc(s.holders[f.TypeOf(i)],
		func(typ string) bool { return bytes.Contains(text, []byte(typ)) })
}

// findIn appends to all the ranges of the values in block b that must be hidden: arguments with a name in names, and
// those for which isHidden returns true. shape is the shape of the block's body.
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

// namesIn returns the names that arguments with credentials have in a block, nil if it has none, and the shape of the
// block's body. Names that apply to a block apply to all blocks inside it.
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

// namesWithin returns the names of credentials in a body: its own, or else those of the block around it.
func namesWithin(s *language.BodyShape, around language.CredentialNames) language.CredentialNames {
	if s != nil && s.Secrets != nil {
		return s.Secrets
	}
	return around
}

// credentialHolders returns the types of the nested blocks, at any depth, whose bodies list names of credentials. It
// doesn't look into those. If the body s itself lists some, it returns only "", which the caller replaces by the
// block's type. seen holds the bodies that were visited, because a body may contain blocks of its own kind.
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
			found = append(found, cmp.Or(holder, block.Name)) // "" stands for this block
		}
	}
	return found
}

// The hidden parts of a JSON file. Values are hidden by their names, so the file need not be valid
// configuration.

// addFlaggedJSON adds the blocks that contain the name of a flag, in a JSON file whose configuration has errors.
// Whether the flag is true isn't checked.
func (s *Set) addFlaggedJSON(f *source.File) {
	root, diags := jsontree.Parse(f)
	if diags.HasErrors() {
		s.mayFlagAny = true
		return
	}
	for p := range root.Objects() {
		for label := range p.Objects() { // {"variable": {"LABEL": {...}}}
			hasFlag := func(flag string) bool { return len(valuesOf(label, flag)) > 0 }
			if slices.ContainsFunc(s.hides[p.Name()].flags, hasFlag) {
				s.flagged[(&source.Block{Type: p.Name(), Labels: []string{label.Name()}}).Address()] = true
			}
		}
	}
}

// findJSON is findHidden for a JSON file. It goes by the names of properties alone, because the configuration may
// have errors. If the text isn't JSON, it returns the whole file.
func (s *Set) findJSON(f *source.File) [][2]int {
	root, diags := jsontree.Parse(f)
	if diags.HasErrors() {
		return [][2]int{{0, len(f.Raw)}}
	}
	var all [][2]int
	for byType := range root.Objects() { // "variable": {"LABEL": {...}}
		typ := byType.Name()
		// The values of flagged blocks, and defaults inside their types.
		if arg, ok := s.hides[typ]; ok {
			for body := range byType.Objects() { // "LABEL": {...}
				if s.isFlagged(&source.Block{Type: typ, Labels: []string{body.Name()}}) {
					for _, v := range append(valuesOf(body, arg.value), typesWithDefaults(body)...) {
						all = append(all, rangeOf(v))
					}
				}
			}
		}
		// Credentials, at any depth.
		if len(s.holders[typ]) > 0 {
			shape := language.Of(f.Engine).Top(typ).Body
			all = credentialsIn(all, byType, namesWithin(shape, nil), shape)
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	return all
}

// credentialsIn appends to all the ranges of the credentials in a JSON value, recognised by the names of properties.
// The value is a body of the given shape, or contains such bodies under labels. names are those of credentials in it.
func credentialsIn(all [][2]int, v jsontree.Value, names language.CredentialNames, shape *language.BodyShape) [][2]int {
	for c := range v.Children() {
		if names != nil && isCredential(c, names) {
			all = append(all, rangeOf(c))
			continue
		}
		// A nested block may have other names of credentials.
		if block, ok := shape.Block(c.Name()); ok && block.Body != nil {
			all = credentialsIn(all, c, namesWithin(block.Body, names), block.Body)
			continue
		}
		all = credentialsIn(all, c, names, shape) // a label, an element, or an argument's value, which may be an object
	}
	return all
}

// isCredential reports whether a JSON value is a credential by the name of its property, or a template with an object
// that has a property of such a name. A mere reference isn't one.
func isCredential(v jsontree.Value, names language.CredentialNames) bool {
	if language.IsBareReference(referenceIn(v)) {
		return false
	}
	return names.Has(v.Name()) || v.Kind() == '"' && names.AreInObject(v.Raw())
}

// referenceIn returns the expression in a JSON string that consists of "${...}", or nil for any other value.
func referenceIn(v jsontree.Value) []byte {
	text, isOpen := bytes.CutPrefix(v.Raw(), []byte(`"${`))
	text, isClosed := bytes.CutSuffix(text, []byte(`}"`))
	if !isOpen || !isClosed {
		return nil
	}
	return bytes.TrimSpace(text)
}

// typesWithDefaults returns the types in body, that of a JSON variable block, which contain default values, as in
// optional(string, "x"). These are secret if the variable is.
func typesWithDefaults(body jsontree.Value) []jsontree.Value {
	var all []jsontree.Value
	for _, arg := range language.Root.At("variable").Args {
		if !arg.Kind.IsType() {
			continue
		}
		for _, t := range valuesOf(body, arg.Name) {
			if bytes.Contains(t.Raw(), []byte("optional")) {
				all = append(all, t)
			}
		}
	}
	return all
}

// valuesOf returns the values of all properties with a name in a JSON value, at any depth, but doesn't look into
// those that it found.
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

// rangeOf returns the start and the end of a JSON value in its file.
func rangeOf(v jsontree.Value) [2]int {
	return [2]int{v.Start(), v.End()}
}
