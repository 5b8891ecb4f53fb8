package term

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// enough is how many bytes are written at once.
const enough = 64 << 10

// roleWidth is the number of columns for the roles of files.
const roleWidth = len("override 10")

// Files writes the table of files for people.
func Files(w io.Writer, files []report.FileRecord, to screen.Screen) error {
	var out strings.Builder
	table := &screen.Table{Columns: []screen.Column{{Width: roleWidth, Min: roleWidth}, {Middle: true}}, Rows: make([][]screen.Cell, 0, len(files))}
	name := &table.Columns[1]
	for _, f := range files {
		name.Width = max(name.Width, len(diag.Escape(f.Filename)))
	}
	name.Min = shortestName(name.Width)
	for _, f := range files {
		filename := diag.Escape(f.Filename)
		cell := screen.Cell{Text: filename, Color: to.Place}
		if !to.IsTerminal { // by bytes
			cell.Text += strings.Repeat(" ", name.Width-len(filename))
			cell.Color = func(padded string) string { return to.Place(filename) + padded[len(filename):] }
		}
		table.Rows = append(table.Rows, []screen.Cell{
			{Text: pad(roleOf(f), roleWidth), Color: to.Dim}, cell, {Text: noteOn(f)},
		})
	}
	layout := to.Layout(table)
	for i, f := range files {
		layout.WriteRow(&out, table.Rows[i])
		writeEffects(&out, f.Effects, to)
		if out.Len() > enough {
			if err := safetext.WriteText(w, out.String()); err != nil {
				return err
			}
			out.Reset()
		}
	}
	return safetext.WriteText(w, out.String())
}

// shortestName is the minimum width of shortened names, given the width of the longest.
func shortestName(width int) int { return max(width*2/3, min(width, 24)) }

// roleOf words the role of a file.
func roleOf(f report.FileRecord) string {
	word := strings.ReplaceAll(f.Status, "_", " ")
	if f.Status == "read" {
		word = f.Role
	}
	if f.Role == "override" {
		word += " " + strconv.Itoa(f.Order)
	}
	return word
}

// noteOn describes a file in a few words.
func noteOn(f report.FileRecord) string {
	var notes []string
	switch {
	case f.Broken:
		notes = append(notes, "can't be read or parsed")
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
		notes = append(notes, "not an override file; that would be "+wording.FileName(f.MeantFor))
	}
	return strings.Join(notes, "; ")
}

// totals lists totals of the effects of a file.
func totals(list []report.EffectRecord) string {
	counts := map[effect.Verb]int{}
	for _, e := range list {
		counts[e.Effect]++
	}
	var words []string
	for _, d := range effect.Verbs {
		if n := counts[d]; n > 0 {
			words = append(words, fmt.Sprintf("%s %d", d.Words(), n))
		}
	}
	if len(words) == 0 {
		return "no effect"
	}
	return strings.Join(words, ", ")
}

// effectsIndent is how far the effects of a file are indented below its name.
const effectsIndent = "  "

// writeEffects writes the effects of a file: the line, a symbol, the address, and details.
func writeEffects(out *strings.Builder, list []report.EffectRecord, to screen.Screen) {
	if len(list) == 0 {
		return
	}
	table := &screen.Table{Indent: effectsIndent, Columns: []screen.Column{{}, {IsWhole: true}}}
	sign, address := &table.Columns[0], &table.Columns[1]
	digits := 0
	for _, e := range list {
		digits = max(digits, len(strconv.Itoa(e.Range.Start.Line)))
		address.Width = max(address.Width, len(e.Address))
	}
	sign.Width = digits + 2
	sign.Min = sign.Width
	table.Rows = make([][]screen.Cell, 0, len(list))
	for _, e := range list {
		row := []screen.Cell{{Text: fmt.Sprintf("%*d %s", digits, e.Range.Start.Line, e.Effect.Symbol())}, {Text: e.Address}, {Text: effectNote(e)}}
		if to.IsColored() {
			row[0].Color = func(shown string) string {
				return to.Dim(shown[:digits+1]) + to.Mark(e.Effect.Mark(), shown[digits+1:])
			}
		}
		table.Rows = append(table.Rows, row)
	}
	to.WriteTable(out, table)
}

// effectNote adds details about an effect to its symbol.
func effectNote(e report.EffectRecord) string {
	note := e.Note
	switch e.Effect {
	case effect.Overrides, effect.Adds, effect.Repeats:
	case effect.Replaces:
		note = strings.TrimSpace(e.Effect.Words() + " " + note)
	default:
		note = strings.TrimSuffix(e.Effect.Words()+": "+note, ": ")
	}
	if in := releasesOn(e); in != "" {
		note = strings.TrimSpace(note + " (" + in + ")")
	}
	return note
}

// releasesOn names the releases in which an effect occurs, without the product if the note names
// it.
func releasesOn(e report.EffectRecord) string {
	in := e.Rule.Engines
	if in == engine.AllReleases {
		return ""
	}
	product, releases, _ := strings.Cut(in, " ")
	if product != "" && !strings.Contains(in, ",") && strings.HasPrefix(e.Note, product+" ") {
		return releases
	}
	return in
}

// pad fills text up with blanks to a width in columns.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}
