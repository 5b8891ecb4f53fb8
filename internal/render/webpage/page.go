// Package webpage writes a page of HTML that shows the effects of overrides in modules: their
// sections, which package section makes, in a frame with totals and a filter.
//
// Show turns one module after another into a Section, which keeps nothing of the module but text.
// Write writes one file without references to others: style and script are in it, and its
// Content-Security-Policy allows no more than these two. All text is escaped by html/template.
package webpage

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"sync"

	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/section"
)

// The parts of a page.
var (
	//go:embed page.html
	pageHTML string
	//go:embed style.css
	style string
	//go:embed script.js
	script string
)

// A Section is a module's section as HTML, with its totals.
type Section struct {
	section.Head
	HTML template.HTML
}

// Show returns the section of a module. A section with nothing to look at has no HTML: the page only lists
// its module.
func Show(m section.Module) (*Section, error) {
	s := section.Of(m)
	if s.IsQuiet() {
		return &Section{Head: s.Head}, nil
	}
	var out bytes.Buffer
	if err := templates().ExecuteTemplate(&out, "section", s); err != nil {
		return nil, err
	}
	return &Section{s.Head, template.HTML(out.String())}, nil
}

// A Page is the frame around the sections. Empty texts are left out.
type Page struct {
	Sections   []*Section
	Version    string // of the program
	Repository string // its name
	Revision   string // such as "main, 1a2b3c4"
	Compared   string // how the modules are compared, as "since main"
	OnlyNew    string // the revision whose findings are left out
	Engine     string
	Date       string // of the day on which the page was made
	Skipped    report.SkipCounts
	LeftOut    string // by settings, in words
}

// templates parses the templates of the page, once.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Parse(pageHTML))
})

// policy returns the Content-Security-Policy of a page, which allows nothing but its own style and script.
func policy() string {
	return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) +
		"; base-uri 'none'; form-action 'none'"
}

// hash returns the source expression by which a policy allows an inline text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Write writes the page with its totals to w, and returns the error of w. Sections without anything to look
// at are listed apart.
func (p Page) Write(w io.Writer) error {
	view := struct {
		Page
		Policy       string
		Style        template.CSS
		Script       template.JS
		Shown, Quiet []*Section
		Totals       section.Counts
		Did          string // in words
		Having       int    // modules with override files
		Broken       int
	}{Page: p, Policy: policy(), Style: template.CSS(style), Script: template.JS(script)}
	for _, s := range p.Sections {
		if s.IsQuiet() {
			view.Quiet = append(view.Quiet, s)
			continue
		}
		view.Shown = append(view.Shown, s)
		if s.IsBroken {
			view.Broken++
		}
		if s.Files > 0 {
			view.Having++
		}
		view.Totals.Files += s.Files
		view.Totals.Changed += s.Changed
		view.Totals.Added += s.Added
		view.Totals.Dropped += s.Dropped
		view.Totals.Idle += s.Idle
		view.Totals.Ignored += s.Ignored
	}
	view.Did = report.Kinds(view.Totals.Counts, false) // of changes by overrides, not between two sides
	return templates().Execute(w, view)
}
