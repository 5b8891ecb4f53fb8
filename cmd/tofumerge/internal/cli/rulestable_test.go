package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// TestPagesMergingRules fails when docs/merging-rules.md does not have the rules of
// the code; with -update it writes them.
func TestPagesMergingRules(t *testing.T) {
	checkParts(t, "merging-rules.md", map[string]string{"rules": rulesPart()})
}

// A ruleGroup is the rules of one top-level block, or of a large block in one.
type ruleGroup struct {
	path  string
	own   []*rules.Rule // the rules of the block itself
	inner []*rules.Rule
}

// rulesPart words the table of rules: a section for each block that rules reach
// into, and one for all others.
func rulesPart() string {
	var body strings.Builder
	var contents []string
	var others [][]string
	for _, g := range ruleGroups() {
		switch {
		case g.path == "*":
			continue
		case len(g.inner) == 0:
			for _, r := range g.own {
				others = append(others, ruleRow(dotted(g.path), r))
			}
			continue
		}
		title := dotted(g.path)
		contents = append(contents, fmt.Sprintf("[%s](#%s)", title, strings.ReplaceAll(g.path, "/", "")))
		fmt.Fprintf(&body, "\n## %s\n\n", title)
		for _, r := range g.own {
			fmt.Fprintf(&body, "%s\n", r.Sentence())
		}
		rows := make([][]string, len(g.inner))
		for i, r := range g.inner {
			rows[i] = ruleRow(dotted(strings.TrimPrefix(r.Path, g.path+"/")), r)
		}
		fmt.Fprintf(&body, "\n%s", rulesTable(rows, g.own[0].Releases()))
	}
	contents = append(contents, "[other blocks](#other-blocks)")
	any := rules.All()[0]
	intro := fmt.Sprintf("- any other argument: %s\n- any other nested block: %s\n", lowerFirst(any.Why), lowerFirst(any.WhyBlock))
	return "\n" + intro + "\n" + strings.Join(contents, " · ") + "\n" + body.String() + "\n## Other blocks\n\n" + rulesTable(others, "")
}

// lowerFirst is a sentence as the end of another one.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

func ruleRow(name string, r *rules.Rule) []string {
	return []string{name, strings.ReplaceAll(r.Why, "|", `\|`), r.Releases()}
}

// rulesTable has a column for the releases if some differ from the block's.
func rulesTable(rows [][]string, releases string) string {
	head := []string{"in an override file", "what happens", "releases"}
	if slices.ContainsFunc(rows, func(row []string) bool { return row[2] != releases }) {
		for i, row := range rows {
			rows[i][2] = strings.TrimSuffix(row[2], " releases")
		}
		return table(head, rows)
	}
	for i, row := range rows {
		rows[i] = row[:2]
	}
	return table(head[:2], rows)
}

// largeBlocks are blocks inside of others that get a section of their own.
var largeBlocks = []string{"terraform/encryption"}

// ruleGroups puts the rules into groups, in the order of the code.
func ruleGroups() []*ruleGroup {
	var groups []*ruleGroup
	byPath := map[string]*ruleGroup{}
	for _, r := range rules.All() {
		path, _, isInner := strings.Cut(r.Path, "/")
		for _, large := range largeBlocks {
			if r.Path == large || strings.HasPrefix(r.Path, large+"/") {
				path, isInner = large, r.Path != large
			}
		}
		g := byPath[path]
		if g == nil {
			g = &ruleGroup{path: path}
			byPath[path], groups = g, append(groups, g)
		}
		if isInner {
			g.inner = append(g.inner, r)
		} else {
			g.own = append(g.own, r)
		}
	}
	return groups
}
