package term

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// maxGraph is how many columns the graph of a summary takes up at most.
const maxGraph = 50

// Stat writes how many lines change in each file, as "git diff --stat" does. The error is
// that of w.
func Stat(w io.Writer, diffs []*patch.File, colors palette.Palette) error {
	var out strings.Builder
	var files, insertions, deletions, name, most int
	for _, d := range diffs {
		if in, del := d.Counts(); d.Changes() {
			files, insertions, deletions = files+1, insertions+in, deletions+del
			name, most = max(name, len(d.Heading())), max(most, in+del)
		}
	}
	digits := len(strconv.Itoa(most))
	for _, d := range diffs {
		if in, del := d.Counts(); d.Changes() {
			plus := colors.Inserted(strings.Repeat("+", graph(in, most)))
			minus := colors.Deleted(strings.Repeat("-", graph(del, most)))
			fmt.Fprintf(&out, " %s | %*d %s%s\n", pad(d.Heading(), name), digits, in+del, plus, minus)
		}
	}
	if files > 0 {
		fmt.Fprintf(&out, " %s changed", wording.Count(files, "file"))
		if insertions > 0 || deletions == 0 {
			fmt.Fprintf(&out, ", %s(+)", wording.Count(insertions, "insertion"))
		}
		if deletions > 0 {
			fmt.Fprintf(&out, ", %s(-)", wording.Count(deletions, "deletion"))
		}
		out.WriteString("\n")
	}
	return safetext.WriteText(w, out.String())
}

// graph returns how many signs a number of lines gets; one line gets one always.
func graph(n, most int) int {
	if most <= maxGraph || n == 0 {
		return n
	}
	return max(1, n*maxGraph/most)
}
