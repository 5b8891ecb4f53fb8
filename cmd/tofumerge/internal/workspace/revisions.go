package workspace

import (
	"sync"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
)

// revisions are those that a run reads, each opened once.
type revisions struct {
	opened sync.Map // by key: functions that return what open returned
}

// open opens a revision under a key, once.
func (r *revisions) open(key string, open func() (*gitrev.Revision, error)) (*gitrev.Revision, error) {
	opened, _ := r.opened.LoadOrStore(key, sync.OnceValues(open))
	return opened.(func() (*gitrev.Revision, error))()
}

// Close ends what runs for the revisions.
func (r *revisions) Close() {
	r.opened.Range(func(_, opened any) bool {
		if revision, err := opened.(func() (*gitrev.Revision, error))(); err == nil {
			revision.Close()
		}
		return true
	})
	r.opened.Clear()
}
