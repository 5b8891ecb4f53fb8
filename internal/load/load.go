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

// Dir loads a module directory. The diagnostics are about each file, in load order, and then about
// conflicts between files; the module is returned even then, as far as its files could be read. The
// error is about the directory itself: it is missing, not readable, or without any configuration
// file (*NoFilesError).
//
// Override files are loaded first. In primary files, only blocks that an override file may address
// keep their contents in memory; of the others only the text is kept.
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
	m.exclude(opts.Excluded)
	m.Files = m.files(dir)
	for _, f := range m.Files {
		text, isGiven := opts.Contents[f.Name]
		if isGiven && text == nil {
			text = []byte{} // nil would have it read
		}
		f.Raw = text
	}
	m.overlay(opts.Overlays)
	m.index()
	m.markOutside(links, opts.EscapesRepo)
	m.readFrom(opts.From)
	for _, f := range m.Files {
		f.Engine = opts.Engine
	}
	if len(m.Files) == 0 {
		return nil, nil, &NoFilesError{Dir: dir, Engine: m.Engine, Names: m.Names, Of: opts.origin()}
	}
	diags := (&loader{opts: opts}).module(m)
	opts.Cache.keepOnly(m)
	m.Unquote(diags)
	return m, diags, nil
}

// names returns the names that the directory has by the options: those found, without those that are taken
// to be absent, and those of Contents. It changes found.
func (o Options) names(found []string) []string {
	names := slices.DeleteFunc(found, func(name string) bool {
		_, isGiven := o.Contents[name]
		return isGiven || o.Absent != nil && o.Absent(name)
	})
	names = slices.AppendSeq(names, maps.Keys(o.Contents))
	slices.Sort(names)
	return names
}

// module loads the files. Override files come first, so that it is known which blocks of primary files they
// may change. JSON files are translated last, because native files are evidence of which names are
// arguments.
func (l *loader) module(m *Module) hcl.Diagnostics {
	n := slices.IndexFunc(m.Files, func(f *source.File) bool { return f.Role == source.Override })
	if n < 0 {
		n = len(m.Files)
	}
	results := make([]hcl.Diagnostics, len(m.Files))
	step := func(from, to int, syntax source.Syntax, do func(i int) hcl.Diagnostics) {
		parallel.Each(to-from, func(i int) {
			if i += from; m.Files[i].Syntax == syntax {
				results[i] = append(results[i], do(i)...)
			}
		})
	}
	l.ambiguous = jsonsyntax.Ambiguous{}
	l.seen = map[*source.File]jsonsyntax.Evidence{}
	l.mixed = slices.ContainsFunc(m.Files, func(f *source.File) bool { return f.Syntax == source.JSON })
	step(0, len(m.Files), source.JSON, func(i int) hcl.Diagnostics { return l.readJSON(m.Files[i]) })
	native := func(i int) (diags hcl.Diagnostics) {
		m.Files[i], diags = l.loadCached(m.Files[i])
		return append(diags, checkBytes(m.Files[i])...)
	}
	step(n, len(m.Files), source.Native, native)
	m.addressed = addressedBy(m.Files[n:], l.opts.Engine)
	l.addressed = m.addressed
	l.set = l.opts.Cache.numberOf(l.addressed)
	step(0, n, source.Native, native)
	m.index()
	l.crlf = slices.ContainsFunc(m.Files[:n], func(f *source.File) bool { return f.LineEnd != "\n" })
	l.classifier = &jsonsyntax.Classifier{Schema: l.opts.Schema, Evidence: l.evidence}
	step(0, len(m.Files), source.JSON, func(i int) hcl.Diagnostics { return append(l.translate(m.Files[i]), checkBytes(m.Files[i])...) })
	return slices.Concat(slices.Concat(results...), judge.Imports(m.Files), language.Experimental(m.Files, m.Engine))
}

// A loader reads and parses files, several at once.
type loader struct {
	opts       Options
	addressed  *addressedBlocks // of the blocks that override files may change; nil until those are read
	set        int              // the cache's number of addressed
	mixed      bool             // there are JSON files, so that evidence is needed
	nativeRead atomic.Int64     // bytes
	jsonRead   atomic.Int64     // bytes
	mutex      sync.Mutex       // guards readers, evidence, ambiguous and seen
	readers    []*reader        // that no file uses
	evidence   jsonsyntax.Evidence
	ambiguous  jsonsyntax.Ambiguous                 // complete before native files are read
	seen       map[*source.File]jsonsyntax.Evidence // to be cached
	classifier *jsonsyntax.Classifier
	crlf       bool // some primary file has CRLF line ends, in which heredocs would get them too
}

// translate turns a JSON file into native text and items, and judges the items as in a native file.
func (l *loader) translate(f *source.File) hcl.Diagnostics {
	if !jsonsyntax.IsWellFormed(f) {
		return nil
	}
	check := &language.Checker{File: f}
	quote := f.LineEnd != "\n" || f.Role == source.Override && l.crlf
	found := jsonsyntax.Of(f).Translate(l.classifier, quote, l.keeps,
		func(b *source.Block, isKept bool, build *source.Builder) { l.judgeAndAdd(b, isKept, build, check) })
	diags := append(found, placeAll(check.Diags, f.Place)...)
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return a.Subject.Start.Byte - b.Subject.Start.Byte })
	return diags
}

// understand finds and judges the blocks of a native file that was read. It reuses unchanged blocks of
// before, which may be nil.
func (l *loader) understand(f *source.File, before *earlierBlocks) hcl.Diagnostics {
	f.Native = f.Raw
	if diags := language.Letters(f); diags.HasErrors() {
		return diags
	}
	if f.Parsed = l.opts.Parsed; !f.Parsed {
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

// parseWhole parses a whole file and adds its blocks; the rest of the tree becomes garbage. After a syntax
// error ok is false, and only the blocks before the error are added.
func (l *loader) parseWhole(f *source.File) (diags hcl.Diagnostics, ok bool) {
	f.Forget()
	check := &language.Checker{File: f}
	build := new(source.Builder).For(f)
	seen := jsonsyntax.Evidence{}
	parsed, diags := parse.Config(f.Native, f.Name, hcl.InitialPos)
	body := parsed.Body.(*hclsyntax.Body)
	if diags.HasErrors() {
		for i, nb := range body.Blocks {
			// The error is in the last one, which has to be parsed up to the end of the file.
			isLast := func(uint64, string) bool { return i == len(body.Blocks)-1 }
			b, _ := build.Block(&source.Description{Tree: parse.Outline(nb)}, isLast)
			build.Add(b)
		}
		return givenTwice(f, body, diags), false
	}
	l.addBody(body, build, check, seen)
	f.Broken = false
	l.addEvidence(f, seen, nil)
	return check.Sorted(), true
}

// addBody judges the items of a parsed body, and adds its blocks to the file.
func (l *loader) addBody(body *hclsyntax.Body, build *source.Builder, check *language.Checker, seen jsonsyntax.Evidence) {
	for _, a := range body.Attributes {
		check.Add(language.TopArgument(a))
	}
	for _, nb := range body.Blocks {
		l.addBlock(parse.Outline(nb), build, check, seen)
	}
}

// addBlock builds and judges a top-level block of native text, and adds it to the file.
func (l *loader) addBlock(tree outline.Tree, build *source.Builder, check *language.Checker, seen jsonsyntax.Evidence) {
	b, isKept := build.Block(&source.Description{Tree: tree}, l.keeps)
	if l.mixed {
		seen.Note(b, l.ambiguous)
	}
	l.judgeAndAdd(b, isKept, build, check)
}

// judgeAndAdd judges a top-level block and adds it to the file. If the block isn't kept, no override file can
// change it, so finish judges it finally.
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

// addEvidence adds to the loader how a file writes names, and which of its names are ambiguous. Several goroutines
// may call it.
func (l *loader) addEvidence(f *source.File, seen jsonsyntax.Evidence, ambiguous jsonsyntax.Ambiguous) {
	if len(seen)+len(ambiguous) == 0 {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.opts.Cache != nil {
		l.seen[f] = seen
	}
	if l.evidence == nil {
		l.evidence = jsonsyntax.Evidence{}
	}
	l.evidence.Add(seen)
	maps.Copy(l.ambiguous, ambiguous)
}

// declaresNames reports whether each argument of a block with a type is a declaration, as in locals.
func declaresNames(f *source.File, typ string) bool {
	shape, _ := language.Of(f.Engine).Block(typ)
	return shape.Body != nil && shape.Body.Names != nil
}

// keeps reports whether a block keeps its contents after its file was read: every block of an override file
// does, and so does a block of a primary file that an override file may change.
func (l *loader) keeps(key uint64, typ string) bool {
	return l.addressed == nil || l.addressed.has(key, typ)
}

// addressedBlocks tell which blocks of primary files override files may change.
type addressedBlocks struct {
	keys    map[uint64]bool // of the blocks in override files
	holders []string        // types of blocks with declarations inside, which override files address one by one
}

// has reports whether override files may change a block with a key and a type. Hash collisions are
// harmless: then the block is kept needlessly.
func (a *addressedBlocks) has(key uint64, typ string) bool {
	return a.keys[key] || slices.Contains(a.holders, typ)
}

// addressedBy returns the blocks that some override files may change.
func addressedBy(files []*source.File, e engine.Release) *addressedBlocks {
	a := &addressedBlocks{keys: map[uint64]bool{}}
	for _, f := range files {
		for i := range f.Len() {
			a.keys[f.Key(i)] = true
		}
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

// IsAddressedAt reports whether override files of this module may change a block of a file.
// File.IsAddressed reports it for the module that the file was read for.
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

// File returns the file that was read under a name, or nil.
func (m *Module) File(name string) *source.File { return m.byName[name] }

// Texts returns the contents of the files that were read in the directory, by name, so that it can be
// loaded again without reading them. It leaves out overlays.
func (m *Module) Texts() map[string][]byte {
	texts := make(map[string][]byte, len(m.Files))
	for _, f := range m.Files {
		if f.Raw != nil && !f.Overlay {
			texts[f.Name] = f.Raw
		}
	}
	return texts
}

// Shown returns the name of a file for people: its path from the working directory. An overlay's name is
// such a path already.
func (m *Module) Shown(name string) string {
	if f := m.File(name); f != nil && f.Overlay {
		return name
	}
	return m.Prefix + name
}

// index builds the map from names to files; of files with the same name it keeps the first.
func (m *Module) index() {
	m.byName = make(map[string]*source.File, len(m.Files))
	for _, f := range m.Files {
		if m.byName[f.Name] == nil {
			m.byName[f.Name] = f
		}
	}
}

// ItemAt returns the innermost item at the start of a range of a file's content; nil if there is none or
// the file is broken.
func ItemAt(m *Module, r hcl.Range) source.Item {
	f := m.File(r.Filename)
	if f == nil || f.Broken {
		return nil
	}
	return f.ItemAt(r.Start.Byte)
}

// Guesses returns a warning for each name in JSON files that only its form classifies as an
// argument or a nested block. It calls matters with the item of that name, to leave out warnings
// that make no difference.
func (m *Module) Guesses(matters func(source.Item) bool) hcl.Diagnostics {
	return jsonsyntax.Guesses(m.Files, matters)
}

// Unsayable calls visit for each part of the JSON files that native syntax can't express, with the
// innermost item around it and an error.
func (m *Module) Unsayable(visit func(source.Item, *hcl.Diagnostic)) {
	for _, f := range m.Files {
		f.EachInexpressible(visit)
	}
}

// Places converts the ranges of diagnostics about a module's items to ranges in the files as they
// are on disk.
func (m *Module) Places(diags hcl.Diagnostics) {
	placeAll(diags, func(r hcl.Range) hcl.Range {
		if f := m.File(r.Filename); f != nil {
			return f.Place(r)
		}
		return r
	})
}

// files lists the files to be read, primary files first.
func (m *Module) files(dir string) []*source.File {
	list := make([]*source.File, 0, len(m.Names))
	dir = filepath.Join(dir, "x")
	dir = dir[:len(dir)-1] // the prefix of a name, which Join would compute for each
	for _, role := range []source.Role{source.Primary, source.Override} {
		for _, e := range m.Names {
			if e.Status == Read && e.Role == role {
				list = append(list, &source.File{Name: e.Name, Path: dir + e.Name, Role: role, Syntax: e.Syntax, Tofu: e.Tofu})
			}
		}
	}
	return list
}

// markOutside marks the files that messages may not quote: those that a link leads to outside the
// repository.
func (m *Module) markOutside(links map[string]bool, escapesRepo func(path string) bool) {
	if escapesRepo == nil {
		return
	}
	isDirOutside := escapesRepo(m.Dir)
	for _, f := range m.Files {
		switch {
		case f.Path == "" || f.Raw != nil && !links[f.Name]:
		case f.Overlay || links[filepath.Base(f.Path)]:
			f.Outside = escapesRepo(f.Path)
		default:
			f.Outside = isDirOutside
		}
	}
}

// Unquote replaces the details of diagnostics about files outside the repository, which may quote them. It
// changes the diagnostics.
func (m *Module) Unquote(diags hcl.Diagnostics) {
	if m.ShowSource {
		return
	}
	for _, d := range diags {
		if d.Subject == nil {
			continue
		}
		if f := m.File(d.Subject.Filename); f != nil && f.Outside && diag.CodeOf(d) != diag.Unreadable {
			d.Detail = NotQuoted + " To quote it, use --show-source."
		}
	}
}

// Secrets returns the values that must not be shown. It computes them once.
func (m *Module) Secrets() *secrets.Set {
	m.once.Do(func() { m.secrets = secrets.Find(m.Files, m.Engine, m.ShowSource) })
	return m.secrets
}

// ShareSecrets makes two readings of one directory hide what either of them calls sensitive: the engines
// may read different files of it.
func ShareSecrets(a, b *Module) { a.Secrets().Share(b.Secrets()) }

// maxLocal is how long the text of a local value may be for Local: very many arguments may refer to one.
const maxLocal = 2048

// Local returns the effective argument of a local value, the last one in load order; nil if there is none
// or its text is long.
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
						delete(m.locals.byName, it.Called())
					}
				}
			}
		}
	})
	return m.locals.byName[name]
}

// OfLocal returns what compute returned for a local value the first time: very many arguments may refer to
// it.
func (m *Module) OfLocal(name string, compute func() any) any {
	kept, ok := m.locals.kept.Load(name)
	if !ok {
		kept, _ = m.locals.kept.LoadOrStore(name, compute())
	}
	return kept
}

// overlay adds the overlays to the files. It renames an overlay that shares its name with another file,
// because ranges identify files by name.
func (m *Module) overlay(overlays []Overlay) {
	for _, o := range overlays {
		f := o.file()
		for slices.ContainsFunc(m.Names, func(e DirEntry) bool { return e.Name == f.Name }) ||
			slices.ContainsFunc(m.Files, func(other *source.File) bool { return other.Name == f.Name }) {
			f.Name = "." + string(filepath.Separator) + f.Name
		}
		m.Files = append(m.Files, f)
	}
}

// exclude marks the override files to leave out. Files that they shadow stay shadowed.
func (m *Module) exclude(excluded func(name string) bool) {
	for i, e := range m.Names {
		if excluded != nil && e.Role == source.Override && e.Status != Ignored && e.Status != Foreign &&
			excluded(e.Name) {
			m.Names[i].Status = Excluded
		}
	}
}

// placeAll converts the ranges of diagnostics by place, in place.
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

// file returns the override file of an overlay. Standard input is JSON if it starts as JSON does.
func (o Overlay) file() *source.File {
	f := &source.File{Name: o.Name, Path: o.Path, Role: source.Override, Overlay: true, Raw: o.Raw}
	text := bytes.TrimLeft(o.Raw, " \t\r\n")
	if strings.HasSuffix(o.Name, ".json") || o.Name == Stdin && (bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("["))) {
		f.Syntax = source.JSON
	}
	f.Tofu = strings.HasSuffix(strings.TrimSuffix(o.Name, ".json"), ".tofu")
	return f
}

// earlierBlocks holds the blocks of a file from an earlier read: for identical text, neither the outline
// nor the check against the language is needed again.
type earlierBlocks struct {
	file      *source.File
	addressed [2]*addressedBlocks // before, and in the load at hand
	at        int                 // the index of the block that is expected next
	behind    map[uint64]int      // the index behind the first block of a key, once it is needed
}

// blocksFor returns the blocks that another load may reuse. It returns nil if that load must read
// everything: if the file had errors, or if JSON files depend on the contents of blocks.
func (c *cachedFile) blocksFor(l *loader, f *source.File) *earlierBlocks {
	if c == nil || len(c.diags) > 0 || c.mixed || l.mixed || c.file.Role != f.Role || c.file.Engine != f.Engine ||
		c.addressed == nil || l.addressed == nil || c.file.Parsed {
		return nil
	}
	return &earlierBlocks{file: c.file, addressed: [2]*addressedBlocks{c.addressed, l.addressed}}
}

// reuseNext adds the next block to the file if the earlier read has it, moves the scanner behind it, and reports
// whether it did.
func (u *earlierBlocks) reuseNext(f *source.File, scan *outline.Scanner) bool {
	if u == nil || u.at >= u.file.Len() || u.isReadAnew(u.at) {
		return false
	}
	at, ok := scan.Ahead()
	if !ok {
		return false
	}
	end, ok := f.AddSame(u.file, u.at, at)
	if ok {
		u.at++
		scan.Resume(end)
	}
	return ok
}

// isReadAnew reports whether an earlier block must be read again, even if its text is the same. If override files
// may change it now, its contents are needed. If they might then, it was not judged finally. If it
// declares names, these are collected as it is read.
func (u *earlierBlocks) isReadAnew(i int) bool {
	key, typ := u.file.Key(i), u.file.TypeOf(i)
	return u.addressed[0].has(key, typ) || u.addressed[1].has(key, typ) || declaresNames(u.file, typ)
}

// skip moves past the earlier counterpart of the block that was added last, so that the blocks after it
// match again.
func (u *earlierBlocks) skip(f *source.File) {
	if u == nil || f.Len() == 0 {
		return
	}
	key := f.Key(f.Len() - 1)
	if u.at < u.file.Len() && u.file.Key(u.at) == key {
		u.at++
		return
	}
	if u.behind == nil {
		u.behind = map[uint64]int{}
		for i := u.file.Len(); i > 0; i-- {
			u.behind[u.file.Key(i-1)] = i
		}
	}
	if behind, known := u.behind[key]; known {
		u.at = behind
	}
}
