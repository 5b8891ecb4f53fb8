package deny

import (
	"sort"

	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// Unknown returns the findings of this package, in order, that another run did not have. A finding
// is known if the other run has one with the same address and the same fact or, without an address,
// with the same file and the same text. Each finding of the other run accounts for one. Findings
// without facts are never known.
func Unknown(found, known []check.Finding) []check.Finding {
	m := &findingMatcher{found: found, known: known, counterpart: make([]int, len(found)), isTaken: make([]bool, len(known))}
	for i := range m.counterpart {
		m.counterpart[i] = -1
	}
	for _, same := range waysToBeSame {
		m.match(same)
	}
	m.keepOrder()
	var unknown []check.Finding
	for i, f := range found {
		if m.counterpart[i] < 0 {
			unknown = append(unknown, f)
		}
	}
	return unknown
}

// A sameness is what two findings have in common that are the same.
type sameness struct {
	address address.Address
	file    string // the file in which it applies
	says    equal.Sum
	winner  equal.Sum
	place   string
}

// waysToBeSame lists the ways in which two findings are the same, the surest first: of several
// equal ones, those in the same file are paired. The winning layer is the same if its text or its
// name is the same; a nested block around is the same if its text or its position is the same.
var waysToBeSame = func() (list []func(check.Finding) sameness) {
	for i := range 8 {
		list = append(list, func(f check.Finding) sameness {
			s := sameness{address: f.Address, says: f.Fact.Says, winner: f.Fact.Winners, place: string(f.Fact.Around[:])}
			if i < 4 || f.Address.IsEmpty() {
				s.file = f.Range.Filename
			}
			if i&2 != 0 {
				s.winner = f.Fact.Layers
			}
			if i&1 != 0 {
				s.place = f.Fact.Place
			}
			return s
		})
	}
	return list
}()

// A findingMatcher finds for each finding of a run one of another run.
type findingMatcher struct {
	found, known []check.Finding
	counterpart  []int // among the known ones, -1 for none
	isTaken      []bool
}

// match pairs findings that are the same in one way.
func (m *findingMatcher) match(same func(check.Finding) sameness) {
	waiting := map[sameness][]int{}
	for i, f := range m.known {
		if f.Fact != nil && !m.isTaken[i] {
			waiting[same(f)] = append(waiting[same(f)], i)
		}
	}
	for i, f := range m.found {
		if f.Fact == nil || m.counterpart[i] >= 0 {
			continue
		}
		key := same(f)
		if list := waiting[key]; len(list) > 0 {
			m.counterpart[i], waiting[key] = list[0], list[1:]
			m.isTaken[list[0]] = true
		}
	}
}

// keepOrder separates as few pairs as possible that swapped positions, if the order of nested
// blocks matters.
func (m *findingMatcher) keepOrder() {
	rows := map[*merge.MergedItem][]int{}
	for i, f := range m.found {
		if m.counterpart[i] >= 0 && f.Fact.Row != nil {
			rows[f.Fact.Row] = append(rows[f.Fact.Row], i)
		}
	}
	for _, row := range rows {
		isKept := m.inOrder(row)
		for _, i := range row {
			if !isKept[i] {
				m.counterpart[i] = -1
			}
		}
	}
}

// inOrder is a longest part of a row whose counterparts are in the same order.
func (m *findingMatcher) inOrder(row []int) map[int]bool {
	var ends []int // of the best part of each length
	before := map[int]int{}
	for _, i := range row {
		at := sort.Search(len(ends), func(n int) bool { return m.counterpart[ends[n]] >= m.counterpart[i] })
		before[i] = -1
		if at > 0 {
			before[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		} else {
			ends[at] = i
		}
	}
	isKept := map[int]bool{}
	if len(ends) == 0 {
		return isKept
	}
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		isKept[i] = true
	}
	return isKept
}
