package engine

import "strings"

// Every is the constraint that all releases of a product meet.
const Every = ">= 0"

// meets reports whether the release meets a constraint; none meets the empty one.
func (e Release) meets(text string) bool { return text != "" && e.Version.meets(text) }

// Has reports whether e is in the set.
func (s Releases) Has(e Release) bool {
	return s.IsAll() || e.meets(e.Product.row().constraint(s))
}

// String describes the set for people: "all releases", "OpenTofu 1.12 and later",
// "OpenTofu up to 1.11, Terraform".
func (s Releases) String() string { return Describe(s.Has) }

// AllReleases describes the set of all releases.
const AllReleases = "all releases"

// Describe describes for people the set of releases for which has reports true. It
// calls has with the observed releases.
func Describe(has func(Release) bool) string {
	var parts []string
	whole := 0
	for _, p := range Products() {
		runs := describeRuns(p, has)
		if runs == nil {
			continue
		}
		if runs[0] == "" {
			whole++
		}
		parts = append(parts, strings.TrimSpace(p.Title()+" "+strings.Join(runs, " and ")))
	}
	if whole == len(products) {
		return AllReleases
	}
	return strings.Join(parts, ", ")
}

// Describe describes releases of one product without its name; empty if it is all of them.
func (p Product) Describe(has func(Release) bool) string {
	return strings.Join(describeRuns(p, has), " and ")
}

// describeRuns describes each run of releases of one product that a set has; a run of
// all of them is "".
func describeRuns(p Product, has func(Release) bool) []string {
	all := p.row().observed
	var runs []string
	for i := 0; i < len(all); i++ {
		if !has(Release{p, all[i]}) {
			continue
		}
		first := i
		for i+1 < len(all) && has(Release{p, all[i+1]}) {
			i++
		}
		runs = append(runs, describeRun(all, first, i))
	}
	return runs
}

func describeRun(all []Version, first, last int) string {
	from, to := all[first].minor(), all[last].minor()
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
