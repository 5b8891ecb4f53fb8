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
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
)

// Options control the merge.
type Options struct {
	// NoOverrides leaves the override files out, although they were loaded.
	NoOverrides bool
}

// A Module is the effective configuration of a loaded module. Once it is merged, several
// goroutines may read it.
type Module struct {
	Source *load.Module
	Root   *MergedBody // the top-level blocks

	vars     map[*MergedItem]*variable.State // those that overrides changed
	added    map[*source.Block]bool          // blocks that overrides added
	doubtful map[declaration]bool
	working  map[*source.File]bool // override files with an override that takes effect
	mutex    sync.Mutex            // guards alone
	alone    map[Key]*MergedItem   // items of AllOf that overrides don't address
	all      func() []*MergedItem

	ordered sync.Once
	order   map[*source.File]int // load order, computed on demand
}

// Files merges the files of a loaded module. Errors among the diagnostics are refusals of the
// engine; warnings report items without effect and effects that no printed configuration can
// express. The module is complete only if there are no errors.
func Files(src *load.Module, opts Options) (*Module, hcl.Diagnostics) {
	m := newMerger(src)
	alone := 0
	(&Module{Source: src}).EachAlone(func(*source.File, int) { alone++ })
	m.declared = make(map[uint64]declaration, alone)
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
	mod := &Module{Source: src, Root: m.root, vars: m.vars, added: m.added, doubtful: m.doubtful, working: m.working, alone: map[Key]*MergedItem{}}
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
	src          *load.Module
	rules        *rules.Set
	root         *MergedBody
	aliasTargets map[Key]*MergedItem // the targets of a top-level item inside other blocks
	// wholes are top-level items whose blocks are merged when all are known.
	wholes   []*MergedItem
	once     map[*rules.Rule]source.Item // first items of the override file at hand
	works    bool                        // an override of that file takes effect
	deferred []func()                    // applied after the rest of that file

	renewals    map[renewalKey]*renewal
	spareGroups [][]group // for groups, one after the other

	vars  map[*MergedItem]*variable.State
	added map[*source.Block]bool
	order int32
	hints int // how many similar names were looked for
	// similar caches the candidates for misspelt names.
	similar map[candidatesKey]candidateSet
	diags   hcl.Diagnostics
	// unwritten holds the ranges of diagnostics that have no counterpart in the native text of a
	// JSON file.
	unwritten map[*hcl.Diagnostic]hcl.Range
	doubts    map[ambiguityKey]*ambiguity
	meant     map[string]string // see meantNames
	advised   []untriedRemedy   // whose remedies are tried when all files are merged
	// declared are the blocks of primary files that no override addresses, by hash; those
	// that may declare something twice are doubtful.
	declared map[uint64]declaration
	doubtful map[declaration]bool
	working  map[*source.File]bool // see Module
	// partial is set if some primary file is broken, so that seemingly missing declarations may
	// exist.
	partial bool
}

func newMerger(src *load.Module) *merger {
	set := rules.NewSet(src.Engine)
	return &merger{
		src:          src,
		meant:        meantNames(src.Names),
		rules:        set,
		root:         newBody("", set),
		aliasTargets: map[Key]*MergedItem{},
		vars:         map[*MergedItem]*variable.State{},
		added:        map[*source.Block]bool{},
		once:         map[*rules.Rule]source.Item{},
		renewals:     map[renewalKey]*renewal{},
		doubtful:     map[declaration]bool{},
		working:      map[*source.File]bool{},
		similar:      map[candidatesKey]candidateSet{},

		unwritten: map[*hcl.Diagnostic]hcl.Range{},
		doubts:    map[ambiguityKey]*ambiguity{},
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

// next numbers the additions of overrides, in order.
func (m *merger) next() int32 {
	m.order++
	return m.order
}

func (m *merger) report(d ...*hcl.Diagnostic) { m.diags = append(m.diags, d...) }

// primary adds the blocks of a primary file. Blocks that no override addresses are only checked for
// duplicates.
func (m *merger) primary(f *source.File) {
	for i := range f.Len() {
		if !m.src.IsAddressedAt(f, i) {
			m.declare(f.Key(i), declaration{f, int32(i)}, m.isUnique)
		} else if b := f.Block(i); language.HasItsLabels(b) {
			m.define(m.root, b, false)
		}
	}
	f.Names(func(key uint64, i int) {
		m.declare(key, declaration{f, int32(i)}, func(declaration) bool { return true })
	})
}

// isUnique reports whether blocks of the type of one declare something that may be
// declared once.
func (m *merger) isUnique(d declaration) bool {
	r := m.root.kind.Names.Own(string(d.file.TypeOf(int(d.index))))
	return r != nil && r.Duplicate != ""
}

// declaration is a block that declares something and that no override addresses.
type declaration struct {
	file  *source.File
	index int32
}

// declare notes a declaration. Blocks that seem to declare the same, if it may be
// declared once only, are put aside, to be defined once all are known.
func (m *merger) declare(key uint64, here declaration, isUnique func(declaration) bool) {
	if first, known := m.declared[key]; known {
		if isUnique(here) {
			m.doubtful[first], m.doubtful[here] = true, true
		}
		return
	}
	m.declared[key] = here
	if len(m.aliasTargets) > 0 && isUnique(here) {
		if k, _ := m.root.key(here.file.Block(int(here.index)), false); m.aliasTargets[k] != nil {
			m.doubtful[here] = true
		}
	}
}

// defineDoubtful defines, in load order, the blocks that may declare something twice, which
// reports whether they do.
func (m *merger) defineDoubtful() {
	for _, f := range m.src.Files {
		for i := range f.Len() {
			if len(m.doubtful) > 0 && m.doubtful[declaration{f, int32(i)}] {
				if b := f.Block(i); language.HasItsLabels(b) {
					m.define(m.root, b, false)
				}
			}
		}
	}
}

// define adds an item of a primary file.
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
	if b, ok := it.(*source.Block); ok && expands(m.rules, e) {
		if c == m.root && !m.rules.HoldsTargets(e.Path) {
			m.whole(e)
		} else {
			m.definePart(c, e, b)
		}
	}
	m.home(e)
}

// whole defers a top-level item until all its blocks are known. Their contents reveal nothing about
// other items.
func (m *merger) whole(e *MergedItem) {
	if e.Inner() == nil {
		e.body(m.rules)
		m.wholes = append(m.wholes, e)
	}
}

// defineParts adds the contents of those items' blocks, several items at a time.
func (m *merger) defineParts() {
	diags := make([]hcl.Diagnostics, len(m.wholes))
	parallel.Each(len(m.wholes), func(i int) {
		e := m.wholes[i]
		own := *m // shared fields are only read meanwhile
		own.diags = nil
		for _, it := range e.Live {
			if b, ok := it.(*source.Block); ok {
				own.definePart(m.root, e, b)
			}
		}
		diags[i] = own.diags
	})
	m.report(slices.Concat(diags...)...)
}

// isUntouched reports whether an item needs no merged item unless an override addresses it:
// it is an argument, and the first of its key.
func (m *merger) isUntouched(c *MergedBody, key Key, rule *rules.Rule, it source.Item) bool {
	if _, isBlock := it.(*source.Block); isBlock || rule.IsApart() {
		return false
	}
	return c.untouched.find(c, key) == nil && c.indexed(key) == nil && (c != m.root || m.aliasTargets[key] == nil)
}

// expands reports whether the contents of a block have separate histories: if they are merged item
// by item, or if a whole declaration is ignored.
func expands(set *rules.Set, e *MergedItem) bool {
	isPassedOver := e.Rule.Do == rules.Drop && e.Rule.Match == rules.ByLabels
	return e.Rule.Do == rules.Merge || e.Rule.Do == rules.Flatten || isPassedOver || set.HoldsTargets(e.Path)
}

func (m *merger) definePart(c *MergedBody, e *MergedItem, b *source.Block) {
	if e.Rule.Do == rules.Flatten {
		c.Parts = append(c.Parts, b)
		for _, it := range b.Items() {
			m.define(c, it, true)
		}
		return
	}
	inner := e.body(m.rules)
	inner.Parts = append(inner.Parts, b)
	inner.untouched.expect(len(b.Items()))
	var escaping []source.Item
	for _, it := range b.Items() {
		if _, rule := inner.key(it, false); rule.Do == rules.Flatten {
			escaping = append(escaping, it) // items outside come first
			continue
		}
		m.define(inner, it, false)
	}
	for _, it := range escaping {
		m.define(inner, it, false)
	}
}

// home makes a merged item inside a block known to the top-level items that may
// address it.
func (m *merger) home(e *MergedItem) {
	for _, from := range m.rules.Addressing(e.Path) {
		key := Key{Space: metaSpace, Name: from, ID: e.Key.ID}
		if other := m.root.claim(key); other != nil {
			m.report(declaredTwice(m, other, e.Live[0]))
		} else if other := m.aliasTargets[key]; other != nil && other != e {
			m.report(declaredTwice(m, other, e.Live[0]))
		}
		m.aliasTargets[key] = e
		m.homeTaken(key, e)
	}
}

// homeTaken notes a top-level block that may declare the same, and that no override addresses.
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
	if other := m.aliasTargets[e.Key]; other != nil && c == m.root {
		m.report(declaredTwice(m, other, it))
	}
}

func (m *merger) override(f *source.File) {
	clear(m.once)
	m.works = false
	from := len(m.diags)
	items := make([]source.Item, 0, f.Len())
	for i := range f.Len() {
		if b := f.Block(i); language.HasItsLabels(b) {
			items = append(items, b)
		}
	}
	m.applyAll(m.root, m.group(m.root, items), false)
	for len(m.deferred) > 0 {
		next := m.deferred[0]
		m.deferred = m.deferred[1:]
		next()
	}
	if m.works {
		m.working[f] = true
		dropTraps(f, m.diags[from:])
	}
}
