package merge

import (
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
)

// Options say what is merged.
type Options struct {
	// NoOverrides leaves the override files out; they were loaded all the same.
	NoOverrides bool
}

// A Module is the effective configuration of a loaded module. Once it is merged, several
// goroutines may read it.
type Module struct {
	Source *load.Module
	Root   *MergedBody // the top-level blocks

	vars  map[*MergedItem]*variable.State // those that overrides changed
	added map[*source.Block]bool          // blocks that overrides added
	all   func() []*MergedItem

	ordered sync.Once
	order   map[*source.File]int // of loading, once somebody asks
}

// Files merges the files of a loaded module. Diagnostics that are errors say
// what the engine refuses; warnings say what does nothing and what no printed
// configuration can say. The module is whole only if there are no errors.
func Files(src *load.Module, opts Options) (*Module, hcl.Diagnostics) {
	m := newMerger(src)
	m.declared = make(map[uint64]declared, blocksWithoutTrees(src.Files))
	for _, f := range src.Files {
		if f.Role == source.Primary {
			m.partial = m.partial || f.Broken
			m.primary(f)
		}
	}
	m.defineDoubtful()
	m.defineParts()
	slices.SortStableFunc(m.diags, func(a, b *hcl.Diagnostic) int {
		if c := strings.Compare(a.Subject.Filename, b.Subject.Filename); c != 0 {
			return c
		}
		return a.Subject.Start.Byte - b.Subject.Start.Byte
	})
	for _, f := range src.Files {
		if f.Role == source.Override && !opts.NoOverrides && !f.Broken {
			m.override(f)
		}
	}
	m.finish()
	mod := &Module{Source: src, Root: m.root, vars: m.vars, added: m.added}
	mod.all = sync.OnceValue(mod.allTops)
	if !m.partial {
		m.report(mod.checkEarly()...)
	}
	src.Places(m.diags)
	for d, at := range m.unwritten {
		d.Subject = &at
	}
	src.Unquote(m.diags)
	return mod, m.diags
}

// A merger is the state of one merge.
type merger struct {
	src   *load.Module
	rules *ruleSet
	root  *MergedBody
	homes map[Key]*MergedItem // what a top-level item may address inside other blocks
	// wholes are top-level items the blocks of which are taken up when all are known.
	wholes []*MergedItem
	once   map[*Rule]source.Item // first items of the override file at hand
	late   []func()              // what is applied after the rest of that file

	renewals map[renewed]*renewal
	room     [][]group // for groups, one after the other

	vars  map[*MergedItem]*variable.State
	added map[*source.Block]bool
	order int32
	hints int // how many similar names were looked for
	// similar are those among which they were, once somebody asked.
	similar map[declaredBy]similar
	diags   hcl.Diagnostics
	// unwritten are where diagnostics are that the native text of a JSON file has no place for.
	unwritten map[*hcl.Diagnostic]hcl.Range
	doubts    map[doubtKey]*doubt
	meant     map[string]string // see meantNames
	advised   []advised         // whose remedies are tried when all files are merged
	// declared are the blocks of primary files without trees, by hash; those
	// that may declare something twice are doubtful.
	declared map[uint64]declared
	doubtful map[declared]bool
	// partial says that some primary file is broken, so that what seems to be
	// missing may well be there.
	partial bool
}

func newMerger(src *load.Module) *merger {
	rules := newRuleSet(Rules, src.Engine)
	return &merger{
		src:      src,
		meant:    meantNames(src.Names),
		rules:    rules,
		root:     newBody("", rules),
		homes:    map[Key]*MergedItem{},
		vars:     map[*MergedItem]*variable.State{},
		added:    map[*source.Block]bool{},
		once:     map[*Rule]source.Item{},
		renewals: map[renewed]*renewal{},
		doubtful: map[declared]bool{},
		similar:  map[declaredBy]similar{},

		unwritten: map[*hcl.Diagnostic]hcl.Range{},
		doubts:    map[doubtKey]*doubt{},
	}
}

// meantNames are what files would have to be called to be override files, if they seem to be meant
// to be some.
func meantNames(list []load.DirEntry) map[string]string {
	names := map[string]string{}
	for _, e := range list {
		if e.Meant != "" {
			names[e.Name] = e.Meant
		}
	}
	return names
}

// next numbers what overrides add, in the order in which they do.
func (m *merger) next() int32 {
	m.order++
	return m.order
}

func (m *merger) report(d ...*hcl.Diagnostic) { m.diags = append(m.diags, d...) }

// primary takes up the blocks of a primary file. Those without trees, which no
// override addresses, are only checked for being declared twice.
func (m *merger) primary(f *source.File) {
	for i := range f.Len() {
		if b := f.Kept(i); b != nil {
			if language.HasItsLabels(b) {
				m.define(m.root, b, false)
			}
		} else {
			m.declare(f.Key(i), declared{f, int32(i)}, m.isUnique)
		}
	}
	f.Names(func(key uint64, i int) {
		if f.Kept(i) == nil {
			m.declare(key, declared{f, int32(i)}, func(declared) bool { return true })
		}
	})
}

// isUnique reports whether blocks of the type of one declare something that may be
// declared once.
func (m *merger) isUnique(d declared) bool {
	r := m.root.named.byName[string(d.file.TypeOf(int(d.index)))]
	return r != nil && r.Duplicate != ""
}

// blocksWithoutTrees counts those of primary files.
func blocksWithoutTrees(files []*source.File) (n int) {
	for _, f := range files {
		for i := range f.Len() {
			if f.Role == source.Primary && f.Kept(i) == nil {
				n++
			}
		}
	}
	return n
}

// declared is a block without a tree that declares something.
type declared struct {
	file  *source.File
	index int32
}

// declare notes a declaration. Blocks that seem to declare the same, if it may be
// declared once only, are put aside, to be defined once all are known.
func (m *merger) declare(key uint64, here declared, isUnique func(declared) bool) {
	if first, known := m.declared[key]; known {
		if isUnique(here) {
			m.doubtful[first], m.doubtful[here] = true, true
		}
		return
	}
	m.declared[key] = here
	if len(m.homes) > 0 && isUnique(here) {
		if k, _ := m.root.key(here.file.Block(int(here.index)), false); m.homes[k] != nil {
			m.doubtful[here] = true
		}
	}
}

// defineDoubtful defines, in load order, the blocks without trees that may
// declare something twice, which reports whether they do.
func (m *merger) defineDoubtful() {
	for _, f := range m.src.Files {
		for i := range f.Len() {
			if len(m.doubtful) > 0 && m.doubtful[declared{f, int32(i)}] {
				if b := f.Keep(i); language.HasItsLabels(b) {
					m.define(m.root, b, false)
				}
			}
		}
	}
}

// define takes up an item of a primary file.
func (m *merger) define(c *MergedBody, it source.Item, escaped bool) {
	key, rule := c.key(it, escaped)
	if m.isUntouched(c, key, rule, it) {
		c.untouched.add(c, key, it)
		return
	}
	e := c.claim(key)
	switch {
	case e == nil:
		e = c.add(c.newItem(key, rule, it))
		m.clash(c, e, it)
	case rule.Duplicate != "":
		m.report(declaredTwice(m, e, it))
		return
	}
	e.define(it)
	if b, ok := it.(*source.Block); ok && m.expands(e) && b.Body != nil {
		if c == m.root && !m.rules.holds[e.Path] {
			m.whole(e)
		} else {
			m.definePart(c, e, b)
		}
	}
	m.home(e)
}

// whole puts a top-level item aside until all its blocks are known. What these hold says
// nothing of other items.
func (m *merger) whole(e *MergedItem) {
	if e.Inner == nil {
		e.Inner = newBody(e.Path, m.rules)
		m.wholes = append(m.wholes, e)
	}
}

// defineParts takes up what the blocks of those items hold, of several items at a time.
func (m *merger) defineParts() {
	diags := make([]hcl.Diagnostics, len(m.wholes))
	parallel.Each(len(m.wholes), func(i int) {
		e := m.wholes[i]
		own := *m // what is shared is only read meanwhile
		own.diags = nil
		for _, it := range e.Live {
			if b, ok := it.(*source.Block); ok && b.Body != nil {
				own.definePart(m.root, e, b)
			}
		}
		diags[i] = own.diags
	})
	m.report(slices.Concat(diags...)...)
}

// isUntouched reports whether an item needs no merged item unless an override addresses it:
// it is an argument, or a block whose tree was not kept, and the first of its key.
func (m *merger) isUntouched(c *MergedBody, key Key, rule *Rule, it source.Item) bool {
	if b, ok := it.(*source.Block); ok && b.Body != nil || rule.IsApart() {
		return false
	}
	return c.untouched.find(c, key) == nil && c.indexed(key) == nil && (c != m.root || m.homes[key] == nil)
}

// expands reports whether what a block holds has histories of its own: where it is
// merged item by item, and where a whole declaration is passed over.
func (m *merger) expands(e *MergedItem) bool {
	isPassedOver := e.Rule.Do == Drop && e.Rule.Match == ByLabels
	return e.Rule.Do == Merge || e.Rule.Do == Flatten || isPassedOver || m.rules.holds[e.Path]
}

func (m *merger) definePart(c *MergedBody, e *MergedItem, b *source.Block) {
	if e.Rule.Do == Flatten {
		c.Parts = append(c.Parts, b)
		for _, it := range b.Body.Items {
			m.define(c, it, true)
		}
		return
	}
	if e.Inner == nil {
		e.Inner = newBody(e.Path, m.rules)
	}
	e.Inner.Parts = append(e.Inner.Parts, b)
	e.Inner.untouched.expect(len(b.Body.Items))
	var escaping []source.Item
	for _, it := range b.Body.Items {
		if _, rule := e.Inner.key(it, false); rule.Do == Flatten {
			escaping = append(escaping, it) // what is outside comes first
			continue
		}
		m.define(e.Inner, it, false)
	}
	for _, it := range escaping {
		m.define(e.Inner, it, false)
	}
}

// home makes a merged item inside a block known to the top-level items that may
// address it.
func (m *merger) home(e *MergedItem) {
	for _, from := range m.rules.homes[e.Path] {
		key := Key{Space: Meta, Name: from, ID: e.Key.ID}
		if other := m.root.claim(key); other != nil {
			m.report(declaredTwice(m, other, e.Live[0]))
		} else if other := m.homes[key]; other != nil && other != e {
			m.report(declaredTwice(m, other, e.Live[0]))
		}
		m.homes[key] = e
		m.homeTaken(key, e)
	}
}

// homeTaken notes a top-level block without a tree that may declare the same.
func (m *merger) homeTaken(key Key, e *MergedItem) {
	if first, ok := m.declared[source.KeyOf(key.Name, e.Live[0].(*source.Block).Labels)]; ok {
		m.doubtful[first] = true
	}
}

// clash reports siblings that exclude each other in primary files, and an
// address that is in another home already.
func (m *merger) clash(c *MergedBody, e *MergedItem, it source.Item) {
	for _, name := range e.Rule.Displaces {
		if other := c.claimNamed(name); other != nil {
			m.report(clashing(e.Rule, it, other.Live[0]))
		}
	}
	if other := m.homes[e.Key]; other != nil && c == m.root {
		m.report(declaredTwice(m, other, it))
	}
}

func (m *merger) override(f *source.File) {
	clear(m.once)
	items := make([]source.Item, 0, f.Len())
	for i := range f.Len() {
		if b := f.Block(i); language.HasItsLabels(b) {
			items = append(items, b)
		}
	}
	m.applyAll(m.root, m.group(m.root, items), false)
	for len(m.late) > 0 {
		next := m.late[0]
		m.late = m.late[1:]
		next()
	}
}
