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
	for _, b := range s.Listed.Blocks {
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, fmt.Sprintf("{%s %s %s %s}", l.Kind, l.Name, l.Value, l.By))
		}
		fmt.Fprintf(&out, "# %s %t %v\n", b.Address, b.Note != "", lines)
	}
	for _, t := range s.Texts {
		fmt.Fprintf(&out, "\n== %s\n", t.Name)
		for _, rows := range t.Parts {
			for _, r := range rows {
				out.WriteString(r.drawn())
			}
			if rows[0].Kind != "fold" {
				out.WriteString("--\n")
			}
		}
	}
	for _, fold := range s.Rest {
		fmt.Fprintf(&out, "\n== %s\n%s", fold.File, fold.drawn())
	}
	return out.String()
}

func (r *row) drawn() string {
	switch r.Kind {
	case "fold":
		return fmt.Sprintf("[%d lines %s]\n%s", r.Lines, r.Where, beside("      ", r.Text, ""))
	case "finding":
		return "      ^ " + r.Finding.Severity + " " + r.Finding.Rule + "\n"
	case "left":
		return fmt.Sprintf("[%d more lines]\n", r.Lines)
	}
	text := ""
	if r.Note != nil {
		text = r.Note.drawn()
	}
	return beside(fmt.Sprintf("%-4s %-2s", r.Kind, r.Class), r.Indent+r.Text, text)
}

func (n *note) drawn() string {
	text := n.Verb + " " + n.Address + " " + n.Place
	if n.Old != "" {
		text = "(" + n.Old + ") " + text
	}
	for _, w := range n.Was {
		text += "; was " + w.Value + " " + w.Place
	}
	if n.Why != "" {
		text += "; " + n.Why
	}
	return text
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
