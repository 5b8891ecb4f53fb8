package merge

import (
	"github.com/tofumerge/tofumerge/internal/load"
)

// What the table can't say, one function each.

// checkRequiredVersions tells constraints that count in their own files apart
// from those that would only start to count in the printed one.
func checkRequiredVersions(m *merger, e *Entry) {
	var inert []load.Item
	var counts load.Item
	for _, inner := range e.Inner.Entries {
		if !inner.Rule.TofuOnly || !inner.In() {
			continue
		}
		switch it := inner.Live[0]; {
		case !it.Source().Tofu:
			inert = append(inert, it)
		case counts == nil:
			counts = it
		}
	}
	if counts == nil {
		return
	}
	for _, it := range inert {
		m.report(startsToCount(it, counts))
	}
}

// checkModuleSource judges a module call's source and version as they are
// after the merge, which is when the engine does.
func checkModuleSource(m *merger, e *Entry) {
	m.report(load.CheckModuleSource(e.Inner.Named("source").Attr(), e.Inner.Named("version").Attr())...)
}

// checkDestroyConnection warns of a connection that the engine would refuse had
// it stood in one block with a provisioner that runs at destroy time.
func checkDestroyConnection(m *merger, e *Entry) {
	conn, provisioners := e.Inner.Named("connection"), e.Inner.Named("provisioner")
	if conn == nil || provisioners == nil || !conn.In() {
		return
	}
	b := conn.Live[0].(*load.Block)
	for _, it := range provisioners.Live {
		p := it.(*load.Block)
		if p.Within() == b.Within() || !load.IsDestroyTime(p) || len(load.OnlySelf(b.Body)) == 0 {
			continue
		}
		m.report(destroyConnection(b, p))
		return
	}
}
