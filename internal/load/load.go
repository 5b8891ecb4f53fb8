// Package load turns the configuration files of one module directory into trees of items, which are
// arguments and blocks as their authors wrote them.
//
// Given a directory, or the contents of files, and the release of the engine to load it as, it
// returns the files in load order with their roles, the items of each, and diagnostics; in a
// directory with main.tf, net.tf and net_override.tf:
//
//	main.tf          primary
//	net.tf           primary
//	net_override.tf  override
//
// Each block is judged by the shape that the language gives it: which arguments and nested blocks
// it may hold, how many, and what kind of value each takes. Every piece of an item is a range of
// its file's bytes. Nothing is copied or laid out; the only values computed are the constants that
// an engine computes while it loads (a variable's type and default, flags, version constraints).
//
// A JSON file is translated to native text, whose items it gets, so that other packages deal with
// one syntax. Each item keeps the range of its JSON text, to which diagnostics point and which JSON
// output repeats. Whether a property is an argument or a nested block is decided here, once, and
// guesses are reported.
//
// The package refuses files that cannot be read safely before it parses them: files that are not
// regular, that are larger than a limit, or that nest deeper than limits.MaxDepth. It does not
// combine files: package merge applies override files to primary files.
//
// Trouble in a user's file is reported as hcl.Diagnostics, all of it, in file order. Trouble with
// the world (for example, a missing directory) is an error.
package load

import (
	"bytes"
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/secrets"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Options control how a directory is loaded. The zero value loads it as DefaultEngine does, with
// input.MaxFileSize.
type Options struct {
	Engine      engine.Release
	MaxFileSize int64 // bytes
	// Schema is Module.Schema.
	Schema *providerschema.Schema
	// Overlays are merged behind the override files of the directory.
	Overlays []Overlay
	// Excluded, if set, reports whether the override file of a name is left out.
	Excluded func(name string) bool
	// Contents replaces or adds files of the directory, by name; where all others are
	// Absent, no file is read.
	Contents map[string][]byte
	// Absent, if set, reports whether a name of the directory is taken not to exist.
	Absent func(name string) bool
	// Parsed makes the parser read all native text, including text that the outline could read
	// without it. Only tests set it, to compare the two.
	Parsed bool
	// Sized, if set, is called when a file was read, with the bytes of all native and JSON
	// files so far. Several goroutines may call it at once.
	Sized func(native, json int64)
	// EscapesRepo, if set, reports whether a path points outside the directories whose files
	// messages may quote.
	EscapesRepo func(path string) bool
	// ShowSource is Module.ShowSource.
	ShowSource bool
	// From, if set, is where the files are, instead of on the disk.
	From Directory
	// Read, if set, reads a file of at most limit bytes as input.ReadFile does. Several
	// goroutines may call it at once.
	Read func(path string, limit int64) ([]byte, error)
	// Ahead, if set, holds texts by path, and the names in directories: what was read from the disk to
	// choose the engine. Loading takes them out.
	Ahead *sync.Map
	// Cache, if set, holds earlier loads of the same directory.
	Cache *Cache
}

// Dir loads the module in a directory. The diagnostics are those of each file, in load order, followed by those about
// conflicts between files. The module is returned even with errors, and holds whatever could be read. The error is
// about the directory itself: it is missing, unreadable, or contains no configuration file (*NoFilesError).
//
// To save memory, blocks of primary files keep their contents only if an override file may change them; of the
// others, only the text is kept. Override files are therefore loaded first.
func Dir(dir string, opts Options) (*Module, hcl.Diagnostics, error) {
	if opts.Engine.Version == "" {
		opts.Engine = engine.Default()
	}
	opts.MaxFileSize = cmp.Or(opts.MaxFileSize, input.MaxFileSize)
	names, links, err := opts.readNames(dir)
	if err != nil {
		return nil, nil, err
	}
	m := &Module{
		Dir:        dir,
		Engine:     opts.Engine,
		Names:      Classify(opts.names(names), opts.Engine),
		ShowSource: opts.ShowSource,
		Schema:     opts.Schema,
	}
	m.markExcluded(opts.Excluded)
	m.Files = m.files(dir)
	// Files whose text the options contain aren't read.
	for _, f := range m.Files {
		text, isGiven := opts.Contents[f.Name]
		if isGiven && text == nil {
			text = []byte{} // an empty file; nil would have it read from the disk
		}
		f.Raw = text
	}
	m.addOverlays(opts.Overlays)
	m.indexByName()
	m.markOutside(links, opts.EscapesRepo)
	m.readFrom(opts.From)
	for _, f := range m.Files {
		f.Engine = opts.Engine
	}
	if len(m.Files) == 0 {
		return nil, nil, &NoFilesError{Dir: dir, Engine: m.Engine, Names: m.Names, Of: opts.origin()}
	}
	diags := (&loader{opts: opts}).loadFiles(m)
	opts.Cache.keepOnly(m) // drops files that the module no longer has
	m.HideQuotes(diags)
	return m, diags, nil
}

// names returns the names of the directory that options ask for: those found, without the ones that Absent reports,
// plus those of Contents. It reuses the memory of found.
func (o Options) names(found []string) []string {
	names := slices.DeleteFunc(found, func(name string) bool {
		_, isGiven := o.Contents[name]
		return isGiven || o.Absent != nil && o.Absent(name)
	})
	names = slices.AppendSeq(names, maps.Keys(o.Contents))
	slices.Sort(names)
	return names
}

// loadFiles loads the files of m, several at a time. JSON files are read first, but translated last, because native
// files show which names are arguments and which are nested blocks. In between come native files: first override
// files, which decide which blocks of primary files keep their contents, then primary files.
func (l *loader) loadFiles(m *Module) hcl.Diagnostics {
	firstOverride := slices.IndexFunc(m.Files, func(f *source.File) bool { return f.Role == source.Override })
	if firstOverride < 0 {
		firstOverride = len(m.Files)
	}
	results := make([]hcl.Diagnostics, len(m.Files))
	// step calls do for each file of a syntax with an index in [from, to), several at a time.
	step := func(from, to int, syntax source.Syntax, do func(i int) hcl.Diagnostics) {
		parallel.Each(to-from, func(offset int) {
			if i := from + offset; m.Files[i].Syntax == syntax {
				results[i] = append(results[i], do(i)...)
			}
		})
	}
	l.ambiguous = jsonsyntax.Ambiguous{}
	l.evidenceOf = map[*source.File]jsonsyntax.Evidence{}
	l.mixed = slices.ContainsFunc(m.Files, func(f *source.File) bool { return f.Syntax == source.JSON })
	// JSON files: find their blocks and ambiguous names, which the next steps need.
	step(0, len(m.Files), source.JSON, func(i int) hcl.Diagnostics { return l.readJSON(m.Files[i]) })
	loadNative := func(i int) (diags hcl.Diagnostics) {
		m.Files[i], diags = l.loadCached(m.Files[i])
		return append(diags, checkBytes(m.Files[i])...)
	}
	// Native override files, and then all blocks that override files address.
	step(firstOverride, len(m.Files), source.Native, loadNative)
	m.addressed = addressedBy(m.Files[firstOverride:], l.opts.Engine)
	l.addressed = m.addressed
	l.addressedNumber = l.opts.Cache.numberOf(l.addressed)
	// Native primary files.
	step(0, firstOverride, source.Native, loadNative)
	m.indexByName() // again: the cache may have replaced files
	// JSON files again: translate them, with CRLF if a primary file has that.
	l.crlf = slices.ContainsFunc(m.Files[:firstOverride], func(f *source.File) bool { return f.LineEnd != "\n" })
	l.classifier = &jsonsyntax.Classifier{Schema: l.opts.Schema, Evidence: l.evidence}
	step(0, len(m.Files), source.JSON, func(i int) hcl.Diagnostics { return append(l.translate(m.Files[i]), checkBytes(m.Files[i])...) })
	// Last, what only all files together show.
	return slices.Concat(slices.Concat(results...), judge.Imports(m.Files), language.Experimental(m.Files, m.Engine))
}

// A loader reads and parses files, several at once.
type loader struct {
	opts            Options
	addressed       *addressedBlocks // of the blocks that override files may change; nil until those are read
	addressedNumber int              // the cache's number of addressed
	mixed           bool             // there are JSON files, so that evidence is needed
	nativeRead      atomic.Int64     // bytes
	jsonRead        atomic.Int64     // bytes
	mutex           sync.Mutex       // guards readers, evidence, ambiguous and evidenceOf
	readers         []*reader        // that no file uses
	evidence        jsonsyntax.Evidence
	ambiguous       jsonsyntax.Ambiguous                 // complete before native files are read
	evidenceOf      map[*source.File]jsonsyntax.Evidence // to be cached
	classifier      *jsonsyntax.Classifier
	crlf            bool // some primary file has CRLF line ends, in which heredocs would get them too
}

// translate writes a JSON file's configuration as native text, builds items from that, and judges them like those of
// a native file. It returns the diagnostics in the order of the JSON text, with ranges in it.
func (l *loader) translate(f *source.File) hcl.Diagnostics {
	if !jsonsyntax.IsWellFormed(f) {
		return nil
	}
	check := &language.Checker{File: f}
	// Write long strings in quotes, not as heredocs, if the text may end up in a file with CRLF: a heredoc would get
	// these line ends, a quoted string keeps its "\n". An override file's contents may end up in any primary file.
	quote := f.LineEnd != "\n" || f.Role == source.Override && l.crlf
	found := jsonsyntax.Of(f).Translate(l.classifier, quote, l.keepsContents,
		func(b *source.Block, isKept bool, build *source.Builder) { l.judgeAndAdd(b, isKept, build, check) })
	diags := append(found, placeAll(check.Diags, f.Place)...)
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return a.Subject.Start.Byte - b.Subject.Start.Byte })
	return diags
}

// analyse finds the blocks of a native file and checks them against the language. It reuses unchanged blocks of
// before, the file's state at the last load, which may be nil.
func (l *loader) analyse(f *source.File, before *earlierBlocks) hcl.Diagnostics {
	f.Native = f.Raw
	if diags := language.Letters(f); diags.HasErrors() {
		return diags
	}
	// The outline finds blocks faster than the parser, but gives up on text that may have syntax errors.
	f.Parsed = l.opts.Parsed // whether the parser must read all text
	if !f.Parsed {
		if diags, ok := l.readOutline(f, before); ok {
			return diags
		}
	}
	diags := limits.CheckText(f.Native, f.Name)
	if diags = append(diags, judge.Functions(f)...); diags.HasErrors() {
		return diags
	}
	diags, _ = l.parseWhole(f)
	return diags
}

// parseWhole parses a whole file and adds its blocks to the file. After a syntax error ok is false, the file has only
// the blocks up to the error, and stays Broken, as read has marked it. The syntax tree isn't kept.
func (l *loader) parseWhole(f *source.File) (diags hcl.Diagnostics, ok bool) {
	f.Forget() // blocks that the outline has added before it gave up
	check := &language.Checker{File: f}
	build := new(source.Builder).For(f)
	evidence := jsonsyntax.Evidence{}
	parsed, diags := parse.Config(f.Native, f.Name, hcl.InitialPos)
	body := parsed.Body.(*hclsyntax.Body)
	if diags.HasErrors() {
		for i, nb := range body.Blocks {
			// The error is in the last block. Keep its contents: building it again would parse the rest of the file.
			isLast := i == len(body.Blocks)-1
			keeps := func(uint64, string) bool { return isLast } // for any block that build makes
			b, _ := build.Block(&source.Description{Tree: parse.Outline(nb)}, keeps)
			build.Add(b)
		}
		return givenTwice(f, body, diags), false
	}
	l.addBody(body, build, check, evidence)
	f.Broken = false
	l.addEvidence(f, evidence, nil)
	return check.Sorted(), true
}

// addBody judges the blocks of a parsed file, or of a piece of one, and adds them to the file that build makes.
// Diagnostics go to check, also one for each argument: none belongs at the top level. For evidence, see addBlock.
func (l *loader) addBody(body *hclsyntax.Body, build *source.Builder, check *language.Checker, evidence jsonsyntax.Evidence) {
	for _, a := range body.Attributes {
		check.Add(language.TopArgument(a))
	}
	for _, nb := range body.Blocks {
		l.addBlock(parse.Outline(nb), build, check, evidence)
	}
}

// addBlock builds a top-level block from its outline, judges it and adds it to the file. If the module has JSON
// files, it notes in evidence which names the block writes as arguments and which as nested blocks.
func (l *loader) addBlock(tree outline.Tree, build *source.Builder, check *language.Checker, evidence jsonsyntax.Evidence) {
	b, isKept := build.Block(&source.Description{Tree: tree}, l.keepsContents)
	if l.mixed {
		evidence.Note(b, l.ambiguous)
	}
	l.judgeAndAdd(b, isKept, build, check)
}

// judgeAndAdd judges a top-level block and adds it to its file. isKept is false if no override file can change the
// block. Its contents are dropped afterwards, so the checks that usually follow merging are made here, and the names
// that its contents declare are noted.
func (l *loader) judgeAndAdd(b *source.Block, isKept bool, build *source.Builder, check *language.Checker) {
	check.Top(b)
	if !isKept {
		check.Final(b)
		if declaresNames(b.File, b.Type) {
			b.File.AddNames(b)
		}
	}
	build.Add(b)
}

// addEvidence adds what file f tells about names to what the loader knows. evidence holds the names that f certainly
// uses as arguments or as nested blocks; ambiguous holds those of a JSON file that may be either. Several goroutines
// may call it.
func (l *loader) addEvidence(f *source.File, evidence jsonsyntax.Evidence, ambiguous jsonsyntax.Ambiguous) {
	if len(evidence)+len(ambiguous) == 0 {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.opts.Cache != nil {
		l.evidenceOf[f] = evidence
	}
	if l.evidence == nil {
		l.evidence = jsonsyntax.Evidence{}
	}
	l.evidence.Add(evidence)
	maps.Copy(l.ambiguous, ambiguous)
}

// declaresNames reports whether blocks of a type declare a name with each argument, as locals does.
func declaresNames(f *source.File, typ string) bool {
	shape, _ := language.Of(f.Engine).Block(typ)
	return shape.Body != nil && shape.Body.Names != nil
}

// keepsContents reports whether a block's contents stay in memory after its file was read: for every block of an
// override file, and for blocks of primary files that an override file may change. key is the hash of the block's
// type and labels; for some types, the type alone decides.
func (l *loader) keepsContents(key uint64, typ string) bool {
	isOfOverrideFile := l.addressed == nil // the loader sets it after it has read the override files
	return isOfOverrideFile || l.addressed.has(key, typ)
}

// addressedBlocks tell which blocks of primary files override files may change.
type addressedBlocks struct {
	keys    map[uint64]bool // hashes of type and labels of the blocks in override files
	holders []string        // types of blocks with declarations inside, which override files address one by one
}

// has reports whether override files may change the block with a key (a hash of type and labels) and a type. After a
// hash collision it is true for a block that none changes, whose contents are then kept needlessly.
func (a *addressedBlocks) has(key uint64, typ string) bool {
	return a.keys[key] || slices.Contains(a.holders, typ)
}

// addressedBy returns which blocks the given override files may change: blocks with the same type and labels as one
// of theirs, and all blocks of types such as terraform, whose contents are addressed one by one.
func addressedBy(files []*source.File, e engine.Release) *addressedBlocks {
	a := &addressedBlocks{keys: map[uint64]bool{}}
	for _, f := range files {
		for i := range f.Len() {
			a.keys[f.Key(i)] = true
		}
		// A JSON file has no blocks before it is translated.
		for _, b := range jsonsyntax.Heads(f) {
			a.keys[source.KeyOf(b.Type, b.Labels)] = true
		}
	}
	for _, shape := range language.Of(e).Blocks {
		if shape.Inside {
			a.holders = append(a.holders, shape.Name)
		}
	}
	return a
}

// IsAddressedAt reports whether override files of m may change the block with index i in file f. For a block of an
// override file it reports true. For a native file with a syntax error it reports false, because blocks are missing.
// f may belong to another reading of the directory; for f's own module there is File.IsAddressed.
func (m *Module) IsAddressedAt(f *source.File, i int) bool {
	isUnknown := f.Broken && f.Syntax == source.Native
	return !isUnknown && (f.Role == source.Override || m.addressed.has(f.Key(i), f.TypeOf(i)))
}

// A Module holds the contents of a directory's files, file by file, not combined.
type Module struct {
	Dir    string
	Engine engine.Release
	Files  []*source.File // those that were read: primary files, then override files, each in load order
	Names  []DirEntry     // every name of the directory that looks like configuration, in byte order

	// Schema decides which names are arguments and which are nested blocks; it may be nil.
	Schema *providerschema.Schema
	// From is where the files were read, if not on the disk.
	From Directory
	// Prefix is the path of the directory with a slash, as messages print it before the names of its files.
	Prefix string
	// ShowSource allows messages to show lines of files that can't be parsed, whatever they
	// contain.
	ShowSource bool

	once    sync.Once // finds secrets
	secrets *secrets.Set
	locals  struct {
		sync.Once
		byName map[string]*source.Attr
		kept   sync.Map // what OfLocal returns, by name
	}
	byName map[string]*source.File
	// addressed are the blocks of primary files that override files may change.
	addressed *addressedBlocks
}

// File returns the loaded file with a name, or nil.
func (m *Module) File(name string) *source.File { return m.byName[name] }

// Texts returns the contents of the module's files by name, to be passed as Options.Contents: then the directory is
// loaded again without reading the disk. Overlays are left out.
func (m *Module) Texts() map[string][]byte {
	texts := make(map[string][]byte, len(m.Files))
	for _, f := range m.Files {
		if f.Raw != nil && !f.Overlay {
			texts[f.Name] = f.Raw
		}
	}
	return texts
}

// Shown returns a file's path relative to the working directory, for messages. An overlay's name is such a path
// already.
func (m *Module) Shown(name string) string {
	if f := m.File(name); f != nil && f.Overlay {
		return name
	}
	return m.Prefix + name
}

// indexByName fills byName. Of files with the same name it keeps the first.
func (m *Module) indexByName() {
	m.byName = make(map[string]*source.File, len(m.Files))
	for _, f := range m.Files {
		if m.byName[f.Name] == nil {
			m.byName[f.Name] = f
		}
	}
}

// ItemAt returns the innermost argument or block at the start of r, or nil if there is none or the file is broken. r
// is a range in the file's content as loaded, for a JSON file in its native translation.
func ItemAt(m *Module, r hcl.Range) source.Item {
	f := m.File(r.Filename)
	if f == nil || f.Broken {
		return nil
	}
	return f.ItemAt(r.Start.Byte)
}

// Guesses returns a warning for each name in JSON files that was classified as an argument or a nested block only by
// the form of its value. If matters returns false for the item, the guess makes no difference and gets no warning.
func (m *Module) Guesses(matters func(source.Item) bool) hcl.Diagnostics {
	return jsonsyntax.Guesses(m.Files, matters)
}

// Unsayable calls visit for each part of the JSON files that native syntax can't express, with the innermost item
// around it and an error that describes the part.
func (m *Module) Unsayable(visit func(source.Item, *hcl.Diagnostic)) {
	for _, f := range m.Files {
		f.EachInexpressible(visit)
	}
}

// PlaceOnDisk changes the ranges of diagnostics about a module's items to ranges in the files as they are on disk: for
// JSON files, items have ranges in the native translation.
func (m *Module) PlaceOnDisk(diags hcl.Diagnostics) {
	placeAll(diags, func(r hcl.Range) hcl.Range {
		if f := m.File(r.Filename); f != nil {
			return f.Place(r)
		}
		return r
	})
}

// files returns a File for each name that is to be read: primary files first, then override files, each in load
// order.
func (m *Module) files(dir string) []*source.File {
	list := make([]*source.File, 0, len(m.Names))
	// Compute what filepath.Join puts in front of each name once, not for each.
	prefix := strings.TrimSuffix(filepath.Join(dir, "x"), "x")
	for _, role := range []source.Role{source.Primary, source.Override} {
		for _, e := range m.Names {
			if e.Status == Read && e.Role == role {
				list = append(list, &source.File{Name: e.Name, Path: prefix + e.Name, Role: role, Syntax: e.Syntax, Tofu: e.Tofu})
			}
		}
	}
	return list
}

// markOutside marks files that messages may not quote, because a link leads to them from inside the repository to
// outside: a hostile module could link to a secret. links are the names that are links.
func (m *Module) markOutside(links map[string]bool, escapesRepo func(path string) bool) {
	if escapesRepo == nil {
		return
	}
	isDirOutside := escapesRepo(m.Dir)
	for _, f := range m.Files {
		// The options contain the text, so it isn't secret. Not so if the name is a link: an editor opens its target.
		isGiven := f.Path == "" || f.Raw != nil && !links[f.Name]
		// An overlay may be anywhere, and so may the target of a link. Other files are in the directory itself.
		mayLeaveDir := f.Overlay || links[filepath.Base(f.Path)]
		switch {
		case isGiven:
		case mayLeaveDir:
			f.Outside = escapesRepo(f.Path)
		default:
			f.Outside = isDirOutside
		}
	}
}

// HideQuotes hides the details of diagnostics about files outside the repository, since they may quote the file. It
// changes the diagnostics in place, and does nothing if ShowSource is set.
func (m *Module) HideQuotes(diags hcl.Diagnostics) {
	if m.ShowSource {
		return
	}
	for _, d := range diags {
		if d.Subject == nil {
			continue
		}
		isQuote := diag.CodeOf(d) != diag.Unreadable // an error about reading quotes nothing of the file
		if f := m.File(d.Subject.Filename); f != nil && f.Outside && isQuote {
			d.Detail = NotQuoted + " To quote it, use --show-source."
		}
	}
}

// Secrets returns the values in the module that must not be shown. They are found on the first call.
func (m *Module) Secrets() *secrets.Set {
	m.once.Do(func() { m.secrets = secrets.Find(m.Files, m.Engine, m.ShowSource) })
	return m.secrets
}

// ShareSecrets makes two readings of one directory hide the secrets of both: engines may read different files, and
// only one of these may call a value sensitive.
func ShareSecrets(a, b *Module) { a.Secrets().Share(b.Secrets()) }

// maxLocal is how long the text of a local value may be for Local: very many arguments may refer to one.
const maxLocal = 2048

// Local returns the argument that defines a local value, the last one in load order. It returns nil if there is none,
// or if its text is longer than maxLocal.
func (m *Module) Local(name string) *source.Attr {
	m.locals.Do(func() {
		m.locals.byName = map[string]*source.Attr{}
		for _, f := range m.Files {
			for i := range f.Len() {
				if f.TypeOf(i) != "locals" {
					continue
				}
				for _, it := range f.Block(i).Items() {
					if a, ok := it.(*source.Attr); ok && len(a.File.Text(a.Value())) <= maxLocal {
						m.locals.byName[a.Name] = a
					} else {
						// A later definition that is too long replaces the earlier one as well.
						delete(m.locals.byName, it.Called())
					}
				}
			}
		}
	})
	return m.locals.byName[name]
}

// OfLocal returns what compute finds out about a local value. It keeps the result for each name, since thousands of
// arguments may refer to the same local value; of goroutines that compute it at once, the first one's counts.
func (m *Module) OfLocal(name string, compute func() any) any {
	kept, ok := m.locals.kept.Load(name)
	if !ok {
		kept, _ = m.locals.kept.LoadOrStore(name, compute())
	}
	return kept
}

// addOverlays adds overlays as last override files. It renames an overlay that has the name of another file, because
// diagnostics identify files by name: x.tf becomes ./x.tf.
func (m *Module) addOverlays(overlays []Overlay) {
	for _, o := range overlays {
		f := o.file()
		for slices.ContainsFunc(m.Names, func(e DirEntry) bool { return e.Name == f.Name }) ||
			slices.ContainsFunc(m.Files, func(other *source.File) bool { return other.Name == f.Name }) {
			f.Name = "." + string(filepath.Separator) + f.Name
		}
		m.Files = append(m.Files, f)
	}
}

// markExcluded marks the override files to leave out as Excluded. A .tf file that such a .tofu file hides stays
// marked as hidden, so it isn't read either.
func (m *Module) markExcluded(excluded func(name string) bool) {
	if excluded == nil {
		return
	}
	for i, e := range m.Names {
		isUnread := e.Status == Ignored || e.Status == Foreign // anyway, so it keeps its status
		if e.Role == source.Override && !isUnread && excluded(e.Name) {
			m.Names[i].Status = Excluded
		}
	}
}

// placeAll applies place to every range in the diagnostics, which it changes in place: the subject, the related
// range, and further ones. It drops the context.
func placeAll(diags hcl.Diagnostics, place func(hcl.Range) hcl.Range) hcl.Diagnostics {
	for _, d := range diags {
		if d.Subject != nil {
			d.Subject, d.Context = place(*d.Subject).Ptr(), nil
		}
		if related, ok := diag.RelatedOf(d); ok {
			related.Range = place(related.Range)
			diag.WithRelated(related, d)
		}
		if also := diag.AlsoOf(d); len(also) > 0 {
			placed := make([]hcl.Range, len(also))
			for i, at := range also {
				placed[i] = place(at)
			}
			diag.WithAlso(placed, d)
		}
	}
	return diags
}

// Modules with other override files than the directory's.

// An Overlay is a file that is merged as though it were one more override file
// of the directory.
type Overlay struct {
	Name string // for people, and for the syntax: JSON if it ends in .json
	Path string // as it is opened
	Raw  []byte // the content, if there is no file to open; otherwise nil
}

// Stdin is the name of an overlay that came from standard input.
const Stdin = "<stdin>"

// file returns the overlay as an override file. Standard input has no extension: it is JSON if it begins with { or [.
func (o Overlay) file() *source.File {
	f := &source.File{Name: o.Name, Path: o.Path, Role: source.Override, Overlay: true, Raw: o.Raw}
	text := bytes.TrimLeft(o.Raw, " \t\r\n")
	if strings.HasSuffix(o.Name, ".json") || o.Name == Stdin && (bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("["))) {
		f.Syntax = source.JSON
	}
	f.Tofu = strings.HasSuffix(strings.TrimSuffix(o.Name, ".json"), ".tofu")
	return f
}

// earlierBlocks iterates over the blocks that a file had at the last load. A block whose text is the same is reused:
// it needs neither parsing nor checking again.
type earlierBlocks struct {
	file      *source.File
	addressed [2]*addressedBlocks // by the override files: at the last load, and now
	next      int                 // the index of the block that is expected next
	after     map[uint64]int      // the index behind the first block of a key, once it is needed
}

// blocksFor returns the cached file's blocks for reuse in f, the same file with changes. It returns nil if none may
// be reused: the file had diagnostics, its role or engine changed, it is an override file, it was loaded under
// Options.Parsed, or the module has or had JSON files, which need evidence from every block.
func (c *cachedFile) blocksFor(l *loader, f *source.File) *earlierBlocks {
	if c == nil || len(c.diags) > 0 || c.mixed || l.mixed || c.file.Role != f.Role || c.file.Engine != f.Engine {
		return nil
	}
	isOverride := c.addressed == nil || l.addressed == nil // nil while override files are loaded
	if isOverride || c.file.Parsed {
		return nil
	}
	return &earlierBlocks{file: c.file, addressed: [2]*addressedBlocks{c.addressed, l.addressed}}
}

// reuseNext reuses the next earlier block if the text at the scanner's position is the same: it adds the block to f,
// moves the scanner past it and returns true. u may be nil: then nothing can be reused.
func (u *earlierBlocks) reuseNext(f *source.File, scan *outline.Scanner) bool {
	if u == nil || u.next >= u.file.Len() || u.isReadAnew(u.next) {
		return false
	}
	at, ok := scan.Ahead()
	if !ok { // the text ends here
		return false
	}
	end, ok := f.AddSame(u.file, u.next, at)
	if ok {
		u.next++
		scan.Resume(end)
	}
	return ok
}

// isReadAnew reports whether the earlier block with index i must be read again, even if its text is unchanged. If
// override files may change it now, its contents are needed. If they could change it then, its effective arguments
// were not checked. If it declares names, these are collected while it is read.
func (u *earlierBlocks) isReadAnew(i int) bool {
	key, typ := u.file.Key(i), u.file.TypeOf(i)
	return u.addressed[0].has(key, typ) || u.addressed[1].has(key, typ) || declaresNames(u.file, typ)
}

// skip advances u.next past the earlier version of the block that was just added to f, so that the blocks after it
// can be reused again.
func (u *earlierBlocks) skip(f *source.File) {
	if u == nil || f.Len() == 0 {
		return
	}
	key := f.Key(f.Len() - 1)
	if u.next < u.file.Len() && u.file.Key(u.next) == key {
		u.next++
		return
	}
	// Blocks were moved, added or removed, so find the earlier version by its type and labels.
	if u.after == nil {
		u.after = map[uint64]int{}
		for i := u.file.Len() - 1; i >= 0; i-- { // backwards, so that the first block of a key stays
			u.after[u.file.Key(i)] = i + 1
		}
	}
	if behind, known := u.after[key]; known { // otherwise the block is new, and u.next stays
		u.next = behind
	}
}
