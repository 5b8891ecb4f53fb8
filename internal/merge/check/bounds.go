package check

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// maxAlike is how many findings of one rule in one file are listed. A small file can contain very
// many mistakes.
const maxAlike = 100

// A boundKey is the same for findings with a common limit.
type boundKey struct {
	rule     *Rule
	severity Severity
	file     string
}

// Bounded limits a list of findings, in order. Of each kind it lists the first maxAlike, and behind
// them one finding that represents the others.
func Bounded(found []Finding) []Finding {
	counts := map[boundKey]int{}
	for i := range found {
		counts[kindOf(&found[i])] += found[i].Count()
	}
	isFew := true
	for _, n := range counts {
		isFew = isFew && n <= maxAlike
	}
	if isFew {
		return found
	}
	seen := map[boundKey]int{}
	var list []Finding
	for i := range found {
		if found[i].More > 0 {
			continue
		}
		kind := kindOf(&found[i])
		seen[kind]++
		if seen[kind] <= maxAlike {
			list = append(list, found[i])
		}
		if more := counts[kind] - maxAlike; seen[kind] == maxAlike && more > 0 {
			list = append(list, moreFindings(kind, more))
		}
	}
	return list
}

// A List gathers findings of a module. A short one keeps no more findings of a kind than Bounded
// lists, so its memory is bounded.
type List struct {
	IsShort bool

	kinds map[boundKey]*findingGroup
	count int
}

// A findingGroup holds the findings of a kind.
type findingGroup struct {
	list []numberedFinding
	more int // that are not in the list
}

// A numberedFinding is a finding with its index in the list of all.
type numberedFinding struct {
	Finding
	number int
}

// Add adds a finding that stands for itself.
func (l *List) Add(f Finding) {
	kind := kindOf(&f)
	of := l.kinds[kind]
	if of == nil {
		if l.kinds == nil {
			l.kinds = map[boundKey]*findingGroup{}
		}
		of = &findingGroup{}
		l.kinds[kind] = of
	}
	l.count++
	if of.list = append(of.list, numberedFinding{f, l.count}); l.IsShort && len(of.list) == 2*maxAlike {
		of.shorten()
	}
}

// shorten leaves those that come first in the file.
func (g *findingGroup) shorten() {
	slices.SortStableFunc(g.list, func(a, b numberedFinding) int { return a.Range.Start.Byte - b.Range.Start.Byte })
	g.more += len(g.list) - maxAlike
	clear(g.list[maxAlike:])
	g.list = g.list[:maxAlike]
}

// All are the findings in the order of the module's files.
func (l *List) All(m *merge.Module) []Finding {
	list := make([]numberedFinding, 0, min(l.count, 2*maxAlike*len(l.kinds)))
	var more []Finding
	for kind, of := range l.kinds {
		if l.IsShort && len(of.list) > maxAlike {
			of.shorten()
		}
		list = append(list, of.list...)
		if of.more > 0 {
			more = append(more, moreFindings(kind, of.more))
		}
	}
	slices.SortFunc(list, func(a, b numberedFinding) int { return a.number - b.number })
	found := make([]Finding, 0, len(list)+len(more))
	for _, x := range list {
		found = append(found, x.Finding)
	}
	found = append(found, more...)
	Sort(m, found)
	return found
}

// Terse returns the findings that are shown together, in order, without sentences that an earlier
// message already contains. It must not be used for Key, which is independent of other findings.
func Terse(found []Finding) []Finding {
	list, traps := slices.Clone(found), diag.Traps{}
	for i := range list {
		list[i].Message = traps.Once(list[i].Range.Filename, list[i].Message)
	}
	return list
}

func kindOf(f *Finding) boundKey { return boundKey{f.Rule, f.Severity, f.Range.Filename} }

// moreFindings is the finding that represents others.
func moreFindings(kind boundKey, n int) Finding {
	text := fmt.Sprintf("%d more findings of this rule in this file are not listed.", n)
	if n == 1 {
		text = "1 more finding of this rule in this file is not listed."
	}
	more := kind.rule.At(hcl.Range{Filename: kind.file}, text)
	more.Severity, more.Summary, more.More = kind.severity, text, n
	return more
}
