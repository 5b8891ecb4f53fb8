package check

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// ignoring is the comment that suppresses findings: "tofumerge:ignore RULE[,RULE]
// reason", above an item.
var ignoring = lazyregexp.New(`tofumerge:ignore[ \t]+([a-z-]+(?:[ \t]*,[ \t]*[a-z-]+)*)`)

// Unsuppressed are the findings of a list that no comment switches off.
func Unsuppressed(m *load.Module, found []Finding) []Finding {
	s := suppression{m, map[source.Item][]string{}}
	return slices.DeleteFunc(found, s.covers)
}

// Unignored are the diagnostics of a list, but for warnings of rules that a comment
// switches off.
func Unignored(m *load.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	s := suppression{m, map[source.Item][]string{}}
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool {
		x, isFound := findingOf(m, d)
		return isFound && s.covers(x)
	})
}

// A suppression knows the rules that the comments on items switch off.
type suppression struct {
	module *load.Module
	rules  map[source.Item][]string // ids, once somebody asked
}

// covers reports whether a comment above an item that a finding is about, or above
// a block around it, switches its rule off. No comment hides an error: what the
// engine refuses stays refused, and those whom a policy binds can't lift it.
func (s suppression) covers(x Finding) bool {
	if x.Severity == Error || x.Range.Start.Line == 0 {
		return false
	}
	return s.isAt(x.Range, x.Rule.ID) || x.Related != nil && s.isAt(x.Related.Range, x.Rule.ID)
}

func (s suppression) isAt(at hcl.Range, id string) bool {
	for it := load.ItemAt(s.module, at); it != nil; {
		rules, known := s.rules[it]
		if !known {
			rules = rulesIgnored(it)
			s.rules[it] = rules
		}
		if slices.Contains(rules, id) {
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

// rulesIgnored are the rules that the comments on an item switch off, each once.
func rulesIgnored(it source.Item) []string {
	var rules []string
	for _, text := range commentsOn(it) {
		for _, m := range ignoring().FindAllStringSubmatch(text, -1) {
			for _, id := range strings.Split(m[1], ",") {
				id = strings.TrimSpace(id)
				if FindRule(id) != nil && !slices.Contains(rules, id) {
					rules = append(rules, id)
				}
			}
		}
	}
	return rules
}

// commentsOn are the lead comments of an item of a native file, and the comment
// properties of a block of a JSON file.
func commentsOn(it source.Item) []string {
	f := it.Source()
	if f.Syntax == source.Native {
		t := source.TriviaOf(it)
		return source.CommentsIn(f.Src[t.Lead:t.Start])
	}
	var texts []string
	if b, ok := it.(*source.Block); ok {
		for _, text := range b.Tree().Remarks() {
			texts = append(texts, string(text))
		}
	}
	return texts
}
