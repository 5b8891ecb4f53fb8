package term

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// enough is how many bytes are written at once.
const enough = 64 << 10

// roleWidth is how many columns the roles of files take up.
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

// shortestName is how short names may become of which the longest has so many columns.
func shortestName(width int) int { return max(width*2/3, min(width, 24)) }

// roleOf words what a file is.
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

// noteOn says in a few words what there is to know of a file.
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
		return "no effect"
	}
	return strings.Join(words, ", ")
}

// How far the effects of a file are indented: below its name, or less on a narrow screen.
const (
	effectsIndent = roleWidth + 2
	narrow        = 60
	narrowIndent  = 4
)

func writeEffects(out *strings.Builder, list []report.EffectRecord, to screen.Screen) {
	if len(list) == 0 {
		return
	}
	indent := effectsIndent
	if to.IsTerminal && to.Width < narrow {
		indent = narrowIndent
	}
	table := &screen.Table{Indent: strings.Repeat(" ", indent), Columns: []screen.Column{{}, {Middle: true}}}
	word, address := &table.Columns[0], &table.Columns[1]
	for _, e := range list {
		word.Width = max(word.Width, len(e.Effect.Words()))
		address.Width = max(address.Width, len(e.Address))
	}
	word.Min, address.Min = word.Width, shortestName(address.Width)
	table.Rows = make([][]screen.Cell, 0, len(list))
	for _, e := range list {
		note := "line " + strconv.Itoa(e.Range.Start.Line)
		if e.Note != "" {
			note += ": " + e.Note
		}
		if in := releasesOn(e); in != "" {
			note += " (" + in + ")"
		}
		var deed func(string) string
		if to.IsColored() {
			deed = func(padded string) string { return to.Mark(e.Effect.Mark(), padded) }
		}
		table.Rows = append(table.Rows, []screen.Cell{
			{Text: pad(e.Effect.Words(), word.Width), Color: deed}, {Text: e.Address}, {Text: note},
		})
	}
	to.WriteTable(out, table)
}

// releasesOn says for which releases an effect is so, without the product where the note
// names it.
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
