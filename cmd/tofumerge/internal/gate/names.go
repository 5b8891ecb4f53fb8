package gate

import (
	"maps"
	"slices"
	"sync"
)

// nameSet are gathered by several goroutines.
type nameSet struct {
	mutex sync.Mutex
	all   map[string]bool
}

func (n *nameSet) add(name string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.all == nil {
		n.all = map[string]bool{}
	}
	n.all[name] = true
}

func (n *nameSet) sorted() []string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return slices.Sorted(maps.Keys(n.all))
}
