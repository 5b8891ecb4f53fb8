package merge

import (
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Options control the merge.
type Options struct {
	// NoOverrides leaves the override files out, although they were loaded.
	NoOverrides bool
}

// Dir loads the module of a directory and merges its files. It returns the diagnostics of both.
func Dir(dir string, loading load.Options, opts Options) (*Module, hcl.Diagnostics, error) {
	src, diags, err := load.Dir(dir, loading)
	if err != nil {
		return nil, nil, err
	}
	m, more := Files(src, opts)
	return m, append(diags, more...), nil
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
			m.primary(f, src.IsAddressedAt)
		}
	}
	m.defineSuspects(src.Files)
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
	mod := &Module{Source: src, Root: m.root, vars: m.vars, added: m.added, suspects: m.suspects, effectiveFiles: m.effectiveFiles, alone: map[Key]*MergedItem{}}
	mod.all = sync.OnceValue(func() []*MergedItem { return mod.AllOf(func(*source.File, int) bool { return true }) })
	mod.order = sync.OnceValue(func() map[*source.File]int {
		order := make(map[*source.File]int, len(src.Files))
		for i, f := range src.Files {
			order[f] = i
		}
		return order
	})
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

func (m *merger) override(f *source.File) {
	clear(m.once)
	m.hasEffect = false
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
	if m.hasEffect {
		m.effectiveFiles[f] = true
		dropTraps(f, m.diags[from:])
	}
}
