package changes

import (
	"cmp"
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// maxPairs is how many pairs of elements are compared to find the most similar ones.
const maxPairs = 400

// paired lists for each of some elements which of the later ones is for it, -1 for none:
// of objects and blocks with the same labels those that have most in common, and else
// the next one.
func paired(old, later []*values.Node) []int {
	p := pairing{old: old, later: later, of: make([]int, len(old)), taken: make([]bool, len(later))}
	for i := range p.of {
		p.of[i] = -1
	}
	if len(old)*len(later) <= maxPairs && len(old)+len(later) > 2 {
		p.bySimilarity()
	}
	p.byOrder()
	return p.of
}

type pairing struct {
	old, later []*values.Node
	of         []int
	taken      []bool
}

// A kind is what elements must share to be for each other.
type kind struct {
	form  values.Form
	label string
}

func kindOf(n *values.Node) kind { return kind{n.Form, n.Label} }

func (p *pairing) take(i, j int) { p.of[i], p.taken[j] = j, true }

func (p *pairing) bySimilarity() {
	type pair struct{ i, j, common int }
	var pairs []pair
	for i, a := range p.old {
		has := map[values.Key]values.Sum{}
		for _, m := range a.Members {
			has[m.Key] = m.Node.Sum
		}
		for j, b := range p.later {
			if kindOf(a) != kindOf(b) {
				continue
			}
			common := 0
			for _, m := range b.Members {
				if s, ok := has[m.Key]; ok && s == m.Node.Sum {
					common++
				}
			}
			if common > 0 {
				pairs = append(pairs, pair{i, j, common})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.common, a.common) })
	for _, x := range pairs {
		if p.of[x.i] < 0 && !p.taken[x.j] {
			p.take(x.i, x.j)
		}
	}
}

func (p *pairing) byOrder() {
	waiting := map[kind][]int{}
	for j, n := range p.later {
		if !p.taken[j] && n.Form != values.Whole {
			waiting[kindOf(n)] = append(waiting[kindOf(n)], j)
		}
	}
	for i, n := range p.old {
		if list := waiting[kindOf(n)]; p.of[i] < 0 && len(list) > 0 {
			p.take(i, list[0])
			waiting[kindOf(n)] = list[1:]
		}
	}
}
