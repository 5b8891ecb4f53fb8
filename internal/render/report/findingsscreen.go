package report

import (
	"fmt"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/excerpt"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A findingsScreen writes findings on a terminal, below the name of the file that they are in.
type findingsScreen struct {
	FormatOptions
	file   string                      // the current one
	number int                         // columns that LINE:COLUMN takes in it
	copies map[copyKey][]string        // the modules that have a finding, by what its copies have in common
	noBase map[string][]*FindingRecord // about overrides that have nothing to override, by module
	widths map[string]int              // of LINE:COLUMN, by file
	isSeen map[copyKey]bool
}

// A copyKey is the same for findings that several modules have in the same lines of files with one name.
type copyKey struct {
	rule, message, file, source string
	at                          RangeRecord
}

func newFindingsScreen(r *Report, o FormatOptions) *findingsScreen {
	s := &findingsScreen{FormatOptions: o, copies: map[copyKey][]string{}, noBase: map[string][]*FindingRecord{}, widths: map[string]int{}, isSeen: map[copyKey]bool{}}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.noBase && !o.ShowsAll {
			s.noBase[f.Module] = append(s.noBase[f.Module], f)
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		s.widths[f.Path] = max(s.widths[f.Path], len(lineAndColumn(f)))
		if key := copyOf(f); !o.ShowsAll && f.source != nil && !s.isPatch(f) {
			s.copies[key] = append(s.copies[key], f.Module)
		}
	}
	return s
}

// isPatch reports whether a finding is one of several in its module about overrides with nothing to
// override: somebody else has the base.
func (s *findingsScreen) isPatch(f *FindingRecord) bool {
	return f.noBase && len(s.noBase[f.Module]) > 1
}

// patchText words the findings for which isPatch is true.
func patchText(list []*FindingRecord) string {
	var places []string
	for _, f := range list {
		places = append(places, diag.Place(hcl.Range{Filename: f.Range.Filename, Start: hcl.Pos{Line: f.Range.Start.Line}}))
	}
	return fmt.Sprintf("%d overrides have no base here: %s; -v lists each. Add the primary files, or remove these.", len(list), wording.Some(places, ", "))
}

// copyOf is the common part of a finding and its copies. File paths differ by the directory.
func copyOf(f *FindingRecord) copyKey {
	c := copyKey{rule: f.Rule, message: f.Message, file: path.Base(f.Path), at: f.Range}
	if c.at.Filename = ""; f.source != nil {
		c.source = string(f.source.text)
	}
	return c
}

// lineAndColumn is empty for a file as a whole.
func lineAndColumn(f *FindingRecord) string {
	if f.Range.Start.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d", f.Range.Start.Line, f.Range.Start.Column)
}

// write writes a finding: a line with the location, the severity and the rule, the message, and the
// source line with a mark below the meant part.
func (s *findingsScreen) write(out *strings.Builder, f *FindingRecord, to screen.Screen) {
	key := copyOf(f)
	modules := s.copies[key]
	isPatch := s.isPatch(f)
	if len(modules) > 1 && s.isSeen[key] || isPatch && f != s.noBase[f.Module][0] {
		return
	}
	s.isSeen[key] = true
	if f.Path != s.file {
		if s.file != "" {
			out.WriteString("\n")
		}
		s.file, s.number = f.Path, s.widths[f.Path]
		out.WriteString(to.Place(safetext.OneLine(f.Path)) + "\n")
	}
	indent := strings.Repeat(" ", s.number+4)
	s.writeHead(out, f, to, indent)
	if isPatch {
		fmt.Fprintf(out, "%s\n", to.WrapLine(0, indent+patchText(s.noBase[f.Module]), indent))
		return
	}
	fmt.Fprintf(out, "%s\n", to.WrapLine(0, indent+safetext.OneLine(f.Message), indent))
	s.writeSource(out, f, to)
	writeRest(out, f, to, indent)
	if len(modules) > 1 {
		text := fmt.Sprintf("The same lines are in %s: %s; -v lists each.", wording.Count(len(modules)-1, "more module"), wording.Some(modules[1:], ", "))
		fmt.Fprintf(out, "%s\n", to.WrapLine(0, indent+text, indent))
	}
}

// writeHead writes the location, the severity and the rule, on as many lines as it takes.
func (s *findingsScreen) writeHead(out *strings.Builder, f *FindingRecord, to screen.Screen, indent string) {
	place := lineAndColumn(f)
	fmt.Fprintf(out, "  %*s%s", s.number-len(place), "", to.Dim(place))
	taken := s.number + len("  ")
	words := []string{f.level().String(), f.Rule}
	colored := []string{coloredSeverity(f.level(), to.Palette), to.Place(f.Rule)}
	if f.Fix != nil {
		words, colored = append(words, "[fixable]"), append(colored, to.Dim("[fixable]"))
	}
	for i, word := range words {
		if taken += len("  ") + len(word); i > 0 && taken > to.Width {
			out.WriteString("\n" + indent + colored[i])
			taken = len(indent) + len(word)
			continue
		}
		out.WriteString("  " + colored[i])
	}
	out.WriteString("\n")
}

// writeSource writes the source line of a warning or an error.
func (s *findingsScreen) writeSource(out *strings.Builder, f *FindingRecord, to screen.Screen) {
	if f.source == nil || f.level() == check.Notice {
		return
	}
	number := fmt.Sprint(f.Range.Start.Line)
	margin := strings.Repeat(" ", max(0, s.number+2-len(number)))
	text, mark := excerpt.Marked(f.source.text, f.source.at, f.source.length, to.Width-len(margin+number+" | "))
	fmt.Fprintf(out, "%s%s %s\n", margin, to.Dim(number+" |"), text)
	colored := to.Warning
	if f.level() == check.Error {
		colored = to.Error
	}
	fmt.Fprintf(out, "%s%s %s\n", margin, to.Dim(strings.Repeat(" ", len(number))+" |"), colored(mark))
}
