package engine

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/hashicorp/go-version"
)

// A Version is the version of a release, such as 1.16.0-rc2, as package go-version writes it.
// The tables compare versions by their numbers and without go-version, whose parsing would
// take longer than merging a small module.
type Version string

// parsed is the version for comparisons with constraints of users.
func (v Version) parsed() *version.Version { return version.Must(version.NewVersion(string(v))) }

func (v Version) isPrerelease() bool { return strings.Contains(string(v), "-") }

// core is the version without its prerelease and its metadata.
func (v Version) core() Version {
	if i := strings.IndexAny(string(v), "-+"); i >= 0 {
		return v[:i]
	}
	return v
}

// next splits off the first number of the version, or 0 if there is none.
func (v Version) next() (n int, rest Version) {
	first, after, _ := strings.Cut(string(v), ".")
	n, _ = strconv.Atoi(first)
	return n, Version(after)
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

// patch is the last number of the version.
func (v Version) patch() int {
	_, rest := v.core().next()
	_, rest = rest.next()
	n, _ := rest.next()
	return n
}

// compare compares two versions by their numbers.
func (v Version) compare(w Version) int { return v.compareFirst(w, 3) }

// compareMinor compares the minor releases of two versions.
func (v Version) compareMinor(w Version) int { return v.compareFirst(w, 2) }

// compareFirst compares the first n numbers of two versions. A missing number is 0.
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

// meets reports whether the version meets a constraint of a table: comparisons with >=, < and
// !=, separated by commas.
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
