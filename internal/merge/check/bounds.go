package check

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// maxAlike is how many findings of one rule in one file are listed. A small file
// can be wrong in very many places.
const maxAlike = 100

// alike are the findings that count together.
type alike struct {
	rule     *Rule
	severity Severity
	file     string
}

// Bounded is a list of findings, in order, without those that are too many of a
// kind. Behind the last one that stays of a kind, one represents all that do not.
func Bounded(found []Finding) []Finding {
	counts := map[alike]int{}
	for i := range found {
		counts[kindOf(&found[i])]++
	}
	isFew := true
	for _, n := range counts {
		isFew = isFew && n <= maxAlike
	}
	if isFew {
		return found
	}
	seen := map[alike]int{}
	var list []Finding
	for i := range found {
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

// Terse returns the findings that are shown together, in order, without what the message of
// an earlier one says already. It is not for Key, which holds for a finding whatever else is
// found.
func Terse(found []Finding) []Finding {
	list, traps := slices.Clone(found), diag.Traps{}
	for i := range list {
		list[i].Message = traps.Once(list[i].Range.Filename, list[i].Message)
	}
	return list
}

func kindOf(f *Finding) alike { return alike{f.Rule, f.Severity, f.Range.Filename} }

// moreFindings is the finding that represents others.
func moreFindings(kind alike, n int) Finding {
	text := fmt.Sprintf("%d more findings of this rule in this file are not listed.", n)
	if n == 1 {
		text = "1 more finding of this rule in this file is not listed."
	}
	more := kind.rule.At(hcl.Range{Filename: kind.file}, text)
	more.Severity, more.Summary, more.More = kind.severity, text, n
	return more
}
