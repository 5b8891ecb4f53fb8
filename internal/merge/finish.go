package merge

import "github.com/tofumerge/tofumerge/internal/load/source"

// finish settles everything that depends on all files.
func (m *merger) finish() {
	m.tryRemedies()
	for _, e := range m.root.Items {
		if e.Inner() == nil {
			continue
		}
		m.rank(e)
		if judge := e.Inner().kind.Shape.Judged(); judge != nil && !m.isJudged(e) {
			diags := judge(func(name string) *source.Attr { return e.Inner().claimNamed(name).Attr() })
			remedyVersions(e, diags)
			m.report(diags...)
		}
		if end := checks[e.Rule.Check].end; end != nil {
			end(m, e)
		}
	}
}

// isJudged reports whether an item is a block that was judged when its file was read, since no
// override file can change it.
func (m *merger) isJudged(e *MergedItem) bool {
	if len(e.Live) != 1 || e.IsOverridden() {
		return false
	}
	b, ok := e.Live[0].(*source.Block)
	return ok && !m.src.IsAddressedAt(b.File, b.File.IndexOf(b))
}
