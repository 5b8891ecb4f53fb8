package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// status is the status of a path, as far as the language has one for it.
func (c catalog) status(path string, e engine.Release) nameStatus {
	if c[path] {
		return meaningOf(path, e).status
	}
	return knownName
}

// parents yields the paths of the blocks around a path, the innermost first.
func parents(path string) []string {
	var list []string
	for i := strings.LastIndex(path, "/"); i > 0; i = strings.LastIndex(path, "/") {
		path = path[:i]
		list = append(list, path)
	}
	return list
}

// replacedWords is how long the words of a rule that replaces may be in a cell.
const replacedWords = 40

// word describes a rule in short.
func word(r *rules.Rule) string {
	switch r.Do {
	case rules.Merge, rules.Flatten:
		return "merged"
	case rules.Append:
		if r.TofuOnly {
			return "added*"
		}
		return "added"
	case rules.Renew:
		return "replaces all"
	case rules.Drop, rules.KeepEarlier:
		return "ignored"
	case rules.Reject:
		if r.Unless != nil {
			return "error*"
		}
		return "error"
	}
	short := strings.ToLower(r.Why[:1]) + strings.TrimSuffix(r.Why[1:], ".")
	switch {
	case short == "replaced as a whole":
		return "replaced"
	case strings.HasPrefix(short, "replaced") && len(short) <= replacedWords:
		return short
	}
	return "replaced*"
}

// cell describes how a release treats a path in overrides.
func (c catalog) cell(path string, e engine.Release) string {
	status := c.status(path, e)
	switch {
	case status == freeName && isPassedOver(path, e):
		return "ignored"
	case status == freeName:
		return "plain"
	case status == refusedName:
		return "error"
	}
	r := rules.Of(path, e)
	if status == unknownName || r == nil {
		return "–"
	}
	if !r.Holds(e) {
		return "ignored" // with the block around it
	}
	return word(r)
}

// isPassedOver reports whether a release skips the block around a path.
func isPassedOver(path string, e engine.Release) bool {
	at := strings.LastIndexByte(path, '/')
	if at < 0 {
		return false
	}
	r := rules.Of(path[:at], e)
	return r != nil && r.Do == rules.Drop || isPassedOver(path[:at], e)
}

// A group is the part of the matrix that is about some types of blocks.
type group struct {
	title    string
	prefixes []string
	// inner groups leave the prefix out of their names.
	inner bool
}

var groups = []group{
	{title: "terraform", prefixes: []string{"terraform"}},
	{title: "terraform.encryption", prefixes: []string{"terraform/encryption"}, inner: true},
	{title: "provider", prefixes: []string{"provider"}},
	{title: "variable and output", prefixes: []string{"variable", "output"}},
	{title: "module", prefixes: []string{"module"}},
	{title: "resource, data and check", prefixes: []string{"resource", "data", "check"}},
	{title: "ephemeral", prefixes: []string{"ephemeral"}},
	{title: "action", prefixes: []string{"action"}},
	{title: "removed, language and symbols", prefixes: []string{"removed", "language", "symbols"}},
}

// groupOf is the group with the longest prefix of a path, or -1.
func groupOf(path string) int {
	found, longest := -1, 0
	for i, g := range groups {
		for _, p := range g.prefixes {
			if (path == p || strings.HasPrefix(path, p+"/")) && len(p) > longest {
				found, longest = i, len(p)
			}
		}
	}
	return found
}

// name is how the group calls a path.
func (g group) name(path string) string {
	if short, ok := strings.CutPrefix(path, g.prefixes[0]+"/"); ok && g.inner {
		return dotted(short)
	}
	return dotted(path)
}

// matrixPart is a table for each group of paths that releases treat in different ways, with the
// full sentences of the rules.
func matrixPart(t *testing.T) string {
	t.Helper()
	c := readCatalog()
	paths := make([][]string, len(groups))
	for _, path := range rulePaths() {
		cells := map[string]bool{}
		for _, e := range engine.Observed() {
			cells[c.cell(path, e)] = true
		}
		at := groupOf(path)
		switch {
		case len(cells) == 1:
		case at < 0:
			t.Errorf("no group of the matrix has %s", path)
		default:
			paths[at] = append(paths[at], path)
		}
	}
	var out strings.Builder
	for i, g := range groups {
		fmt.Fprintf(&out, "\n### %s\n\n%s%s", g.title, c.matrix(g, paths[i]), notes(t, g, paths[i]))
	}
	return out.String() + "\n"
}

// rulePaths are the paths of the rules, each once.
func rulePaths() []string {
	var list []string
	for _, r := range rules.All() {
		if !slices.Contains(list, r.Path) {
			list = append(list, r.Path)
		}
	}
	return list
}

// matrix is the table of some paths. Neighbouring releases that agree on all of them share a
// column.
func (c catalog) matrix(g group, paths []string) string {
	head, rows := []string{"in an override file"}, make([][]string, len(paths))
	for i, path := range paths {
		rows[i] = []string{g.name(path)}
	}
	for _, p := range engine.Products() {
		for _, run := range c.runs(p, paths) {
			head = append(head, runTitle(p, run))
			for i, path := range paths {
				rows[i] = append(rows[i], c.cell(path, run[0]))
			}
		}
	}
	return table(head, rows)
}

// runs splits the releases of a product into runs that agree.
func (c catalog) runs(p engine.Product, paths []string) [][]engine.Release {
	var runs [][]engine.Release
	last := ""
	for _, e := range engine.Observed() {
		if e.Product != p {
			continue
		}
		column := ""
		for _, path := range paths {
			column += c.cell(path, e) + "\n"
		}
		if runs == nil || column != last {
			runs = append(runs, nil)
		}
		last = column
		runs[len(runs)-1] = append(runs[len(runs)-1], e)
	}
	return runs
}

// runTitle is the head of a column.
func runTitle(p engine.Product, run []engine.Release) string {
	words := engine.Describe(func(e engine.Release) bool { return slices.Contains(run, e) })
	if words == p.Title() {
		return words
	}
	return p.Title() + "<br>" + shortRun(p, words)
}

// notes are the sentences of the rules with some paths, apart from those that only repeat the cell.
func notes(t *testing.T, g group, paths []string) string {
	t.Helper()
	var whys []string
	names := map[string][]string{}
	short := map[string]*rules.Rule{}
	for _, r := range rules.All() {
		if !slices.Contains(paths, r.Path) {
			continue
		}
		if other := short[r.Path+word(r)]; other != nil {
			t.Errorf("two rows of %s have the same word in the matrix: %q, %q", r.Path, other.Why, r.Why)
		}
		short[r.Path+word(r)] = r
		why := r.Sentence()
		if word(r) == "replaced" || r.Do == rules.Merge && r.Match == rules.ByName {
			continue
		}
		if names[why] == nil {
			whys = append(whys, why)
		}
		names[why] = append(names[why], g.name(r.Path))
	}
	var out strings.Builder
	for _, why := range whys {
		fmt.Fprintf(&out, "\n- %s: %s", strings.Join(names[why], ", "), why)
	}
	return out.String() + "\n"
}
