package changes

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// A run is a stretch of a list, between from and to, that another list replaces by the stretch from
// start to end. One of them may be empty.
type run struct{ from, to, start, end int }

// Finding a longest common subsequence takes steps in proportion to the length of the
// lists times the number of their differences. Of lists that differ in too much it is
// not looked for.
const (
	stepsEach   = 256 // for each element
	maxDistance = 2000
)

// differing lists the stretches in which two lists differ, with a longest common
// subsequence between them, by the algorithm of E. Myers, "An O(ND) Difference Algorithm
// and Its Variations". If it would take too many steps, ok is false, and there is one
// stretch.
func differing(old, later []*values.Node) (runs []run, ok bool) {
	first := 0
	for first < len(old) && first < len(later) && old[first].Sum == later[first].Sum {
		first++
	}
	end := 0
	for end < len(old)-first && end < len(later)-first &&
		old[len(old)-1-end].Sum == later[len(later)-1-end].Sum {
		end++
	}
	all := run{first, len(old) - end, first, len(later) - end}
	if all.from == all.to || all.start == all.end {
		return []run{all}, true
	}
	s := script{old: old[all.from:all.to], later: later[all.start:all.end]}
	distance, ok := s.countEdits()
	if !ok {
		return []run{all}, false
	}
	for _, r := range s.runs(distance) {
		runs = append(runs, run{r.from + first, r.to + first, r.start + first, r.end + first})
	}
	return runs, true
}

// A script searches the shortest way from one list to another: diagonals of a grid are
// elements that both have.
type script struct {
	old, later []*values.Node
	furthest   [][]int32 // by distance: how far each diagonal reaches, starting with -distance
}

// countEdits returns how many elements go or come.
func (s *script) countEdits() (distance int, ok bool) {
	n, m := len(s.old), len(s.later)
	budget := stepsEach * (n + m)
	var last []int32
	for d := 0; d <= n+m && d <= maxDistance; d++ {
		budget -= d + 1
		row := make([]int32, 2*d+1)
		for k := -d; k <= d; k += 2 {
			x := 0
			switch {
			case d == 0:
			case k == -d || k != d && last[k-1+d-1] < last[k+1+d-1]:
				x = int(last[k+1+d-1])
			default:
				x = int(last[k-1+d-1]) + 1
			}
			for x < n && x-k < m && x-k >= 0 && s.old[x].Sum == s.later[x-k].Sum {
				x++
				budget--
			}
			row[k+d] = int32(x)
			if k == n-m && x >= n {
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

// runs follows the path backwards.
func (s *script) runs(distance int) []run {
	x, y := len(s.old), len(s.later)
	var list []run // the last one first
	for d := distance; d > 0; d-- {
		k := x - y
		last := s.furthest[d-1]
		before := k - 1
		if k == -d || k != d && last[k-1+d-1] < last[k+1+d-1] {
			before = k + 1
		}
		fromX := int(last[before+d-1])
		fromY := fromX - before
		step := run{fromX, fromX, fromY, fromY + 1} // one comes
		if before == k-1 {
			step = run{fromX, fromX + 1, fromY, fromY} // one is removed
		}
		if n := len(list); n > 0 && list[n-1].from == step.to && list[n-1].start == step.end {
			list[n-1].from, list[n-1].start = step.from, step.start
		} else {
			list = append(list, step)
		}
		x, y = fromX, fromY
	}
	slices.Reverse(list)
	return list
}
