package term

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// maxGraph is how many columns the graph of a summary takes up at most.
const maxGraph = 50

// Stat writes how many lines change in each file, as "git diff --stat" does. The error is
// that of w.
func Stat(w io.Writer, diffs []*patch.File, to screen.Screen) error {
	var out strings.Builder
	var files, insertions, deletions, name, most int
	for _, d := range diffs {
		if in, del := d.Counts(); d.Changes() {
			files, insertions, deletions = files+1, insertions+in, deletions+del
			name, most = max(name, len(d.Heading())), max(most, in+del)
		}
	}
	digits := len(strconv.Itoa(most))
	name, room := fitStat(name, digits, min(most, maxGraph), to)
	for _, d := range diffs {
		if in, del := d.Counts(); d.Changes() {
			plus := to.Inserted(strings.Repeat("+", graph(in, most, room)))
			minus := to.Deleted(strings.Repeat("-", graph(del, most, room)))
			fmt.Fprintf(&out, " %s | %*d %s%s\n", pad(heading(d, name, to), name), digits, in+del, plus, minus)
		}
	}
	if files > 0 {
		total := fmt.Sprintf(" %s changed", wording.Count(files, "file"))
		if insertions > 0 || deletions == 0 {
			total += fmt.Sprintf(", %s(+)", wording.Count(insertions, "insertion"))
		}
		if deletions > 0 {
			total += fmt.Sprintf(", %s(-)", wording.Count(deletions, "deletion"))
		}
		out.WriteString(to.WrapLine(0, total, " ") + "\n")
	}
	return safetext.WriteText(w, out.String())
}

// fitStat returns how many columns the names and the graph get, so that a terminal does not
// break the lines: names give way before the graph is tiny.
func fitStat(name, digits, graph int, to screen.Screen) (int, int) {
	const frame, minGraph = len("  |  "), 10
	if room := to.Width - frame - digits; to.IsTerminal {
		name = min(name, max(minGraph, room-min(graph, max(minGraph, room/3))))
		return name, max(1, min(graph, room-name))
	}
	return name, maxGraph
}

// heading is the name of a file in so many columns.
func heading(d *patch.File, width int, to screen.Screen) string {
	if !to.IsTerminal {
		return d.Heading()
	}
	return screen.CutMiddle(d.Heading(), width)
}

// graph returns how many signs a number of lines gets of those that there is room for; one
// line gets one always.
func graph(n, most, room int) int {
	if most <= room || n == 0 {
		return n
	}
	return max(1, n*room/most)
}
