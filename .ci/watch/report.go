package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"golang.org/x/mod/semver"
)

// differences are the answers that are not as claimed, those about the same rules together.
func (r *report) differences() []loadtest.Answer {
	rank := func(a, b loadtest.Answer) int {
		return cmp.Or(slices.Compare(a.Rows, b.Rows), strings.Compare(a.Module, b.Module), strings.Compare(a.Given, b.Given), strings.Compare(a.Claimed, b.Claimed))
	}
	list := slices.DeleteFunc(slices.Clone(r.answers), func(a loadtest.Answer) bool { return a.Claimed == a.Given })
	for i, a := range list {
		list[i].Rows = slices.DeleteFunc(slices.Clone(a.Rows), func(row string) bool { // a block with a rule inside it
			return slices.ContainsFunc(a.Rows, func(inner string) bool { return strings.HasPrefix(inner, row+"/") })
		})
	}
	slices.SortFunc(list, rank)
	return slices.CompactFunc(list, func(a, b loadtest.Answer) bool { return rank(a, b) == 0 })
}

// failedTest finds the cases whose test fails in the output of go test.
var failedTest = regexp.MustCompile(`(?m)^ +--- FAIL: TestLive/([^/\s#]+)(?:#\d+)?/`)

// write writes the report as text.
func (r *report) write(to io.Writer) error {
	known, _ := r.follow.Baseline()
	modules := map[string]bool{}
	for _, a := range r.answers {
		modules[a.Module] = true
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s, followed as %s\n", r.release, known)
	if r.program.from != "" {
		fmt.Fprintf(&out, "built from %s in %.0f s of CPU time, and asked in %.0f s\n", r.program.from, r.program.cpu.Seconds(), r.cpu.Seconds())
	}
	differences := r.differences()
	fmt.Fprintf(&out, "%d answers about %d modules; differences: %d\n", len(r.answers), len(modules), len(differences))
	for _, m := range failedTest.FindAllStringSubmatch(r.output, -1) {
		if !slices.ContainsFunc(differences, func(a loadtest.Answer) bool { return strings.HasSuffix(a.Module, "/"+m[1]+".txtar") }) {
			fmt.Fprintf(&out, "fails without an answer: %s\n", m[1])
		}
	}
	var rows []string
	for i, a := range differences {
		if i == 0 || !slices.Equal(rows, a.Rows) {
			rows = a.Rows
			fmt.Fprintf(&out, "\n%s\n", cmp.Or(strings.Join(rows, ", "), "no rule"))
		}
		fmt.Fprintf(&out, "  %s\n    %s: %s\n    %s: %s\n", a.Module, known, indented(a.Claimed), r.release, indented(a.Given))
	}
	out.WriteString(r.unasked())
	isKnown := slices.Contains(r.release.Product.Observed(), r.release)
	if len(differences) == 0 && !isKnown {
		text, err := r.patch()
		if err != nil {
			return err
		}
		out.WriteString("\nNothing differs. This patch adds the release to the tables; then run go test ./... -update:\n\n" + text)
	}
	_, err := io.WriteString(to, out.String())
	return err
}

// indented is an engine's text below its name, without anything that acts on a terminal.
func indented(text string) string {
	return strings.ReplaceAll(safetext.Printable(strings.TrimSpace(text)), "\n", "\n      ")
}

// unasked lists the rules about which no module lets the engine be asked: their modules need a
// provider or another module, or are printed with less than they mean.
func (r *report) unasked() string {
	var out strings.Builder
	for _, rule := range rules.All() {
		isAsked := slices.ContainsFunc(r.answers, func(a loadtest.Answer) bool { return slices.Contains(a.Rows, rule.Path) })
		if rule.Holds(r.follow) && !isAsked {
			fmt.Fprintf(&out, "  %s: %s\n", rules.Dotted(rule.Path), rule.Why)
		}
	}
	if out.Len() == 0 {
		return ""
	}
	return "\nNo module lets it be asked about these rules:\n" + out.String()
}

const productsFile = "internal/load/engine/products.go"

var tablesDate = regexp.MustCompile(`const TablesDate = "(.*)"`)

// patch adds the release to the tables, in place of the known one of its minor version or behind the
// one before it.
func (r *report) patch() (string, error) {
	src, err := os.ReadFile(productsFile)
	if err != nil {
		return "", err
	}
	var before engine.Release
	for _, e := range r.release.Product.Observed() {
		if semver.Compare("v"+string(e.Version), "v"+string(r.release.Version)) < 0 {
			before = e
		}
	}
	known := fmt.Sprintf("%q", before.Version)
	text := fmt.Sprintf("%q", r.release.Version)
	if before.Minor() != r.release.Minor() {
		text = known + ", " + text
	}
	row := regexp.MustCompile(`(?s)title: +"` + r.release.Product.Title() + `".*?(` + regexp.QuoteMeta(known) + `)`).FindSubmatchIndex(src)
	date := tablesDate.FindSubmatchIndex(src)
	if row == nil || date == nil {
		return "", fmt.Errorf("%s has no %s of %s, or no date", productsFile, known, before.Product.Title())
	}
	edits := []textedit.Edit{textedit.Replace(row[2], row[3], text)}
	if r.program.day > string(src[date[2]:date[3]]) {
		edits = slices.Insert(edits, 0, textedit.Replace(date[2], date[3], r.program.day))
	}
	var out strings.Builder
	err = patch.Writer{Context: patch.Context}.Write(&out, []*patch.File{patch.Diff(productsFile, src, edits)})
	return out.String(), err
}
