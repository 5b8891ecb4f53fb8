package gate

import (
	"maps"
	"slices"
	"sync"
)

// names are gathered by several goroutines.
type names struct {
	mutex sync.Mutex
	all   map[string]bool
}

func (n *names) add(name string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.all == nil {
		n.all = map[string]bool{}
	}
	n.all[name] = true
}

func (n *names) sorted() []string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return slices.Sorted(maps.Keys(n.all))
}
