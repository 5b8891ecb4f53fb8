package engine

import (
	"slices"
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

// numbers are the major, the minor and the patch number of the version, 0 for one that is missing.
func (v Version) numbers() (n [3]int) {
	rest := string(v.core())
	for i := range n {
		var first string
		first, rest, _ = strings.Cut(rest, ".")
		n[i], _ = strconv.Atoi(first)
	}
	return n
}

// minor names the minor release, such as "1.12".
func (v Version) minor() string {
	n := v.numbers()
	return strconv.Itoa(n[0]) + "." + strconv.Itoa(n[1])
}

// compare compares two versions by their numbers.
func (v Version) compare(w Version) int { return v.compareFirst(w, 3) }

// compareMinor compares the minor releases of two versions.
func (v Version) compareMinor(w Version) int { return v.compareFirst(w, 2) }

// compareFirst compares the first n numbers of two versions.
func (v Version) compareFirst(w Version, n int) int {
	a, b := v.numbers(), w.numbers()
	return slices.Compare(a[:n], b[:n])
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
