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
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/section"
	"github.com/tofumerge/tofumerge/internal/render/wording"
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

// A Section is the text of a module's section.
type Section struct {
	section.Head
	HTML template.HTML
}

// Show returns the section of a module.
func Show(m section.Module, o section.Options) (*Section, error) { return written(section.Of(m, o)) }

// Unread returns the section of a module that can't be read.
func Unread(number int, dir string, found []report.FindingRecord) (*Section, error) {
	return written(section.Unread(number, dir, found))
}

func written(s *section.Section) (*Section, error) {
	if s.IsQuiet() {
		return &Section{Head: s.Head}, nil
	}
	var out bytes.Buffer
	if err := templates().ExecuteTemplate(&out, "section", s); err != nil {
		return nil, err
	}
	return &Section{s.Head, template.HTML(out.String())}, nil
}

// A Page is the frame around the sections.
type Page struct {
	Sections []*Section
	Version  string // of the program
	Origin   Origin
	Skipped  report.SkipCounts
	LeftOut  string // by settings, in words
}

// An Origin is the source of a page. Empty fields are left out.
type Origin struct {
	Repository string // its name
	Revision   string // such as "main, 1a2b3c4"
	Compared   string // how the modules are compared, as "since main"
	OnlyNew    string // the revision whose findings are left out
	Engine     string
	Date       string // of the day on which it was made
}

// Title is the title of the page.
func (p Page) Title() string {
	if p.Origin.Repository != "" {
		return p.Origin.Repository + ": override files"
	}
	return "Override files"
}

// About lists the origin, a few words each.
func (p Page) About() []string {
	list := []string{p.Origin.Revision}
	if p.Origin.Compared != "" {
		list = append(list, "changes "+p.Origin.Compared)
	}
	if p.Origin.OnlyNew != "" {
		list = append(list, "findings that are new since "+p.Origin.OnlyNew)
	}
	list = append(list, p.Origin.Engine, p.Origin.Date, strings.TrimSpace("tofumerge "+p.Version))
	return slices.DeleteFunc(list, func(text string) bool { return text == "" })
}

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Parse(pageHTML))
})

// policy is the Content-Security-Policy of a page: nothing but its own style and script.
func policy() string {
	return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) +
		"; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// maxOpen is how many modules are unfolded when a page is opened.
const maxOpen = 10

// Write writes the page to w, and returns the error of w.
func (p Page) Write(w io.Writer) error {
	view := struct {
		Page
		Policy          string
		Style           template.CSS
		Script          template.JS
		Shown, Quiet    []*Section
		Summary, Broken string
		IsOpen          bool
	}{Page: p, Policy: policy(), Style: template.CSS(style), Script: template.JS(script)}
	var totals section.Counts
	broken, having := 0, 0
	for _, s := range p.Sections {
		if s.IsQuiet() {
			view.Quiet = append(view.Quiet, s)
			continue
		}
		view.Shown = append(view.Shown, s)
		if s.IsBroken {
			broken++
		}
		if s.Files > 0 {
			having++
		}
		totals.Add(s.Counts)
	}
	view.Summary = summary(totals, having, len(p.Sections))
	if broken > 0 {
		view.Broken = wording.Number(broken, "module is", "modules are") + " broken."
	}
	view.IsOpen = len(view.Shown) <= maxOpen
	return templates().Execute(w, view)
}

// summary sums up the effects of the override files of all modules.
func summary(c section.Counts, having, all int) string {
	ignored := ""
	if c.Ignored > 0 {
		ignored = " " + wording.Number(c.Ignored, "finding is ignored by a comment.", "findings are ignored by comments.")
	}
	if having == 0 {
		return "No module has override files." + ignored
	}
	isOne := c.Files == 1
	var did []string
	for _, d := range []struct {
		n         int
		one, more string
	}{{c.Changed, "changes", "change"}, {c.Added, "adds", "add"}, {c.Dropped, "drops", "drop"}} {
		verb := d.more
		if isOne {
			verb = d.one
		}
		if d.n > 0 {
			did = append(did, verb+" "+wording.Count(d.n, "value"))
		}
	}
	switch {
	case len(did) == 0 && isOne:
		did = []string{"changes nothing"}
	case len(did) == 0:
		did = []string{"change nothing"}
	}
	for i := range did[1:] {
		did[i+1] = strings.TrimSuffix(strings.TrimSuffix(did[i+1], "s"), " value")
	}
	text := wording.Count(c.Files, "override file") + " " + diag.Joined(did, "and")
	switch {
	case having < all:
		text = fmt.Sprintf("In %d of %d modules, %s", having, all, text)
	case all > 1:
		text = fmt.Sprintf("In %d modules, %s", all, text)
	}
	if c.Idle > 0 {
		text += "; " + wording.Number(c.Idle, "override has", "overrides have") + " no effect"
	}
	return text + "." + ignored
}
