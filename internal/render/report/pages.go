package report

import (
	"path"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// home is the address of the project.
const home = "https://github.com/tofumerge/tofumerge"

// pagesAt is the address of each page of the docs. PAGE stands for the page's path below docs, without ".md",
// and TAG for the tag of the release, or main. Pages on a site would be at "https://HOST/MINOR/PAGE/":
// MINOR stands for the minor version.
const pagesAt = home + "/blob/TAG/docs/PAGE.md"

// pagesOf names the tag or the branch whose pages explain the rules.
var pagesOf = func() string { return "main" }

// LinkTo makes the addresses of pages name the tag of a release, if version returns one; version is
// called for the first address. It must be called before anything is reported.
func LinkTo(version func() string) {
	pagesOf = sync.OnceValue(func() string { return tagOf(version()) })
}

var released = lazyregexp.New(`^v?([0-9]+\.[0-9]+\.[0-9]+(?:-(?:alpha|beta|rc)[.0-9]*)?)$`)

// tagOf is the tag of a release, or the main branch for other versions, such as builds of a commit.
func tagOf(version string) string {
	if found := released().FindStringSubmatch(version); found != nil {
		return "v" + found[1]
	}
	return "main"
}

// minorOf is the minor version of a tag; main for prereleases, which have no pages of their own.
func minorOf(tag string) string {
	if strings.Contains(tag, "-") {
		return "main"
	}
	if minor := strings.LastIndex(tag, "."); minor >= 0 {
		return tag[:minor]
	}
	return tag
}

// RuleURL returns the address of a rule's page.
func RuleURL(id string) string { return pageURL("rules/" + id + ".md") }

// MergingRuleURL returns the address of the page that has a rule of the merge, at its
// section.
func MergingRuleURL(r *rules.Rule) string { return pageURL("merging-rules.md#" + sectionOf(r.Path)) }

// pageURL returns the address of a page of the docs.
func pageURL(name string) string { return pageAt(pagesAt, pagesOf(), name) }

// pageAt returns the address of a page by the form of addresses: the name is a path below docs, with a section.
func pageAt(form, tag, name string) string {
	file, section, hasSection := strings.Cut(name, "#")
	page := strings.TrimSuffix(file, ".md")
	if strings.HasSuffix(form, "/PAGE/") && path.Base(page) == "README" { // the page of a directory
		page = path.Dir(page)
	}
	address := strings.NewReplacer("TAG", tag, "MINOR", minorOf(tag), "PAGE", page).Replace(form)
	if hasSection {
		address += "#" + section
	}
	return address
}

var (
	markdownLink = lazyregexp.New(`\]\(([^()\s]+)\)`)
	absolute     = lazyregexp.New(`^[a-z]+:`)
)

// withWholeLinks is the page of a rule whose links also work elsewhere.
func withWholeLinks(page, id string) string {
	return markdownLink().ReplaceAllStringFunc(page, func(link string) string {
		to := strings.TrimSuffix(strings.TrimPrefix(link, "]("), ")")
		switch {
		case absolute().MatchString(to):
			return link
		case strings.HasPrefix(to, "#"):
			return "](" + RuleURL(id) + to + ")"
		}
		return "](" + pageURL(path.Join("rules", to)) + ")"
	})
}
