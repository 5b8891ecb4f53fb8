package changes

import (
	"strconv"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// Each of the values is found in time that depends neither on how many a layer has nor on the
// number of layers.
func TestLayeredParts(t *testing.T) {
	look := func(t *testing.T, p *layeredParts, n int) {
		for i := range 20 * n {
			i /= 20 // again and again, so that it is not caches that are measured
			found := p.valuesAt([]*values.Path{{Name: "tags"}, {Name: strconv.Itoa(i)}})
			if len(found) != 1 || len(found[0]) != 1 || found[0][0].Label != strconv.Itoa(i) {
				t.Fatalf("%d: found %v", i, found)
			}
		}
	}
	tags := func(members ...values.Member) []*values.Node {
		return []*values.Node{{Members: []values.Member{{Key: values.Key{Name: "tags"}, Node: &values.Node{Members: members}}}}}
	}
	of := func(i int) values.Member {
		return values.Member{Key: values.Key{Name: strconv.Itoa(i)}, Node: &values.Node{Label: strconv.Itoa(i)}}
	}
	loadtest.Linear(t, "keys of a layer", 1000, func(size int) {
		members := make([]values.Member, size)
		for i := range members {
			members[i] = of(i)
		}
		look(t, &layeredParts{layers: [][]*values.Node{tags(members...)}}, size)
	})
	loadtest.Linear(t, "layers with one key", 1000, func(size int) {
		var p layeredParts
		for i := range size {
			p.layers = append(p.layers, tags(of(i)))
		}
		look(t, &p, size)
	})
}
