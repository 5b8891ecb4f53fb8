package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"unicode"
)

// A report totals the comparisons of each form, and keeps those to show.
type report struct {
	show  int // how many differences of each form and part
	mu    sync.Mutex
	forms []formReport
}

type formReport struct {
	compared, differ int
	first            [parts][]difference
}

// A difference is a part in which the builds differ.
type difference struct {
	module int // its number: the first modules are shown, whichever was done first
	repeat string
	text   string
}

func newReport(show int) *report { return &report{show: show, forms: make([]formReport, len(forms))} }

// add compares the results of the two builds for a module. If they differ, repeat returns a command
// that repeats the runs.
func (r *report) add(form, module int, got [2]outcome, repeat func() (string, error)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := &r.forms[form]
	f.compared++
	differing := slices.DeleteFunc([]part{status, stdout, stderr, files}, func(p part) bool {
		return bytes.Equal(got[0][p], got[1][p]) && string(got[0][p]) != timedOut
	})
	if len(differing) == 0 {
		return nil
	}
	f.differ++
	how, err := repeat()
	for _, p := range differing {
		f.first[p] = append(f.first[p], difference{module, how, firstDifference(p, got[0][p], got[1][p])})
		slices.SortFunc(f.first[p], func(a, b difference) int { return a.module - b.module })
		f.first[p] = f.first[p][:min(r.show, len(f.first[p]))]
	}
	return err
}

func (r *report) differ() bool {
	return slices.ContainsFunc(r.forms, func(f formReport) bool { return f.differ > 0 })
}

const (
	maxLines   = 4   // of each build, from the first that differs
	maxColumns = 200 // of each line
)

// firstDifference shows where two texts begin to differ, and in which file.
func firstDifference(p part, before, after []byte) string {
	old, now := slices.Collect(bytes.Lines(before)), slices.Collect(bytes.Lines(after))
	at := 0
	for at < len(old) && at < len(now) && bytes.Equal(old[at], now[at]) {
		at++
	}
	var b strings.Builder
	line := at + 1
	for top := at - 1; top >= 0 && p == files; top-- {
		if bytes.HasPrefix(old[top], []byte(fileMark)) {
			fmt.Fprintf(&b, "    %s\n", legible(string(old[top])))
			line = at - top
			break
		}
	}
	fmt.Fprintf(&b, "  from line %d:\n", line)
	for _, side := range []struct {
		sign  string
		lines [][]byte
	}{{"-", old[at:]}, {"+", now[at:]}} {
		for _, line := range side.lines[:min(maxLines, len(side.lines))] {
			fmt.Fprintf(&b, "  %s %s\n", side.sign, legible(string(line)))
		}
	}
	return b.String()
}

// legible is a line as it is, or quoted where something in it can't be seen.
func legible(line string) string {
	text, ended := strings.CutSuffix(line, "\n")
	if len(text) > maxColumns {
		return strconv.Quote(text[:maxColumns]) + "..."
	}
	hidden := strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar })
	if hidden || !ended || strings.HasSuffix(text, " ") {
		return strconv.Quote(line)
	}
	return text
}

// print prints the differences, and a table of all forms.
func (r *report) print(out io.Writer) error {
	for i, f := range r.forms {
		for p, list := range f.first {
			for _, d := range list {
				fmt.Fprintf(out, "%s: different %s\n  %s\n%s\n", title(i), part(p), d.repeat, d.text)
			}
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "compared\tdiffer\t  command\n")
	compared, differ := 0, 0
	for i, f := range r.forms {
		compared += f.compared
		differ += f.differ
		fmt.Fprintf(table, "%d\t%d\t  %s\n", f.compared, f.differ, title(i))
	}
	fmt.Fprintf(table, "%d\t%d\t  in all, %d runs\n", compared, differ, 2*compared)
	return table.Flush()
}

func title(form int) string {
	return strings.TrimSpace(binaryName + " " + forms[form].text)
}
