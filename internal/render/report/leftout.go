package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// What settings leave out: min_severity and disable of settings files, and their flags.

// maxSettings is how many settings are named in a line.
const maxSettings = 3

// LeaveOut counts findings that a setting leaves out.
func (t *CountsRecord) LeaveOut(by string, n int) {
	if n > 0 {
		t.LeftOut[by] += n
	}
}

// Hidden is the number of findings that a report leaves out.
func (t *CountsRecord) Hidden() int {
	n := t.Baseline + t.Ignored
	for _, more := range t.LeftOut {
		n += more
	}
	return n
}

// leftOut words how many findings settings leave out: "; 5 left out by .tofumerge.hcl:1".
func (t *CountsRecord) leftOut() string {
	var text strings.Builder
	names := slices.Sorted(maps.Keys(t.LeftOut))
	rest := 0
	for i, by := range names {
		if i < maxSettings || len(names) == maxSettings+1 {
			fmt.Fprintf(&text, "; %d left out by %s", t.LeftOut[by], by)
		} else {
			rest += t.LeftOut[by]
		}
	}
	if rest > 0 {
		fmt.Fprintf(&text, "; %d left out by %s", rest, wording.Count(len(names)-maxSettings, "other setting"))
	}
	return text.String()
}

// LeftOut words how many findings settings leave out; empty if none.
func (r *Report) LeftOut() string {
	if r.Counts == nil {
		return ""
	}
	n, rest, isAny := strings.Cut(strings.TrimPrefix(r.Counts.leftOut(), "; "), " ")
	if !isAny {
		return ""
	}
	noun := " findings "
	if n == "1" {
		noun = " finding "
	}
	return n + noun + rest
}
