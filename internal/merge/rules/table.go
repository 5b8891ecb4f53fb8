package rules

import (
	"slices"
	"strings"
)

// All describes the effects of override files, as observed on the releases that engine.Observed
// lists: a row for each path, the rows inside a block after the block's. If releases differ, a path
// has a row for each behaviour; a row without Engines holds wherever the language knows the path.
// https://opentofu.org/docs/language/files/override/ and
// https://developer.hashicorp.com/terraform/language/files/override document most of it;
// Contradicts marks rows that differ from them.
var All = inTreeOrder(slices.Concat(settingRules, resourceRules))

// inTreeOrder lists the rows of some patterns, path by path. Paths in one block are in the order of
// the patterns.
func inTreeOrder(patterns []Rule) []Rule {
	rows := map[string][]Rule{}     // by their path
	inside := map[string][]string{} // paths by the path of the block around them
	for _, row := range patterns {
		for _, path := range pathsOf(row.Path) {
			if rows[path] == nil {
				inside[Parent(path)] = append(inside[Parent(path)], path)
			}
			row.Path = path
			rows[path] = append(rows[path], row)
		}
	}
	var list []Rule
	var add func(around string)
	add = func(around string) {
		for _, path := range inside[around] {
			list = append(list, rows[path]...)
			add(path)
		}
	}
	add("")
	return list
}

// pathsOf lists the paths that a pattern is for: "{module,output}/depends_on" is for two.
func pathsOf(pattern string) []string {
	before, choices, isSeveral := strings.Cut(pattern, "{")
	if !isSeveral {
		return []string{pattern}
	}
	choices, after, _ := strings.Cut(choices, "}")
	var list []string
	for choice := range strings.SplitSeq(choices, ",") {
		list = append(list, before+choice+after)
	}
	return list
}
