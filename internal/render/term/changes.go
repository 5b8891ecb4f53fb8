package term

import (
	"fmt"
	"io"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Changes writes what changes in modules: a line for each argument, key or
// element, and a summary of each module.
func Changes(w io.Writer, modules []wording.ModuleChanges, to screen.Screen) error {
	out := &changeWriter{to: w, screen: to}
	for i, m := range modules {
		if i > 0 {
			out.write("\n")
		}
		if m.Title != "" {
			out.write(to.Place(diag.Escape(m.Title)+":") + "\n")
		}
		for _, b := range m.Blocks {
			out.block(m.Redact, b)
		}
		out.write(m.Count() + "\n")
	}
	return out.err
}

// A changeWriter writes whole lines.
type changeWriter struct {
	to     io.Writer
	screen screen.Screen
	err    error // of the first write that failed
}

func (out *changeWriter) write(text string) {
	if out.err == nil {
		out.err = safetext.WriteText(out.to, text)
	}
}

// atOnce is how many lines are laid out in common columns.
const atOnce = 200

func (out *changeWriter) block(redact wording.Redactor, b *changes.Block) {
	out.write(out.screen.Place(b.Address.String()) + wording.BlockNote(b) + "\n")
	var lines []wording.ChangeLine
	for l := range wording.ChangeLines(redact, b) {
		if lines = append(lines, l); len(lines) == atOnce {
			out.lines(lines)
			lines = lines[:0]
		}
	}
	out.lines(lines)
	out.write("\n")
}

// maxColumn is how far one long text moves those of the lines around it.
const maxColumn = 44

func (out *changeWriter) lines(lines []wording.ChangeLine) {
	name, value := 0, 0
	for _, l := range lines {
		name = max(name, min(maxColumn, screen.Columns(l.Name)))
		value = max(value, min(maxColumn, screen.Columns(l.Value)))
	}
	var text strings.Builder
	for _, l := range lines {
		line := fmt.Sprintf("%s  %s", screen.Pad(l.Name, name), screen.Pad(l.Value, value))
		if out.screen.IsTerminal && screen.Columns(line)+screen.Columns(l.By)+6 > out.screen.Width {
			line = strings.TrimRight(line, " ") + "\n     " // the place, which people look for, stays whole
		}
		fmt.Fprintf(&text, "  %s %s  %s\n", out.sign(l.Kind), line, l.By)
	}
	out.write(text.String())
}

func (out *changeWriter) sign(k changes.Kind) string {
	switch k {
	case changes.Added:
		return out.screen.Mark(merge.MarkAdded, "+")
	case changes.Dropped:
		return out.screen.Deleted("-")
	}
	return out.screen.Mark(merge.MarkOverride, "~")
}
