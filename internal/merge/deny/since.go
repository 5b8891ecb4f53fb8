package deny

import (
	"slices"
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
	known = slices.DeleteFunc(slices.Clone(known), func(f check.Finding) bool { return f.Fact == nil })
	counterparts := check.Pairs(found, known, waysToBeSame...)
	keepOrder(found, counterparts)
	var unknown []check.Finding
	for i, f := range found {
		if counterparts[i] < 0 {
			unknown = append(unknown, f)
		}
	}
	return unknown
}

// A sameness is what two findings have in common that are the same.
type sameness struct {
	address address.Address
	file    string // the file in which it applies
	tokens  equal.Sum
	winner  equal.Sum
	place   string
}

// waysToBeSame lists the ways in which two findings are the same, the surest first: of several
// equal ones, those in the same file are paired. The winning layer is the same if its text or its
// name is the same; a nested block around is the same if its text or its position is the same.
var waysToBeSame = func() (list []func(check.Finding) sameness) {
	for i := range 8 {
		list = append(list, func(f check.Finding) sameness {
			if f.Fact == nil {
				return sameness{} // which no fact makes
			}
			s := sameness{address: f.Address, tokens: f.Fact.Tokens, winner: f.Fact.Winners, place: string(f.Fact.Around[:])}
			if i < 4 || f.Address.IsEmpty() {
				s.file = f.Range.Filename
			}
			if i&2 != 0 {
				s.winner = f.Fact.WinningFiles
			}
			if i&1 != 0 {
				s.place = f.Fact.Place
			}
			return s
		})
	}
	return list
}()

// keepOrder separates as few pairs as possible that swapped positions, if the order of nested
// blocks matters.
func keepOrder(found []check.Finding, counterparts []int) {
	rows := map[*merge.MergedItem][]int{}
	for i, f := range found {
		if counterparts[i] >= 0 && f.Fact.Row != nil {
			rows[f.Fact.Row] = append(rows[f.Fact.Row], i)
		}
	}
	for _, row := range rows {
		isKept := inOrder(row, counterparts)
		for _, i := range row {
			if !isKept[i] {
				counterparts[i] = -1
			}
		}
	}
}

// inOrder is a longest part of a row whose counterparts are in the same order.
func inOrder(row, counterparts []int) map[int]bool {
	var ends []int // of the best part of each length
	before := map[int]int{}
	for _, i := range row {
		at := sort.Search(len(ends), func(n int) bool { return counterparts[ends[n]] >= counterparts[i] })
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
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		isKept[i] = true
	}
	return isKept
}
