package merge

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/early"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Values that an engine computes before anything else, such as the source of a module: refusals
// there depend on variables and local values, so they are judged once all files are merged.

// checkEarly reports values that the engine refuses to compute early.
func (m *Module) checkEarly() hcl.Diagnostics {
	values := early.NewModule(m.Source.Engine, m.Source.Files)
	if values == nil {
		return nil
	}
	add := func(e *MergedItem) {
		if e.InEffect() && values.Concerns(e.Path) {
			values.Declare(e.Path, e.Key.ID, e.Live[0])
			eachEffective(e, e.Path, func(path string, a *source.Attr) { values.Add(e.Key.ID, path, a) })
		}
	}
	for _, e := range m.Root.All() {
		add(e)
	}
	m.EachAlone(func(f *source.File, i int) {
		if values.Concerns(string(f.TypeOf(i))) {
			b := f.Block(i)
			key, _ := m.Root.key(b, false)
			add(m.Root.defined(key, b)) // nothing of it is kept
		}
	})
	return values.Judge()
}

// eachEffective visits the arguments in effect in an item, with their paths.
func eachEffective(e *MergedItem, path string, visit func(path string, a *source.Attr)) {
	if e.Inner() == nil {
		for _, it := range e.Live {
			eachWritten(it, path, visit)
		}
		return
	}
	for _, inner := range e.Inner().All() {
		if inner.InEffect() && !inner.Escaped { // an escaped name is the provider's or the called module's
			eachEffective(inner, path+"/"+inner.Key.Name, visit)
		}
	}
}

// eachWritten visits the arguments of an item as it is written.
func eachWritten(it source.Item, path string, visit func(path string, a *source.Attr)) {
	switch it := it.(type) {
	case *source.Attr:
		visit(path, it)
	case *source.Block:
		for _, inner := range it.Items() {
			eachWritten(inner, path+"/"+inner.Called(), visit)
		}
	}
}
