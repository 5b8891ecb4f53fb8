package engine

import (
	"strings"
	"sync"

	"github.com/hashicorp/go-version"
)

// Engines is the set of releases in which a fact of the language holds: of each
// product those that meet a version constraint, none where it is empty. The zero
// value means all releases of all products.
type Releases struct {
	OpenTofu, Terraform string
}

// every is the constraint that all releases meet.
const Every = ">= 0"

// constraints are those of sets, by their text, once read.
var constraints sync.Map // of version.Constraints

func constraint(text string) version.Constraints {
	if known, ok := constraints.Load(text); ok {
		return known.(version.Constraints)
	}
	c := version.MustConstraints(version.NewConstraint(text))
	constraints.Store(text, c)
	return c
}

func (s Releases) of(p Product) string {
	if p == OpenTofu {
		return s.OpenTofu
	}
	return s.Terraform
}

// AreAll tells whether the set holds every release.
func (s Releases) AreAll() bool { return s == Releases{} }

// Has tells whether e is in the set.
func (s Releases) Has(e Release) bool {
	if s.AreAll() {
		return true
	}
	text := s.of(e.Product)
	return text != "" && constraint(text).Check(e.Core())
}

// String words the set for people: "all releases", "OpenTofu 1.12 and later",
// "OpenTofu up to 1.11, Terraform".
func (s Releases) String() string { return WordReleases(s.Has) }

// AllReleases are the words for the set of all releases.
const AllReleases = "all releases"

// WordReleases words a set of engines, told by which of the known ones it has.
func WordReleases(has func(Release) bool) string {
	var parts []string
	whole := 0
	for _, p := range Products {
		runs := wordRuns(p, has)
		if runs == nil {
			continue
		}
		if runs[0] == "" {
			whole++
		}
		parts = append(parts, strings.TrimSpace(p.Title()+" "+strings.Join(runs, " and ")))
	}
	if whole == len(Products) {
		return AllReleases
	}
	return strings.Join(parts, ", ")
}

// wordRuns words the runs of releases of one product that a set has; all of them
// are one run without words.
func wordRuns(p Product, has func(Release) bool) []string {
	all := p.releases()
	var runs []string
	for i := 0; i < len(all); i++ {
		if !has(Release{p, all[i]}) {
			continue
		}
		first := i
		for i+1 < len(all) && has(Release{p, all[i+1]}) {
			i++
		}
		runs = append(runs, wordRun(all, first, i))
	}
	return runs
}

func wordRun(all []*version.Version, first, last int) string {
	from, to := minorName(all[first]), minorName(all[last])
	switch {
	case first == 0 && last == len(all)-1:
		return ""
	case last == len(all)-1:
		return from + " and later"
	case first == last:
		return from
	case first == 0:
		return "up to " + to
	}
	return from + " to " + to
}
