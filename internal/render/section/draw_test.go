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
		fmt.Fprintf(&out, "%s %s %s: %s\n", f.Severity, f.Rule, f.Place, f.Message)
	}
	for _, line := range []string{s.NotShown, s.Left} {
		if line != "" {
			out.WriteString(line + "\n")
		}
	}
	for _, b := range s.Blocks {
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, fmt.Sprintf("{%s %s %s %s}", l.Kind, l.Name, l.Value, l.By))
		}
		fmt.Fprintf(&out, "# %s %t %v\n", b.Address, b.Note != "", lines)
	}
	for _, t := range append(append([]fileText{}, s.Texts...), s.Rest...) {
		fmt.Fprintf(&out, "\n== %s\n", t.Name)
		for _, p := range t.Parts {
			if p.Fold != nil {
				out.WriteString(p.Fold.drawn())
				continue
			}
			for _, r := range p.Rows {
				out.WriteString(r.drawn())
			}
			out.WriteString("--\n")
		}
	}
	return out.String()
}

func (f *fold) drawn() string {
	return fmt.Sprintf("[%d lines %s]\n%s", f.Lines, f.Where, beside("      ", f.Text, ""))
}

func (r *row) drawn() string {
	switch r.Kind {
	case "fold":
		return r.Fold.drawn()
	case "finding":
		return "      ^ " + r.Finding.Severity + " " + r.Finding.Rule + "\n"
	case "gone", "idle", "outranked":
		var lines []string
		for _, l := range r.Lines {
			lines = append(lines, l.Indent+l.Text)
		}
		return beside(fmt.Sprintf("%-4s %-2s", r.Kind, r.Class), strings.Join(lines, "\n"),
			strings.TrimSpace(strings.Join([]string{r.Verb, r.Why, r.Place, r.Address}, " ")))
	case "left":
		return fmt.Sprintf("[%d more lines]\n", r.Left)
	}
	text := ""
	if r.Note != nil {
		text = r.Note.drawn()
	}
	return beside(fmt.Sprintf("%-4s %-2s", r.Kind, r.Class), r.Text, text)
}

func (n *note) drawn() string {
	text := n.Verb + " " + n.Address + " " + n.Place
	for _, w := range n.Was {
		text += "; was " + strings.ReplaceAll(w.Value, "\n", "⏎") + " " + w.Place
	}
	if len(n.Hides) > 0 {
		text += "; hides " + strings.Join(n.Hides, ", ")
	}
	for _, c := range n.Changes {
		text += "; " + c.Kind.String() + " " + c.Name + " " + c.Value
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
