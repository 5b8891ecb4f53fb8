package rules

import "strings"

// All describes the effects of override files, as observed on the releases that engine.Observed
// lists: a row for each path, the rows inside a block after the block's. If releases differ, a path
// has a row for each behaviour; a row without Engines holds wherever the language knows the path.
// https://opentofu.org/docs/language/files/override/ and
// https://developer.hashicorp.com/terraform/language/files/override document most of it;
// Contradicts marks rows that differ from them.
var All = inTreeOrder(settingRules, resourceRules)

// inTreeOrder lists the rows of some patterns, path by path. Paths in one block are in the order of
// the patterns. Every run of the program makes this list, so that it copies each row once.
func inTreeOrder(lists ...[]Rule) []Rule {
	patterns := map[string][]*Rule{} // by the paths that they are for
	inside := map[string][]string{}  // paths by the path of the block around them
	n := 0
	for _, list := range lists {
		for i := range list {
			for _, path := range pathsOf(list[i].Path) {
				if patterns[path] == nil {
					inside[Parent(path)] = append(inside[Parent(path)], path)
				}
				patterns[path] = append(patterns[path], &list[i])
				n++
			}
		}
	}
	rows := make([]Rule, 0, n)
	var add func(around string)
	add = func(around string) {
		for _, path := range inside[around] {
			for _, pattern := range patterns[path] {
				rows = append(rows, *pattern)
				rows[len(rows)-1].Path = path
			}
			add(path)
		}
	}
	add("")
	return rows
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
