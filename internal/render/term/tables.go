package term

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Changes writes the changes in modules: a line for each argument, key or element, and a summary of
// each module.
func Changes(w io.Writer, modules []report.ModuleChanges, to screen.Screen) error {
	out := &changeWriter{to: w, screen: to}
	for i, m := range modules {
		if i > 0 {
			out.write("\n")
		}
		if m.Title != "" {
			out.write(to.Place(diag.Escape(m.Title)+":") + "\n")
		}
		for _, b := range m.Blocks {
			out.block(m, b)
		}
		if len(m.Values) > 0 {
			out.write(out.screen.Place(report.ValuesTitle) + "\n")
			out.lines(m.ValueLines())
			out.write("\n")
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

func (out *changeWriter) block(m report.ModuleChanges, b *changes.Block) {
	out.write(out.screen.Place(b.Address.String()) + report.BlockNote(b) + "\n")
	var lines []report.ChangeLine
	for l := range m.GroupedLines(b) {
		if lines = append(lines, l); len(lines) == atOnce {
			out.lines(lines)
			lines = lines[:0]
		}
	}
	out.lines(lines)
	out.write("\n")
}

// maxColumn is the maximum width of a text that may widen its column for the lines around it.
const maxColumn = 44

// How far a change is indented, and how far those that are part of it.
const (
	changeIndent = 2
	partIndent   = 4
)

// columns are how wide names and values are that stand below each other.
type columns struct{ name, value int }

func (out *changeWriter) lines(lines []report.ChangeLine) {
	var text strings.Builder
	all := columnsOf(lines)
	for i, l := range lines {
		out.line(&text, l, *all[i])
	}
	out.write(text.String())
}

// columnsOf returns the columns of each line: lines of one depth share them up to the next line
// that is less deep.
func columnsOf(lines []report.ChangeLine) (all []*columns) {
	var open []*columns // by depth
	for _, l := range lines {
		open = open[:min(len(open), l.Depth+1)]
		for len(open) <= l.Depth {
			open = append(open, &columns{})
		}
		c := open[l.Depth]
		if all = append(all, c); !l.IsGroup {
			c.name = wider(c.name, l.Name)
			c.value = wider(c.value, l.Value)
		}
	}
	return all
}

// wider is a width at which a text fits, too, unless that is too long for a column.
func wider(width int, text string) int {
	if own := screen.Columns(text); own <= maxColumn {
		return max(width, own)
	}
	return width
}

// line writes a change. If a terminal is too narrow, columns are given up first; then the value is
// written below the name and the location, which people look for.
func (out *changeWriter) line(text *strings.Builder, l report.ChangeLine, c columns) {
	indent := strings.Repeat(" ", changeIndent+partIndent*l.Depth)
	text.WriteString(indent + out.sign(l.Kind, l.IsGroup) + " ")
	if line, fits := out.besideEachOther(l, c, out.screen.Width-len(indent)-2); fits {
		text.WriteString(line + "\n")
	} else {
		out.belowEachOther(text, l, indent)
	}
	indent += strings.Repeat(" ", partIndent)
	for _, below := range l.Below {
		sign := out.sign(below.Kind, below.Kind == changes.Changed)
		for _, line := range fold(below.Text, out.screen, out.screen.Width-len(indent)-2, screen.Hang) {
			text.WriteString(indent + sign + " " + line + "\n")
			sign = " "
		}
	}
}

// besideEachOther is a change as one line, and whether that fits.
func (out *changeWriter) besideEachOther(l report.ChangeLine, c columns, room int) (line string, fits bool) {
	if l.IsGroup {
		c = columns{}
	}
	for _, widths := range []columns{c, {name: c.name}, {}} {
		line = joined(screen.Pad(l.Name, widths.name), screen.Pad(l.Value, widths.value), l.By)
		if !out.screen.IsTerminal || screen.Columns(line) <= room {
			return line, true
		}
	}
	return line, false
}

// belowEachOther writes a change with its value below the name.
func (out *changeWriter) belowEachOther(text *strings.Builder, l report.ChangeLine, indent string) {
	room := out.screen.Width - len(indent) - 2
	head, below := l.Name, []string{l.Value}
	if after, isChange := strings.CutPrefix(l.Value, l.Before+report.Becomes); isChange && len(indent)+partIndent+screen.Columns(l.Value) > out.screen.Width {
		below = []string{l.Before, strings.TrimLeft(report.Becomes, " ") + after}
	}
	if beside := joined(l.Name, "", l.By); screen.Columns(beside) <= room {
		head = beside
	} else {
		below = append(below, l.By)
	}
	text.WriteString(strings.Join(fold(head, out.screen, room, ""), "\n"+indent+screen.Hang) + "\n")
	indent += strings.Repeat(" ", partIndent)
	for _, part := range below {
		for _, line := range fold(part, out.screen, out.screen.Width-len(indent), screen.Hang) {
			if line != "" {
				text.WriteString(indent + line + "\n")
			}
		}
	}
}

// joined are the parts of a line that are not empty, with two blanks between them.
func joined(parts ...string) string {
	line := ""
	for _, part := range parts {
		if line != "" && part != "" {
			line += "  "
		}
		line += part
	}
	return strings.TrimRight(line, " ")
}

// sign is the sign at the start of a change; blank for a line that isn't a change.
func (out *changeWriter) sign(kind changes.Kind, isBlank bool) string {
	if isBlank {
		return " "
	}
	verb := effect.Overrides
	switch kind {
	case changes.Added:
		verb = effect.Adds
	case changes.Dropped:
		verb = effect.Removes
	}
	return out.screen.Mark(verb.Mark(), verb.Symbol())
}

// enough is how many bytes are written at once.
const enough = 64 << 10

// roleWidth is the number of columns for the roles of files.
const roleWidth = len("override 10")

// Files writes the table of files for people.
func Files(w io.Writer, files []report.FileRecord, to screen.Screen) error {
	var out strings.Builder
	rows := make([][3]string, len(files))
	for i, f := range files {
		rows[i] = [3]string{roleOf(f), f.Filename, noteOn(f)}
	}
	table := fileTable(rows, to)
	layout := table.layout(to)
	for i, f := range files {
		layout.writeRow(&out, table.Rows[i])
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

// fileTable is a table of files: a role, a name and a note of each.
func fileTable(files [][3]string, to screen.Screen) *table {
	table := &table{Columns: []column{{Width: roleWidth, Min: roleWidth}, {Middle: true}}, Rows: make([][]cell, len(files))}
	name := &table.Columns[1]
	for i, f := range files {
		filename := diag.Escape(f[1])
		name.Width = max(name.Width, len(filename))
		table.Rows[i] = []cell{{Text: screen.Pad(f[0], roleWidth), Color: to.Dim}, {Text: filename, Color: to.Place}, {Text: f[2]}}
	}
	name.Min = shortestName(name.Width)
	return table
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
		notes = append(notes, "by "+diag.FileName(f.ShadowedBy))
	case f.Status == "excluded":
		notes = append(notes, "by --exclude-override")
	case f.Status == "ignored":
		notes = append(notes, "a hidden file or an editor's backup")
	case f.ReadBy != "":
		notes = append(notes, "by "+f.ReadBy+" only")
	}
	if f.MeantFor != "" {
		notes = append(notes, "not an override file; that would be "+diag.FileName(f.MeantFor))
	}
	return strings.Join(notes, "; ")
}

// totals lists totals of the effects of a file.
func totals(list []report.EffectRecord) string {
	counts := map[effect.Verb]int{}
	for _, e := range list {
		counts[e.Effect]++
	}
	return cmp.Or(report.EffectTotals(counts), "no effect")
}

// effectsIndent is how far the effects of a file are indented below its name.
const effectsIndent = "  "

// writeEffects writes the effects of a file: the line, a symbol, the address, and details.
func writeEffects(out *strings.Builder, list []report.EffectRecord, to screen.Screen) {
	if len(list) == 0 {
		return
	}
	table := &table{Indent: effectsIndent, Columns: []column{{}, {IsWhole: true}}}
	sign, address := &table.Columns[0], &table.Columns[1]
	digits := 0
	for _, e := range list {
		digits = max(digits, len(strconv.Itoa(e.Range.Start.Line)))
		address.Width = max(address.Width, len(e.Address))
	}
	sign.Width = digits + 2
	sign.Min = sign.Width
	for _, e := range list {
		row := []cell{{Text: fmt.Sprintf("%*d %s", digits, e.Range.Start.Line, e.Effect.Symbol())}, {Text: e.Address}, {Text: effectNote(e)}}
		if to.IsColored() {
			row[0].Color = func(shown string) string {
				return to.Dim(shown[:digits+1]) + to.Mark(e.Effect.Mark(), shown[digits+1:])
			}
		}
		table.Rows = append(table.Rows, row)
	}
	table.write(out, to)
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
	if in == engine.AllReleases || rules.IsSameEffect(e.Rule.Path) {
		return ""
	}
	product, releases, _ := strings.Cut(in, " ")
	if product != "" && !strings.Contains(in, ",") && strings.HasPrefix(e.Note, product+" ") {
		return releases
	}
	return in
}

// mostFiles is how many files of one role are listed for people.
const mostFiles = 10

// OtherFiles writes, below the table of files, the other files that the engine loads; nothing if
// there are none.
func OtherFiles(w io.Writer, files []report.OtherFileRecord, e engine.Release, to screen.Screen) error {
	if len(files) == 0 {
		return nil
	}
	shown, left := someFiles(files)
	rows := make([][3]string, len(shown))
	for i, f := range shown {
		rows[i] = [3]string{otherRole(f), f.Filename, noteOnOther(f)}
	}
	table := fileTable(rows, to)
	out := &strings.Builder{}
	out.WriteString("\nNever merged:\n")
	layout := table.layout(to)
	for i, f := range shown {
		layout.writeRow(out, table.Rows[i])
		writeProviders(out, f, e.Product, to)
		writeVariables(out, f.Variables, to)
		if n := left[f.Role]; n > 0 && (i == len(shown)-1 || shown[i+1].Role != f.Role) {
			fmt.Fprintf(out, "%s  … %d more\n", strings.Repeat(" ", roleWidth), n)
		}
	}
	return safetext.WriteText(w, out.String())
}

// someFiles are the first files of each role, and how many others there are.
func someFiles(files []report.OtherFileRecord) (shown []report.OtherFileRecord, left map[sidefiles.Role]int) {
	counts, left := map[sidefiles.Role]int{}, map[sidefiles.Role]int{}
	for _, f := range files {
		if counts[f.Role]++; counts[f.Role] > mostFiles {
			left[f.Role]++
			continue
		}
		shown = append(shown, f)
	}
	return shown, left
}

// otherRole words the role of a file.
func otherRole(f report.OtherFileRecord) string {
	word := string(f.Role)
	switch {
	case f.Status == sidefiles.Shadowed || f.Status == sidefiles.Unread:
		return strings.ReplaceAll(string(f.Status), "_", " ")
	case f.Role == sidefiles.TestVariables:
		word = string(sidefiles.Variables)
	case f.Role == sidefiles.Lock:
		word = "lock file"
	}
	if f.Order > 0 {
		word = fmt.Sprintf("%s %d", word, f.Order)
	}
	return word
}

// noteOnOther describes in a few words when a file is loaded, or its contents.
func noteOnOther(f report.OtherFileRecord) string {
	switch {
	case f.Broken:
		return "can't be read or parsed"
	case f.Status == sidefiles.Shadowed:
		return "by " + diag.FileName(path.Base(f.ShadowedBy))
	case f.Status == sidefiles.Unread:
		return "by " + f.ReadBy + " only"
	case f.Role == sidefiles.Mock:
		return fmt.Sprintf("only if a %s in a test names its directory", f.Needs)
	case f.Role == sidefiles.Symbols:
		return fmt.Sprintf("only if a %s block names its directory", f.Needs)
	case f.Status == sidefiles.OnRequest:
		return "only with " + f.Needs
	case f.Role == sidefiles.TestVariables:
		return "in tests only"
	case f.Role == sidefiles.Lock:
		return lockTotals(f.Providers)
	}
	return ""
}

// lockTotals words how many providers are in a lock file, and how many don't fit.
func lockTotals(list []report.ProviderRecord) string {
	locked := 0
	counts := map[providers.Status]int{}
	for _, p := range list {
		counts[p.Status]++
		if p.Status != providers.NotLocked {
			locked++
		}
	}
	words := []string{wording.Count(locked, "provider")}
	for _, s := range []providers.Status{providers.NotMet, providers.Undecided, providers.NotLocked, providers.NotRequired} {
		if counts[s] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[s], statusWords(s)))
		}
	}
	return strings.Join(words, ", ")
}

func statusWords(s providers.Status) string { return strings.ReplaceAll(string(s), "_", " ") }

// writeVariables writes the variables that a file sets, and the effects. Of very many, only the
// first are written.
func writeVariables(out *strings.Builder, list []report.AssignmentRecord, to screen.Screen) {
	table := &table{Indent: effectsIndent, Columns: []column{{}, {IsWhole: true}}}
	line, name := &table.Columns[0], &table.Columns[1]
	shown := list[:min(len(list), mostFiles)]
	for _, a := range shown {
		line.Width = max(line.Width, len(strconv.Itoa(a.Range.Start.Line)))
	}
	for _, a := range shown {
		number := fmt.Sprintf("%*d", line.Width, a.Range.Start.Line)
		row := []cell{{Text: number, Color: to.Dim}, {Text: diag.Escape(a.Address)}, {Text: a.Words}}
		name.Width = max(name.Width, screen.Columns(row[1].Text))
		table.Rows = append(table.Rows, row)
	}
	line.Min = line.Width
	table.write(out, to)
	if left := len(list) - len(shown); left > 0 {
		fmt.Fprintf(out, "%s… %d more\n", table.Indent, left)
	}
}

// mostProviders is how many providers are listed for people.
const mostProviders = 20

// writeProviders writes the module's requirements for the providers in a lock file. If there are
// many, those that fit are left out first.
func writeProviders(out *strings.Builder, f report.OtherFileRecord, own engine.Product, to screen.Screen) {
	table := &table{
		Indent:  effectsIndent,
		Columns: []column{{}, {Middle: true}, {Middle: true}},
	}
	shown, left := someProviders(f.Providers)
	for _, p := range shown {
		locked := ""
		if p.Locked != nil {
			locked = *p.Locked
		}
		source := diag.Escape(strings.TrimPrefix(p.Source, own.Registry()+"/"))
		var color func(string) string
		if p.Status == providers.NotMet || p.Status == providers.Undecided { // init or a plan would complain
			color = to.Warning
		}
		row := []cell{
			{Text: statusWords(p.Status), Color: color}, {Text: source}, {Text: locked}, {Text: noteOnProvider(p, f.CallsModules)},
		}
		for i := range table.Columns {
			table.Columns[i].Width = max(table.Columns[i].Width, len(row[i].Text))
		}
		table.Rows = append(table.Rows, row)
	}
	for i := range table.Columns {
		table.Columns[i].Min = shortestName(table.Columns[i].Width)
	}
	table.write(out, to)
	if left > 0 {
		fmt.Fprintf(out, "%s… %d more\n", table.Indent, left)
	}
}

// someProviders are those that are listed, and how many are left out.
func someProviders(list []report.ProviderRecord) (shown []report.ProviderRecord, left int) {
	if len(list) <= mostProviders {
		return list, 0
	}
	for _, p := range list {
		if p.Status != providers.Met && p.Status != providers.NotRequired && len(shown) < mostProviders {
			shown = append(shown, p)
		}
	}
	return shown, len(list) - len(shown)
}

// noteOnProvider explains why a provider is needed, and who needs it.
func noteOnProvider(p report.ProviderRecord, callsModules bool) string {
	switch {
	case p.RequiredBy == nil && p.Status == providers.Undecided:
		return "a file can't be read or parsed"
	case p.RequiredBy == nil && callsModules:
		return "a called module may need it"
	case p.RequiredBy == nil:
		return ""
	}
	var notes []string
	switch {
	case p.LockedFor != "":
		notes = append(notes, "locked for "+engine.Product(p.LockedFor).Title()+" only")
	case p.Status == providers.Undecided && p.Locked == nil:
		notes = append(notes, "its locked version can't be read")
	}
	var words []string
	for _, c := range p.Constraints {
		text := safetext.Printable(c.Constraint)
		switch {
		case !c.IsReadable:
			text = "invalid constraint " + text
		case p.Status == providers.NotMet && c.IsMet:
			continue
		}
		words = append(words, fmt.Sprintf("%s (%s)", text, c.Range.Place()))
	}
	needs := wording.Some(words, "; ")
	switch {
	case p.Status == providers.NotMet:
		needs = "needs " + needs
	case len(words) > 0:
	case p.RequiredBy.Implied:
		needs = fmt.Sprintf("implied by %s (%s)", p.RequiredBy.Address, p.RequiredBy.Range.Place())
	default:
		needs = fmt.Sprintf("any version (%s)", p.RequiredBy.Range.Place())
	}
	return strings.Join(append(notes, needs), "; ")
}
