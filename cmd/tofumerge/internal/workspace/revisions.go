package workspace

import (
	"sync"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
)

// revisions are those that a run reads, each opened once.
type revisions struct {
	mutex sync.Mutex
	known map[string]*openRevision
}

type openRevision struct {
	once     sync.Once
	revision *gitrev.Revision
	err      error
}

// open opens a revision under a key, once.
func (r *revisions) open(key string, open func() (*gitrev.Revision, error)) (*gitrev.Revision, error) {
	r.mutex.Lock()
	o := r.known[key]
	if o == nil {
		if r.known == nil {
			r.known = map[string]*openRevision{}
		}
		o = &openRevision{}
		r.known[key] = o
	}
	r.mutex.Unlock()
	o.once.Do(func() { o.revision, o.err = open() })
	return o.revision, o.err
}

// Close ends what runs for the revisions.
func (r *revisions) Close() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, o := range r.known {
		if o.revision != nil {
			o.revision.Close()
		}
	}
	r.known = nil
}
