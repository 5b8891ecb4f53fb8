package cli

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// pagesDir is where the pages are that have generated parts.
const pagesDir = "../../../../docs/"

// generatedPart is a stretch of a page that a test writes.
var generatedPart = regexp.MustCompile(`(?s)<!-- (\w+): made by [^\n]* -->\n(.*?)<!-- end of (\w+) -->\n`)

// TestEnginesPages fails if a generated part of a page in docs/engines differs from the tables,
// the tests and the archives of testdata/documentation; with -update it writes them.
func TestEnginesPages(t *testing.T) {
	for page, want := range map[string]map[string]string{
		"engines/README.md": {"releases": releasesPart(), "figures": figuresPart(t)},
		"engines/differences.md": {
			"matrix": matrixPart(t),
			"files":  filesPart(),
			"names":  namesPart(),
			"values": valuesPart(t),
		},
		"engines/documentation-gaps.md": {"documentation": documentationPart(t)},
	} {
		checkParts(t, page, want)
	}
}

// checkParts compares the generated parts of a page with their expected text.
func checkParts(t *testing.T, page string, want map[string]string) {
	t.Helper()
	text, err := os.ReadFile(pagesDir + page)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range slices.Backward(generatedPart.FindAllSubmatchIndex(text, -1)) {
		name, got := string(text[at[2]:at[3]]), string(text[at[4]:at[5]])
		part, ok := want[name]
		if !ok {
			t.Errorf("nothing makes the part %q of docs/%s", name, page)
		}
		delete(want, name)
		if *update {
			text = slices.Concat(text[:at[4]], []byte(part), text[at[5]:])
		} else if diff := cmp.Diff(part, got); diff != "" {
			t.Errorf("the part %q of docs/%s is stale; go test ./cmd/tofumerge/internal/cli -run 'TestDocumentation|TestEnginesPages|TestPages' -update (-want +got):\n%s", name, page, diff)
		}
	}
	for name := range want {
		t.Errorf("docs/%s has no part %q", page, name)
	}
	if *update {
		if err := os.WriteFile(pagesDir+page, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// table is a table in Markdown.
func table(head []string, rows [][]string) string {
	var out strings.Builder
	line := func(cells []string) { fmt.Fprintf(&out, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	line(slices.Repeat([]string{"---"}, len(head)))
	for _, row := range rows {
		line(row)
	}
	return out.String()
}

// dotted is a path as people write it.
func dotted(path string) string { return "`" + strings.ReplaceAll(path, "/", ".") + "`" }

// releasesPart lists the names of the engines, and the known releases.
func releasesPart() string {
	var rows [][]string
	for _, p := range engine.Products() {
		var names []string
		for _, e := range engine.Observed() {
			if e.Product == p {
				names = append(names, string(e.Version))
			}
		}
		rows = append(rows, []string{p.Title(), strings.Join(names, ", ")})
	}
	first := engine.Observed()[0]
	tofu, terraform := engine.OpenTofu.Newest(), engine.Terraform.Newest()
	forms := [][]string{
		{fmt.Sprintf("`%s`, `%s`", tofu.Product, terraform.Product), fmt.Sprintf("the newest known release that isn't a prerelease: OpenTofu %s, Terraform %s", tofu.Version, terraform.Version)},
		{fmt.Sprintf("`%s@%s`", first.Product, first.Minor()), fmt.Sprintf("the known release of that minor version: %s", first.Version)},
		{fmt.Sprintf("`%s@%s.0`", first.Product, first.Minor()), "that release, which behaves like the known one of its minor version"},
	}
	return "\n" + table([]string{"name", "meaning"}, forms) +
		"\n[differences.md](differences.md) describes the observed behaviour of the known releases. No differences were found between releases of one minor version.\n" +
		"A newer release is assumed to behave like the newest known one of its minor version, or else of its engine; `-v` notes the assumption. An older\n" +
		"release is an error.\n\n" +
		table([]string{"engine", "known releases"}, rows) + "\n"
}

// filesPart lists the files that only some releases read.
func filesPart() string {
	reads := engine.Describe(engine.Release.ReadsTofuFiles)
	others := engine.Describe(func(e engine.Release) bool { return !e.ReadsTofuFiles() })
	return fmt.Sprintf("\n%s reads files that end in `.tofu` and `.tofu.json`. There `x.tofu` shadows `x.tf`, and `x.tofu.json` shadows\n"+
		"`x.tf.json`. Other releases (%s) don't read these files. Names, order and override files follow the same rules in\n"+
		"all releases.\n\n", reads, others)
}

// documentationPart reports each difference, after a list of all of them.
func documentationPart(t *testing.T) string {
	t.Helper()
	var rows [][]string
	var text strings.Builder
	for _, d := range readDifferences(t) {
		rows = append(rows, []string{fmt.Sprintf("[%s](#%s)", d.text["title"], anchor(d.text["title"])), d.text["releases"]})
		text.WriteString(d.section())
	}
	return "\n" + table([]string{"gap", "releases"}, rows) + "\n" + text.String()
}

// anchor is the name that a heading has in links.
func anchor(title string) string {
	return strings.ReplaceAll(regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(title), ""), " ", "-")
}

// section is the section of the page about a difference.
func (d *difference) section() string {
	var out strings.Builder
	where := d.text["releases"]
	fmt.Fprintf(&out, "## %s\n\n*Documentation* (%s): %s\n\n*Behaviour* (%s): %s\n\n*What to do*: %s\n\n<details><summary>Example</summary>\n\n", d.text["title"], d.links(), d.text["says"], where, d.text["does"], d.text["do"])
	for _, f := range d.arch.Files {
		switch {
		case f.Name == wanted:
		case strings.HasSuffix(f.Name, ".json"):
			fmt.Fprintf(&out, "`%s`:\n\n```json\n%s```\n\n", f.Name, f.Data)
		default:
			fmt.Fprintf(&out, "```hcl\n# %s\n%s```\n\n", f.Name, f.Data)
		}
	}
	fmt.Fprintf(&out, "```console\n%s```\n\n</details>\n\n", d.file(wanted).Data)
	return out.String()
}

// links are those to the documentation of the products that behave otherwise.
func (d *difference) links() string {
	page := d.text["page"]
	if page == "" {
		page = "language/files/override"
	}
	var list []string
	for _, p := range engine.Products() {
		site := map[engine.Product]string{engine.OpenTofu: "https://opentofu.org/docs/%s/", engine.Terraform: "https://developer.hashicorp.com/terraform/%s"}[p]
		if where := d.text["releases"]; where == engine.AllReleases || strings.Contains(where, p.Title()) {
			list = append(list, fmt.Sprintf("[%s](%s)", p.Title(), fmt.Sprintf(site, page)))
		}
	}
	return strings.Join(list, ", ")
}
