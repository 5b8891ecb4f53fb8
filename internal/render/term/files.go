package term

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// roleWidth is how many columns the roles of files take up.
const roleWidth = len("override 10")

// Files writes the table of files for people.
func Files(w io.Writer, files []report.FileRecord, colors palette.Palette) error {
	var out strings.Builder
	name := 0
	for _, f := range files {
		name = max(name, len(diag.Escape(f.Filename)))
	}
	for _, f := range files {
		word := strings.ReplaceAll(f.Status, "_", " ")
		if f.Status == "read" {
			word = f.Role
		}
		if f.Role == "override" {
			word = fmt.Sprintf("%s %d", word, f.Order)
		}
		filename := diag.Escape(f.Filename)
		indent := strings.Repeat(" ", name-len(filename))
		line := colors.Dim(pad(word, roleWidth)) + "  " + colors.Place(filename) + indent + "  " + noteOn(f)
		out.WriteString(strings.TrimRight(line, " ") + "\n")
		writeEffects(&out, f.Effects, colors)
	}
	return safetext.WriteText(w, out.String())
}

// noteOn says in a few words what there is to know of a file.
func noteOn(f report.FileRecord) string {
	var notes []string
	switch {
	case f.Broken:
		notes = append(notes, "can't be read or parsed, so what it holds is not known")
	case f.Role == "override":
		notes = append(notes, totals(f.Effects))
	}
	if f.Overlay {
		notes = append(notes, "by --overlay")
	}
	switch {
	case f.ShadowedBy != "" && f.Status == "shadowed":
		notes = append(notes, "by "+wording.FileName(f.ShadowedBy))
	case f.Status == "excluded":
		notes = append(notes, "by --exclude-override")
	case f.Status == "ignored":
		notes = append(notes, "a hidden file or an editor's backup")
	case f.ReadBy != "":
		notes = append(notes, "by "+f.ReadBy+" only")
	}
	if f.MeantFor != "" {
		notes = append(notes, "is no override file; that would be called "+wording.FileName(f.MeantFor))
	}
	return strings.Join(notes, "; ")
}

// totals counts the effects of a file.
func totals(list []report.EffectRecord) string {
	counts := map[merge.Deed]int{}
	for _, e := range list {
		counts[e.Effect]++
	}
	var words []string
	for _, d := range merge.Deeds {
		if n := counts[d]; n > 0 {
			words = append(words, fmt.Sprintf("%s %d", d.Words(), n))
		}
	}
	if len(words) == 0 {
		return "does nothing"
	}
	return strings.Join(words, ", ")
}

func writeEffects(out *strings.Builder, list []report.EffectRecord, colors palette.Palette) {
	word, address := 0, 0
	for _, e := range list {
		word, address = max(word, len(e.Effect.Words())), max(address, len(diag.Escape(e.Address)))
	}
	for _, e := range list {
		note := fmt.Sprintf("line %d", e.Range.Start.Line)
		if e.Note != "" {
			note += ": " + e.Note
		}
		if in := e.Rule.Engines; in != "" && in != engine.AllReleases {
			note += " (" + in + ")"
		}
		deed := colors.Mark(e.Effect.Mark(), pad(e.Effect.Words(), word))
		fmt.Fprintf(out, "%*s%s  %s  %s\n", roleWidth+2, "", deed, pad(diag.Escape(e.Address), address), note)
	}
}

// pad fills text up with blanks to a width in columns.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}
