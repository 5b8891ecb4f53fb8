package merge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
)

// ignoring is the comment that suppresses findings: "tofumerge:ignore RULE[,RULE]
// reason", above an item.
var ignoring = load.Pattern(`tofumerge:ignore[ \t]+([a-z-]+(?:[ \t]*,[ \t]*[a-z-]+)*)`)

// isSuppressed tells whether a comment above an item that a finding is about, or
// above a block around it, switches its rule off. No comment hides an error: what
// the engine refuses stays refused, and those whom a policy binds can't lift it.
func isSuppressed(m *load.Module, x Finding) bool {
	if x.Severity == Error || x.Range.Start.Line == 0 {
		return false
	}
	return isSuppressedAt(m, x.Range, x.Rule.ID) || x.Related != nil && isSuppressedAt(m, x.Related.Range, x.Rule.ID)
}

// Unsuppressed are the findings of a list that no comment switches off.
func Unsuppressed(m *load.Module, found []Finding) []Finding {
	return slices.DeleteFunc(found, func(x Finding) bool { return isSuppressed(m, x) })
}

func isSuppressedAt(m *load.Module, at hcl.Range, id string) bool {
	for it := load.ItemAt(m, at); it != nil; {
		if slices.ContainsFunc(commentsOn(it), func(text string) bool { return ignores(text, id) }) {
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
	for _, m := range ignoring().FindAllStringSubmatch(comment, -1) {
		for _, rule := range strings.Split(m[1], ",") {
			if strings.TrimSpace(rule) == id {
				return true
			}
		}
	}
	return false
}
