package merge

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
)

// ignoring is the comment that suppresses findings: "tofumerge:ignore RULE[,RULE]
// reason", above an item.
var ignoring = regexp.MustCompile(`tofumerge:ignore[ \t]+([a-z-]+(?:[ \t]*,[ \t]*[a-z-]+)*)`)

// unsuppressible are the rules that no comment switches off: what the engine
// refuses stays refused, and a policy is none if those it binds may lift it.
var unsuppressible = []string{"syntax-error", "merge-error", "unreadable", "invalid-version-constraint", "denied-override"}

// isSuppressed tells whether a comment above the item that a finding is about,
// or above a block around it, switches its rule off.
func isSuppressed(m *load.Module, x Finding) bool {
	if slices.Contains(unsuppressible, x.Rule.ID) || x.Range.Start.Line == 0 {
		return false
	}
	for it := load.ItemAt(m, x.Range); it != nil; {
		if slices.ContainsFunc(commentsOn(it), func(text string) bool { return ignores(text, x.Rule.ID) }) {
			return true
		}
		b := it.Within()
		if b == nil {
			return false
		}
		it = b
	}
	return false
}

// commentsOn are the lead comments of an item of a native file, and the comment
// properties of a block of a JSON file.
func commentsOn(it load.Item) []string {
	f := it.Source()
	if f.Syntax == load.Native {
		t := load.TriviaOf(it)
		return load.CommentsIn(f.Src[t.Lead:t.Start])
	}
	var texts []string
	if b, ok := it.(*load.Block); ok {
		for _, text := range b.Tree().Remarks() {
			texts = append(texts, string(text))
		}
	}
	return texts
}

func ignores(comment, id string) bool {
	for _, m := range ignoring.FindAllStringSubmatch(comment, -1) {
		for _, rule := range strings.Split(m[1], ",") {
			if strings.TrimSpace(rule) == id {
				return true
			}
		}
	}
	return false
}
