// Package engine names the programs that read the configuration language, their releases, and sets
// of releases.
//
// Given texts such as "opentofu@1.9", it returns releases and sets of releases: membership, the
// observed release that an unobserved one is taken to behave like, and descriptions for people. It
// refuses names of unknown products, texts that aren't versions, and releases older than every
// observed one.
//
// Each product is one row of the table products. The package doesn't know the language: package
// language states what a release allows, and package merge what it merges, both in terms of
// Releases.
//
// To add an engine, add a row. An engine that follows the version numbers and the rules of another
// product, as a fork does at first, names the constraints of that product:
//
//	{
//		name:        "fork",
//		title:       "Fork",
//		observed:    []Version{"1.12.0"},
//		constraint:  func(s Releases) string { return s.OpenTofu },
//		tofuFiles:   ">= 1.8",
//		registry:    "registry.example.org",
//		versionFile: ".fork-version",
//	},
//
// An engine with separate rules gets a field in Releases, which its row returns, and which the
// tables of package language and package merge then state.
package engine

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/go-version"
)

// A Release is one release of a product. It decides which files are read, which blocks and
// arguments exist, the effects of overrides and how a string in JSON is read.
type Release struct {
	Product Product
	Version Version
}

// Observed lists the releases whose behaviour was observed, one for each minor
// release, the products one after the other and the oldest release first.
func Observed() (list []Release) {
	for _, p := range Products() {
		list = append(list, p.Observed()...)
	}
	return list
}

// Observed lists the observed releases of one product.
func (p Product) Observed() (list []Release) {
	for _, v := range p.row().observed {
		list = append(list, Release{p, v})
	}
	return list
}

// Default returns the newest observed release of the default product.
func Default() Release { return products[0].name.Newest() }

// Newest returns the newest observed release that is not a prerelease.
func (p Product) Newest() Release {
	for _, v := range slices.Backward(p.row().observed) {
		if !v.isPrerelease() {
			return Release{p, v}
		}
	}
	panic("no release of " + p + " is known")
}

// Oldest returns the oldest observed release.
func (p Product) Oldest() Release { return Release{p, p.row().observed[0]} }

// Meeting lists releases that meet all constraints, at most one per minor release: the newest such patch release, up
// to the observed one. The newest minor release comes first. Prereleases are left out.
func (p Product) Meeting(all []version.Constraints) (list []Release) {
	for _, observed := range slices.Backward(p.row().observed) {
		if observed.isPrerelease() {
			continue
		}
		for patch := observed.numbers()[2]; patch >= 0; patch-- {
			v := Version(fmt.Sprintf("%s.%d", observed.minor(), patch))
			if meets(v.parsed(), all) {
				list = append(list, Release{p, v})
				break
			}
		}
	}
	return list
}

// meets reports whether a version meets all constraints.
func meets(v *version.Version, all []version.Constraints) bool {
	return !slices.ContainsFunc(all, func(c version.Constraints) bool { return !c.Check(v) })
}

// AreBounded reports whether constraints have an upper bound, such as "< 1.6": they exclude a very high version.
func AreBounded(all []version.Constraints) bool {
	return len(all) > 0 && !meets(farthest.parsed(), all)
}

// farthest is newer than every release that will ever be. It is parsed only on use: that takes a tenth of
// the program's start.
const farthest Version = "999999999.999999999.999999999"

// TofuReader returns the first product whose newest release reads files that end in .tofu and
// .tofu.json.
func TofuReader() Product {
	for _, p := range Products() {
		if p.Newest().ReadsTofuFiles() {
			return p
		}
	}
	panic("no product reads .tofu files")
}

// Parse parses NAME or NAME@VERSION. Without a version, or with "latest", it returns the newest observed release that
// is no prerelease. "1.6" is the observed release of that minor, "1" the newest of the major release. A release older
// than every observed one is an error; a newer one behaves as its Baseline.
func Parse(text string) (Release, error) {
	name, wanted, hasVersion := strings.Cut(text, "@")
	p := Product(name)
	switch {
	case !slices.Contains(Products(), p):
		return Release{}, fmt.Errorf("unknown engine %q; use %s, or add a version, as in %s",
			name, anyOf(Products()), Default())
	case !hasVersion:
		return p.Newest(), nil
	}
	return p.Release(wanted)
}

// anyOf returns products as choices for a message: "opentofu or terraform".
func anyOf(list []Product) string {
	text := string(list[0])
	for i, p := range list[1:] {
		separator := ", "
		if i == len(list)-2 {
			separator = " or "
		}
		text += separator + string(p)
	}
	return text
}

// Release returns the product's release for a version, which is written as in Parse.
func (p Product) Release(wanted string) (Release, error) {
	if wanted == "latest" {
		return p.Newest(), nil
	}
	parsed, err := version.NewVersion(wanted)
	if err != nil {
		return Release{}, fmt.Errorf("invalid %[2]s version %[1]q; use one such as %[3]s",
			wanted, p.Title(), p.Newest())
	}
	v := Version(parsed.String())
	isMajorAlone := !strings.Contains(wanted, ".")
	if newest := p.Newest(); isMajorAlone && v.numbers()[0] == newest.Version.numbers()[0] {
		return newest, nil
	}
	if oldest := p.row().observed[0]; v.compareMinor(oldest) < 0 {
		return Release{}, fmt.Errorf("%s %s is too old; the oldest supported release is %s",
			p.Title(), v, oldest.minor())
	}
	if strings.Count(wanted, ".") < 2 { // without a patch number, take the one of the observed release
		for _, known := range p.row().observed {
			if known.compareMinor(v) == 0 {
				v = known
			}
		}
	}
	return Release{p, v}, nil
}

// String returns NAME@VERSION, which Parse reads.
func (e Release) String() string {
	return fmt.Sprintf("%s@%s", e.Product, e.Version)
}

// Title returns product and minor release for messages, such as "OpenTofu 1.12".
func (e Release) Title() string { return e.Product.Title() + " " + e.Minor() }

// Minor returns the minor release alone, such as "1.12".
func (e Release) Minor() string { return e.Version.minor() }

// Core returns the version without its prerelease suffix, such as 1.13.0 for 1.13.0-rc1: rules that begin with a
// release apply to its prereleases as well.
func (e Release) Core() *version.Version { return e.Version.core().parsed() }

// IsPrerelease reports whether the release is a prerelease, such as 1.13.0-rc1. The final one may differ from it.
func (e Release) IsPrerelease() bool { return e.Version.isPrerelease() }

// Baseline returns the observed release that stands for this one, because the two are assumed to behave the same:
// that of the same minor release, or else the newest. isNewer means that the release is newer than its baseline, so
// that the assumption may be wrong.
func (e Release) Baseline() (baseline Release, isNewer bool) {
	all := e.Product.row().observed
	if slices.Contains(all, e.Version) { // as nearly always
		return e, false
	}
	baseline = Release{e.Product, all[len(all)-1]}
	for _, v := range all { // at most one matches: there is one observed release for each minor
		if v.compareMinor(e.Version) == 0 {
			baseline.Version = v
		}
	}
	// compare ignores prerelease suffixes, so equal versions need a second look: the baseline may be a prerelease
	// such as 1.13.0-rc1, and this one rc2 or the final 1.13.0.
	order := e.Version.compare(baseline.Version)
	isLaterBuild := order == 0 && baseline.IsPrerelease() && e.Version.follows(baseline.Version)
	return baseline, order > 0 || isLaterBuild
}

// ReadsTofuFiles reports whether the release reads files that end in .tofu and
// .tofu.json.
func (e Release) ReadsTofuFiles() bool { return e.meets(e.Product.row().tofuFiles) }

// Every is the constraint that all releases of a product meet.
const Every = ">= 0"

// meets reports whether the release meets a constraint from one of the tables, such as ">= 1.8". None meets "".
func (e Release) meets(text string) bool { return text != "" && e.Version.meets(text) }

// Has reports whether e is in the set.
func (s *Releases) Has(e Release) bool {
	return s.IsAll() || e.meets(e.Product.row().constraint(*s))
}

// String describes the set for messages: "all releases", "OpenTofu 1.12 and later", "OpenTofu up to 1.11, Terraform".
func (s Releases) String() string { return Describe(s.Has) }

// AllReleases describes the set of all releases.
const AllReleases = "all releases"

// Describe describes for messages the releases for which has returns true, such as "OpenTofu 1.12 and later". It asks
// about the observed releases.
func Describe(has func(Release) bool) string {
	var parts []string
	complete := 0 // the number of products for all of whose releases has returns true
	for _, p := range Products() {
		runs := describeRuns(p, has)
		if runs == nil { // none of its releases
			continue
		}
		if runs[0] == "" { // one run, with all of its releases
			complete++
		}
		parts = append(parts, strings.TrimSpace(p.Title()+" "+strings.Join(runs, " and ")))
	}
	if complete == len(products) {
		return AllReleases
	}
	return strings.Join(parts, ", ")
}

// Describe describes the product's releases for which has returns true, without the product's name: "1.12 and later".
// It returns "" for all releases, and for none.
func (p Product) Describe(has func(Release) bool) string {
	return strings.Join(describeRuns(p, has), " and ")
}

// describeRuns describes the releases of one product for which has returns true, one text for each run of consecutive
// releases: "up to 1.5", "1.8 and later". If there is one run with all releases, its text is "".
func describeRuns(p Product, has func(Release) bool) (runs []string) {
	all := p.row().observed
	for first := 0; first < len(all); first++ {
		if !has(Release{p, all[first]}) {
			continue
		}
		last := first
		for last+1 < len(all) && has(Release{p, all[last+1]}) {
			last++
		}
		runs = append(runs, describeRun(all, first, last))
		first = last
	}
	return runs
}

// describeRun describes the releases from all[first] to all[last], inclusive: "1.2", "1.2 to 1.4", "up to 1.4" or
// "1.2 and later". It returns "" if these are all releases.
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

// A Version is the version of a release, such as 1.16.0-rc2, as package go-version writes it.
// The tables compare versions by their numbers and without go-version, whose parsing would
// take longer than merging a small module.
type Version string

// parsed returns the version for comparisons with constraints that users write. Parsing takes long: see Version.
func (v Version) parsed() *version.Version { return version.Must(version.NewVersion(string(v))) }

// follows reports whether v is a later version than w. Unlike compare, it compares prereleases too.
func (v Version) follows(w Version) bool { return v.parsed().Compare(w.parsed()) > 0 }

// isPrerelease reports whether the version has a suffix such as -rc1.
func (v Version) isPrerelease() bool { return strings.Contains(string(v), "-") }

// core returns the version without its prerelease suffix (-rc1) and its metadata (+meta).
func (v Version) core() Version {
	if i := strings.IndexAny(string(v), "-+"); i >= 0 {
		return v[:i]
	}
	return v
}

// numbers returns the major, minor and patch number of the version. Missing ones are 0.
func (v Version) numbers() (n [3]int) {
	for i := range n {
		for len(v) > 0 && v[0] >= '0' && v[0] <= '9' {
			n[i], v = 10*n[i]+int(v[0]-'0'), v[1:]
		}
		v = Version(strings.TrimPrefix(string(v), "."))
	}
	return n
}

// minor returns the minor release, such as "1.12".
func (v Version) minor() string {
	n := v.numbers()
	return strconv.Itoa(n[0]) + "." + strconv.Itoa(n[1])
}

// compare compares the numbers of two versions, not their prerelease suffixes. The result is -1, 0 or 1.
func (v Version) compare(w Version) int { return v.compareFirst(w, 3) }

// compareMinor compares the major and minor numbers of two versions. The result is -1, 0 or 1.
func (v Version) compareMinor(w Version) int { return v.compareFirst(w, 2) }

// compareFirst compares the first n numbers of two versions. The result is -1, 0 or 1.
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

// ReleasesWithLaterLetters describes for messages the releases that allow the letters of Unicode 17 in identifiers.
func ReleasesWithLaterLetters() string { return unicode17.String() }

// UnknownLetter returns the offset of the first character that other releases allow in names and this one doesn't, or
// -1. Releases differ in their version of Unicode.
func (e Release) UnknownLetter(text []byte) int {
	if at := LaterLetter(text); at >= 0 && !unicode17.Has(e) {
		return at
	}
	return -1
}

// LaterLetter returns the offset of the first character that only some releases allow in names, or -1. The text is a
// valid name, or any text that may contain one.
func LaterLetter(text []byte) int {
	const nonASCII = 0x8080808080808080
	for at := 0; at < len(text); {
		// Skips eight bytes of ASCII at once.
		if len(text)-at >= 8 && binary.NativeEndian.Uint64(text[at:])&nonASCII == 0 {
			at += 8
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		if r >= laterLetters[0][0] && isLater(r) { // most characters are below the first of them
			return at
		}
		at += size
	}
	return -1
}

// isLater reports whether Unicode 17 allows a character in names, and Unicode 9 doesn't. It searches the spans of
// laterLetters, which are sorted and inclusive.
func isLater(r rune) bool {
	i := sort.Search(len(laterLetters), func(i int) bool { return laterLetters[i][1] >= r })
	return i < len(laterLetters) && laterLetters[i][0] <= r
}

// laterLetters are the characters of names in Unicode 17 that Unicode 9 lacks: the first and the last
// of each span. A span may include characters that no name can have.
var laterLetters = [...][2]rune{
	{0x560, 0x560}, {0x588, 0x588}, {0x5EF, 0x5EF}, {0x7FD, 0x7FD}, {0x860, 0x89F}, {0x8B5, 0x8B5}, {0x8BE, 0x8D3},
	{0x9FC, 0x9FE}, {0xAFA, 0xAFF}, {0xB55, 0xB55}, {0xC04, 0xC04}, {0xC3C, 0xC3C}, {0xC5C, 0xC5D}, {0xCDC, 0xCDD},
	{0xCF3, 0xD00}, {0xD04, 0xD04}, {0xD3B, 0xD3C}, {0xD81, 0xD81}, {0xE86, 0xE86}, {0xE89, 0xE89}, {0xE8C, 0xE8C},
	{0xE8E, 0xE93}, {0xE98, 0xE98}, {0xEA0, 0xEA0}, {0xEA8, 0xEA9}, {0xEAC, 0xEAC}, {0xEBA, 0xEBA}, {0xECE, 0xECE},
	{0x170D, 0x170D}, {0x1715, 0x171F}, {0x180F, 0x180F}, {0x1878, 0x1878}, {0x1ABF, 0x1AEB}, {0x1B4C, 0x1B4C},
	{0x1C89, 0x1CBF}, {0x1CF7, 0x1CF7}, {0x1CFA, 0x1CFA}, {0x1DF6, 0x1DFA}, {0x200C, 0x200D}, {0x2C2F, 0x2C2F},
	{0x2C5F, 0x2C5F}, {0x30FB, 0x30FB}, {0x312E, 0x312F}, {0x31BB, 0x31BF}, {0x4DB6, 0x4DBF}, {0x9FD6, 0x9FFF},
	{0xA7AF, 0xA7AF}, {0xA7B8, 0xA7F6}, {0xA82C, 0xA82C}, {0xA8FE, 0xA8FF}, {0xAB66, 0xAB69}, {0xFF65, 0xFF65},
	{0x1032D, 0x1032F}, {0x10570, 0x105F3}, {0x10780, 0x107BA}, {0x10940, 0x10959}, {0x10A34, 0x10A35},
	{0x10D00, 0x10FF6}, {0x11070, 0x11075}, {0x110C2, 0x110C2}, {0x11144, 0x11147}, {0x111C9, 0x111C9},
	{0x111CE, 0x111CF}, {0x1123F, 0x11241}, {0x1133B, 0x1133B}, {0x11380, 0x113E2}, {0x1145E, 0x11461},
	{0x116B8, 0x116B8}, {0x116D0, 0x116E3}, {0x1171A, 0x1171A}, {0x11740, 0x1183A}, {0x11900, 0x11ABF},
	{0x11B60, 0x11BF9}, {0x11D00, 0x11FB0}, {0x12F90, 0x12FF0}, {0x1342F, 0x143FA}, {0x16100, 0x16139},
	{0x16A70, 0x16AC9}, {0x16D40, 0x16ED3}, {0x16F45, 0x16F4F}, {0x16F7F, 0x16F87}, {0x16FE1, 0x16FF6},
	{0x187ED, 0x187FF}, {0x18AF3, 0x1AFFE}, {0x1B002, 0x1B2FB}, {0x1CCF0, 0x1CF46}, {0x1DF00, 0x1DF2A},
	{0x1E030, 0x1E7FE}, {0x1E94B, 0x1E94B}, {0x1FBF0, 0x1FBF9}, {0x2A6D7, 0x2A6DF}, {0x2B735, 0x2B73F},
	{0x2CEA2, 0x2EE5D}, {0x30000, 0x33479},
}
