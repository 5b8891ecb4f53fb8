package changes

import (
	"cmp"
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// maxPairs limits how many pairs of elements are compared to find the most similar ones.
const maxPairs = 400

// pairElements returns, for each old element, the index of its counterpart in later, or -1. It pairs objects,
// or blocks with the same labels, that have most in common, then the others in order.
func pairElements(old, later []*values.Node) []int {
	p := pairing{old: old, later: later, laterOf: make([]int, len(old)), taken: make([]bool, len(later))}
	for i := range p.laterOf {
		p.laterOf[i] = -1
	}
	// One with one needs no search.
	if len(old)*len(later) <= maxPairs && len(old)+len(later) > 2 {
		p.bySimilarity()
	}
	p.byOrder()
	return p.laterOf
}

// A pairing pairs old elements with later ones.
type pairing struct {
	old, later []*values.Node
	laterOf    []int  // for each old element, the later one, or -1
	taken      []bool // for each later element
}

// A kind is what two elements must share to be paired.
type kind struct {
	form  values.Form
	label string
}

// kindOf returns the kind of an element.
func kindOf(n *values.Node) kind { return kind{n.Form, n.Label} }

// pair pairs old element i with later element j.
func (p *pairing) pair(i, j int) { p.laterOf[i], p.taken[j] = j, true }

// bySimilarity pairs elements that have equal members, those with most of them first.
func (p *pairing) bySimilarity() {
	type pair struct{ i, j, common int } // common: how many members are equal
	var pairs []pair
	for i, a := range p.old {
		sums := map[values.Key]values.Sum{}
		for _, m := range a.Members {
			sums[m.Key] = m.Node.Sum
		}
		for j, b := range p.later {
			if kindOf(a) != kindOf(b) {
				continue
			}
			common := 0
			for _, m := range b.Members {
				if sum, hasKey := sums[m.Key]; hasKey && sum == m.Node.Sum {
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
		if p.laterOf[x.i] < 0 && !p.taken[x.j] {
			p.pair(x.i, x.j)
		}
	}
}

// byOrder pairs the remaining elements of a kind in order. It leaves out values without parts to compare, such
// as strings.
func (p *pairing) byOrder() {
	waiting := map[kind][]int{}
	for j, n := range p.later {
		if !p.taken[j] && n.Form != values.Whole {
			waiting[kindOf(n)] = append(waiting[kindOf(n)], j)
		}
	}
	for i, n := range p.old {
		if list := waiting[kindOf(n)]; p.laterOf[i] < 0 && len(list) > 0 {
			p.pair(i, list[0])
			waiting[kindOf(n)] = list[1:]
		}
	}
}

// A run is a stretch of a list, [oldFrom, oldTo), that another list replaces by its stretch [laterFrom,
// laterTo). One of the two may be empty.
type run struct{ oldFrom, oldTo, laterFrom, laterTo int }

// Finding a longest common subsequence takes steps in proportion to the length of the
// lists times the number of their differences. Of lists that differ in too much it is
// not looked for.
const (
	stepsEach   = 256 // for each element
	maxDistance = 2000
)

// differingRuns returns the runs in which two lists differ, in order. Between them is a longest common
// subsequence, by the algorithm of E. Myers, "An O(ND) Difference Algorithm and Its Variations". If that would
// take too many steps, ok is false, and a single run covers all differences.
func differingRuns(old, later []*values.Node) (runs []run, ok bool) {
	// Equal beginnings and ends need no search.
	prefix := 0
	for prefix < len(old) && prefix < len(later) && old[prefix].Sum == later[prefix].Sum {
		prefix++
	}
	suffix := 0
	for suffix < len(old)-prefix && suffix < len(later)-prefix &&
		old[len(old)-1-suffix].Sum == later[len(later)-1-suffix].Sum {
		suffix++
	}
	all := run{oldFrom: prefix, oldTo: len(old) - suffix, laterFrom: prefix, laterTo: len(later) - suffix}
	if all.oldFrom == all.oldTo || all.laterFrom == all.laterTo {
		return []run{all}, true
	}
	s := script{old: old[all.oldFrom:all.oldTo], later: later[all.laterFrom:all.laterTo]}
	distance, ok := s.countEdits()
	if !ok {
		return []run{all}, false
	}
	for _, r := range s.runs(distance) { // their offsets start behind the prefix
		runs = append(runs, run{r.oldFrom + prefix, r.oldTo + prefix, r.laterFrom + prefix, r.laterTo + prefix})
	}
	return runs, true
}

// A script searches the shortest edit script between two lists, as a path through a grid: x counts elements of
// old, y those of later, and diagonal k holds the points with x-y = k. A step along a diagonal is an element
// that both have.
type script struct {
	old, later []*values.Node
	furthest   []reach // by distance
}

// A reach holds, for one distance, the furthest x on each diagonal from -distance to distance: x on diagonal k has
// the index k+distance.
type reach []int32

// on returns the furthest x on diagonal k.
func (r reach) on(k int) int32 { return r[k+len(r)/2] }

// isInsertion reports whether diagonal k, at distance d, is best reached by an insertion, a step down from diagonal
// k+1. Otherwise it's a removal, a step right from k-1. last is for distance d-1.
func isInsertion(k, d int, last reach) bool {
	return k == -d || k != d && last.on(k-1) < last.on(k+1)
}

// countEdits returns how many elements must be removed or inserted to turn old into later: the greedy search of
// Myers. It appends to s.furthest how far each diagonal gets with 0, 1, 2 ... such edits, from which the method runs
// finds the path. ok is false if counting takes too many steps.
func (s *script) countEdits() (distance int, ok bool) {
	n, m := len(s.old), len(s.later)
	budget := stepsEach * (n + m)
	var last reach
	for d := 0; d <= n+m && d <= maxDistance; d++ {
		budget -= d + 1
		row := make(reach, 2*d+1)
		for k := -d; k <= d; k += 2 {
			x := 0 // the point is behind x elements of old and x-k of later
			switch {
			case d == 0:
			case isInsertion(k, d, last): // from diagonal k+1, an element of later is inserted
				x = int(last.on(k + 1))
			default: // from diagonal k-1, an element of old is removed
				x = int(last.on(k-1)) + 1
			}
			// Go on along the diagonal, unless the point is outside of the grid: x may be n+1, and x-k negative or m+1.
			for x < n && x-k < m && x-k >= 0 && s.old[x].Sum == s.later[x-k].Sum {
				x++
				budget--
			}
			row[k+d] = int32(x) // see reach.on
			isAtEnd := k == n-m && x >= n
			if isAtEnd {
				s.furthest = append(s.furthest, row)
				return d, true
			}
		}
		if budget < 0 {
			return 0, false
		}
		s.furthest = append(s.furthest, row)
		last = row
	}
	return 0, false
}

// runs follows the shortest path backwards through s.furthest, from the end of both lists, and returns the runs in
// which the lists differ, in ascending order. Each round takes back one edit, and skips the equal elements behind it,
// which are on the same diagonal. distance is from countEdits.
func (s *script) runs(distance int) []run {
	x, y := len(s.old), len(s.later)
	var list []run // the last one first
	for d := distance; d > 0; d-- {
		k := x - y // the diagonal where the edit ends
		last := s.furthest[d-1]
		isInserted := isInsertion(k, d, last)
		before := k - 1 // the diagonal where the step starts
		if isInserted {
			before = k + 1
		}
		fromX := int(last.on(before)) // where the edit starts: behind the equal elements that follow the edit before it
		fromY := fromX - before
		step := run{oldFrom: fromX, oldTo: fromX, laterFrom: fromY, laterTo: fromY}
		if isInserted {
			step.laterTo++
		} else {
			step.oldTo++
		}
		// A step directly before the last run extends it.
		if n := len(list); n > 0 && list[n-1].oldFrom == step.oldTo && list[n-1].laterFrom == step.laterTo {
			list[n-1].oldFrom, list[n-1].laterFrom = step.oldFrom, step.laterFrom
		} else {
			list = append(list, step)
		}
		x, y = fromX, fromY
	}
	slices.Reverse(list)
	return list
}
