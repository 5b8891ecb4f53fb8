package engine

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/hashicorp/go-version"
)

// A Version is the version of a release, such as 1.16.0-rc2, as package go-version writes
// it. What the tables say of releases is looked up by its numbers alone: to parse it would
// take longer than to merge a small module.
type Version string

// parsed is the version for comparisons with what users write.
func (v Version) parsed() *version.Version { return version.Must(version.NewVersion(string(v))) }

func (v Version) isPrerelease() bool { return strings.Contains(string(v), "-") }

// core is the version without what makes it a prerelease, and without its metadata.
func (v Version) core() Version {
	if i := strings.IndexAny(string(v), "-+"); i >= 0 {
		return v[:i]
	}
	return v
}

// next is the number that the version starts with, and what comes behind it; 0 where
// there is none.
func (v Version) next() (n int, rest Version) {
	first, behind, _ := strings.Cut(string(v), ".")
	n, _ = strconv.Atoi(first)
	return n, Version(behind)
}

func (v Version) major() int {
	n, _ := v.core().next()
	return n
}

// minor names the minor release, such as "1.12".
func (v Version) minor() string {
	major, rest := v.core().next()
	minor, _ := rest.next()
	return strconv.Itoa(major) + "." + strconv.Itoa(minor)
}

// compare compares two versions by their numbers.
func (v Version) compare(w Version) int { return v.compareFirst(w, 3) }

// compareMinor compares the minor releases of two versions.
func (v Version) compareMinor(w Version) int { return v.compareFirst(w, 2) }

// compareFirst compares the first n numbers of two versions. Those that are missing are 0.
func (v Version) compareFirst(w Version, n int) int {
	v, w = v.core(), w.core()
	for ; n > 0 && v+w != ""; n-- {
		var a, b int
		a, v = v.next()
		b, w = w.next()
		if c := cmp.Compare(a, b); c != 0 {
			return c
		}
	}
	return 0
}

// meets reports whether the version meets a constraint of a table: operators >=, < and !=
// with versions, separated by commas.
func (v Version) meets(constraint string) bool {
	for part := range strings.SplitSeq(constraint, ",") {
		operator, bound, _ := strings.Cut(strings.TrimSpace(part), " ")
		c := v.compare(Version(bound))
		isMet := false
		switch operator {
		case ">=":
			isMet = c >= 0
		case "<":
			isMet = c < 0
		case "!=":
			isMet = c != 0
		default:
			panic("a table has the constraint " + constraint)
		}
		if !isMet {
			return false
		}
	}
	return true
}
