package check

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// The comments that suppress findings: "tofumerge:ignore RULE[,RULE] reason", above an
// item, and "tofumerge:ignore-file RULE[,RULE] reason", outside of all blocks of a file.
var (
	ignoring     = lazyregexp.New(`tofumerge:ignore[ \t]+` + ruleNames)
	ignoringFile = lazyregexp.New(`tofumerge:ignore-file[ \t]+` + ruleNames)
)

const ruleNames = `([a-z-]+(?:[ \t]*,[ \t]*[a-z-]+)*)`

// Unsuppressed are the findings of a list that no comment switches off.
func Unsuppressed(m *load.Module, found []Finding) []Finding {
	s := newSuppression(m)
	return slices.DeleteFunc(found, s.covers)
}

func newSuppression(m *load.Module) suppression {
	return suppression{m, map[source.Item][]string{}, map[*source.File][]string{}, map[*source.File]bool{}}
}

// Unignored are the diagnostics of a list, but for warnings of rules that a comment
// switches off.
func Unignored(m *load.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	s := newSuppression(m)
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool {
		x, isFound := findingOf(m, d)
		return isFound && s.covers(x)
	})
}

// A suppression knows the rules that the comments on items switch off.
type suppression struct {
	module *load.Module
	rules  map[source.Item][]string // ids, once somebody asked
	files  map[*source.File][]string
	some   map[*source.File]bool // whether there is any such comment in a file
}

// covers reports whether a comment above an item that a finding is about, or above
// a block around it, or one on the file, switches its rule off. No comment hides an error:
// what the engine refuses stays refused, and those whom a policy binds can't lift it.
func (s suppression) covers(x Finding) bool {
	switch {
	case x.Severity == Error:
		return false
	case s.isInFile(x.Range.Filename, x.Rule.ID):
		return true
	case x.Range.Start.Line == 0:
		return false
	}
	return s.isAt(x.Range, x.Rule.ID) || x.Related != nil && s.isAt(x.Related.Range, x.Rule.ID)
}

func (s suppression) isAt(at hcl.Range, id string) bool {
	if f := s.module.File(at.Filename); f == nil || !s.hasSome(f) {
		return false
	}
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

// hasSome reports whether a file may have a comment that switches a rule off. Hardly any has.
func (s suppression) hasSome(f *source.File) bool {
	has, known := s.some[f]
	if !known {
		has = bytes.Contains(f.Given, []byte("tofumerge:ignore"))
		s.some[f] = has
	}
	return has
}

// isInFile reports whether a comment switches a rule off for a file.
func (s suppression) isInFile(name, id string) bool {
	f := s.module.File(name)
	if f == nil || f.Broken {
		return false
	}
	rules, known := s.files[f]
	if !known && s.hasSome(f) {
		rules = rulesNamed(ignoringFile(), commentsOnFile(f))
		s.files[f] = rules
	}
	return slices.Contains(rules, id)
}

// commentsOnFile are the comments of a native file outside of its blocks, and the comment
// properties at the root of a JSON file.
func commentsOnFile(f *source.File) []string {
	var texts []string
	if f.Syntax == source.JSON {
		for _, text := range f.Remarks() {
			texts = append(texts, string(text))
		}
		return texts
	}
	if !bytes.Contains(f.Src, []byte("tofumerge:ignore-file")) {
		return nil
	}
	from := 0
	gap := func(to int) {
		for _, c := range source.Comments(f.Src, from, to) {
			texts = append(texts, string(f.Src[c.Start:c.End]))
		}
	}
	for i := range f.Len() {
		at := f.Block(i).Extent()
		gap(at.Start.Byte)
		from = at.End.Byte
	}
	gap(len(f.Src))
	return texts
}

// rulesIgnored are the rules that the comments on an item switch off, each once.
func rulesIgnored(it source.Item) []string { return rulesNamed(ignoring(), commentsOn(it)) }

// rulesNamed are the rules that comments of a form name, each once.
func rulesNamed(form *regexp.Regexp, comments []string) []string {
	var rules []string
	for _, text := range comments {
		for _, m := range form.FindAllStringSubmatch(text, -1) {
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
