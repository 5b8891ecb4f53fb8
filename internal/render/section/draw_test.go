package section

import (
	"fmt"
	"strings"
)

// drawn is a section as text: each row with the text beside it in guillemets.
func (s *Section) drawn() string {
	var out strings.Builder
	for _, l := range s.Legend {
		fmt.Fprintf(&out, "%s %s: %s\n", l.Class, l.Name, l.Does)
	}
	for _, f := range s.List {
		fmt.Fprintf(&out, "%s %s %s:%d: %s\n", f.Severity, f.Rule, f.Range.Filename, f.Range.Start.Line, f.Message)
	}
	if s.NotShown != "" {
		out.WriteString(s.NotShown + "\n")
	}
	for _, b := range s.Different {
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, fmt.Sprintf("{%s %s %s %s}", l.Kind, l.Name, l.Value, l.By))
		}
		fmt.Fprintf(&out, "# %s %t %v\n", b.Address, b.Note != "", lines)
	}
	for _, t := range s.Texts {
		fmt.Fprintf(&out, "\n== %s\n", t.Name)
		for _, p := range t.Parts {
			for _, r := range p.Rows {
				out.WriteString(r.drawn())
			}
			if p.Address != "" {
				fmt.Fprintf(&out, "-- %s\n", p.Address)
			}
		}
	}
	return out.String()
}

func (r *row) drawn() string {
	switch r.Kind {
	case "fold":
		return fmt.Sprintf("[%d lines]\n%s", r.Lines, beside("      ", r.Text, ""))
	case "finding":
		return "      ^ " + r.Finding.Severity + " " + r.Finding.Rule + "\n"
	case "left":
		return fmt.Sprintf("[%d more lines]\n", r.Lines)
	}
	var notes []string
	for _, n := range r.Notes {
		notes = append(notes, fmt.Sprintf("%s: %s %s {%s}", n.Kind, n.Place, n.Detail, n.Address))
	}
	return beside(fmt.Sprintf("%-4s %-2s", r.Kind, r.Class), r.Indent+r.Text, strings.Join(notes, "; "))
}

// beside puts a text behind the first of some lines.
func beside(before, lines, text string) string {
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(lines, "\n"), "\n") {
		row := strings.TrimRight(before+" "+line, " ")
		if i == 0 && text != "" {
			row += "  «" + text + "»"
		}
		out.WriteString(row + "\n")
	}
	return out.String()
}
