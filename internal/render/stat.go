package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxGraph is how many columns the graph of a summary takes up at most.
const maxGraph = 50

// WriteStat writes how many lines change in each file, as "git diff --stat" does.
func WriteStat(w io.Writer, diffs []*FileDiff, p Palette) error {
	var out strings.Builder
	var files, insertions, deletions, name, most int
	for _, d := range diffs {
		if in, del := d.Counts(); d.Changes() {
			files, insertions, deletions = files+1, insertions+in, deletions+del
			name, most = max(name, len(d.title())), max(most, in+del)
		}
	}
	digits := len(strconv.Itoa(most))
	for _, d := range diffs {
		if in, del := d.Counts(); d.Changes() {
			plus, minus := graph(in, most), graph(del, most)
			fmt.Fprintf(&out, " %s | %*d %s%s\n", pad(d.title(), name), digits, in+del, p.Inserted(strings.Repeat("+", plus)), p.Deleted(strings.Repeat("-", minus)))
		}
	}
	if files > 0 {
		fmt.Fprintf(&out, " %s changed", Count(files, "file"))
		if insertions > 0 || deletions == 0 {
			fmt.Fprintf(&out, ", %s(+)", Count(insertions, "insertion"))
		}
		if deletions > 0 {
			fmt.Fprintf(&out, ", %s(-)", Count(deletions, "deletion"))
		}
		out.WriteString("\n")
	}
	return writeText(w, out.String())
}

func (d *FileDiff) title() string {
	if d.Title[0] != "" {
		return patchName(d.Title[0]) + " => " + patchName(d.Title[1])
	}
	return patchName(d.Name)
}

// graph is how many signs stand for a number of lines; one line has one always.
func graph(n, most int) int {
	if most <= maxGraph || n == 0 {
		return n
	}
	return max(1, n*maxGraph/most)
}

// DiffRecords records what changes in each file, without the lines themselves.
func DiffRecords(diffs []*FileDiff) []FileRecord {
	list := []FileRecord{}
	for _, d := range diffs {
		if !d.Changes() {
			continue
		}
		rec := FileRecord{Filename: d.Name, Hunks: []HunkRecord{}}
		if d.Title[0] != "" {
			rec.Filename, rec.Against = d.Title[0], d.Title[1]
		} else {
			rec.Role = "primary"
		}
		in, del := d.Counts()
		rec.Insertions, rec.Deletions, rec.IsNew = &in, &del, d.IsNew
		shift := 0
		for _, r := range d.runs {
			rec.Hunks = append(rec.Hunks, HunkRecord{OldStart: r.from + 1, OldLines: r.to - r.from, NewStart: r.from + 1 + shift, NewLines: len(r.lines)})
			shift += len(r.lines) - (r.to - r.from)
		}
		list = append(list, rec)
	}
	return list
}
