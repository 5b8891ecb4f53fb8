package changes

import (
	"strconv"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// Each of the values is found in time that depends neither on how many a layer has nor on the
// number of layers.
func TestLayeredParts(t *testing.T) {
	look := func(t *testing.T, p *layeredParts, n int) {
		for i := range 20 * n {
			i /= 20 // again and again, so that it is not caches that are measured
			found := p.at([]*Path{{Name: "tags"}, {Name: strconv.Itoa(i)}})
			if len(found) != 1 || len(found[0]) != 1 || found[0][0].label != strconv.Itoa(i) {
				t.Fatalf("%d: found %v", i, found)
			}
		}
	}
	tags := func(members ...member) []*node {
		return []*node{{members: []member{{key{name: "tags"}, &node{members: members}}}}}
	}
	of := func(i int) member { return member{key{name: strconv.Itoa(i)}, &node{label: strconv.Itoa(i)}} }
	loadtest.Linear(t, "keys of a layer", 1000, func(size int) {
		members := make([]member, size)
		for i := range members {
			members[i] = of(i)
		}
		look(t, &layeredParts{layers: [][]*node{tags(members...)}}, size)
	})
	loadtest.Linear(t, "layers with one key", 1000, func(size int) {
		var p layeredParts
		for i := range size {
			p.layers = append(p.layers, tags(of(i)))
		}
		look(t, &p, size)
	})
}
