package relocate

import (
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// Locations in text: main.tf:3, main.tf:3:5, main.tf:3-7, main.tf: 3-7, main.tf:3,5-20, main.tf:3,5-7,2, and
// "on main.tf line 3". Those of commands to a pipeline are file=main.tf,line=3,endLine=7.

// Groups of the pattern places.
const (
	nameGroup = iota + 1
	signGroup
	lineGroup
	colGroup      // after a colon: 5 in a.tf:3:5
	fromGroup     // after a comma, the first column: 5 in a.tf:3,5-7
	toLineGroup   // the last line of a range with columns: 4 in a.tf:3,5-4,7
	toColumnGroup // its last column: 7 in both
	lastGroup     // the last line of a range of lines: 5 in a.tf:3-5
)

// colours matches sequences that colour text on a terminal.
const colours = `(?:\x1b\[[0-9;]*m)*`

var places = lazyregexp.New(
	colours + `([^\s:"'()\[\]{}<>,=;|\x1b]+\.(?:tf|tofu)(?:\.json)?)` + colours + `(: ?| line |, line )` + colours + `([0-9]{1,9})` +
		`(?::([0-9]{1,9})|,([0-9]{1,9})-(?:([0-9]{1,9}),)?([0-9]{1,9})|` + colours + `-([0-9]{1,9}))?`)

var commands = lazyregexp.New(`\bfile=([^\s:",=]+\.(?:tf|tofu)(?:\.json)?)((?:,[A-Za-z]+=[^,:\s]*)*)`)

var commandLines = lazyregexp.New(`\b(line|endLine)=([0-9]{1,9})`)

// mapLine replaces the locations in a line of text, and the number of a quoted source line. It also turns paths in
// the copy's directory into paths of the original. q remembers the last location, because tools quote its lines below
// it; escape makes names safe for the kind of text.
func (m *Mapper) mapLine(line []byte, q *quotation, escape func(string) string) []byte {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if bytes.Contains(line, []byte(".tf")) || bytes.Contains(line, []byte(".tofu")) {
		if bytes.Contains(line, []byte("file=")) { // for a CI runner, as in "::error file=main.tf,line=3"
			line = commands().ReplaceAllFunc(line, func(text []byte) []byte { return m.command(text, escape) })
		}
		line = m.mapPlaces(line, q, escape)
	}
	return m.withoutCopy(q.renumber(line))
}

// A quotation expects source lines with numbers, which many tools print after a location.
type quotation struct {
	file *File
	left int // how many more lines of text may belong to it
}

// longestQuotation is the number of lines after a location among which quoted lines are looked for.
const longestQuotation = 20

// numbered matches the start of a quoted line up to its number, coloured or not, and after the bar that
// terraform and tofu draw beside a diagnostic.
var numbered = lazyregexp.New(`^(?:[ \t│]|\x1b\[[0-9;]*m)*?([0-9]{1,9}):`)

var colouring = lazyregexp.New(`\x1b\[[0-9;]*m`)

// renumber gives a quoted line the number that it has in the original. It leaves other lines alone: only a
// line with the text of the flattened file is one.
func (q *quotation) renumber(line []byte) []byte {
	q.left--
	if q.left < 0 || q.file == nil {
		return line
	}
	g := numbered().FindSubmatchIndex(line)
	if g == nil {
		return line
	}
	start, end, textStart := g[2], g[3], g[1] // of the number; the source text follows its colon
	number, _ := strconv.Atoi(string(line[start:end]))
	own, text := lineOf(q.file.ownLines(), number), colouring().ReplaceAll(line[textStart:], nil)
	isQuoted := bytes.Equal(bytes.TrimSpace(own), bytes.TrimSpace(text))
	spans := q.file.trace(number, number)
	if !isQuoted || len(spans) == 0 {
		return line
	}
	to := strconv.Itoa(spans[0].first)
	for start > 0 && end-start < len(to) && line[start-1] == ' ' { // a longer number replaces blanks, so columns stay
		start--
	}
	padding := bytes.Repeat([]byte(" "), max(0, end-start-len(to)))
	return slices.Concat(line[:start], padding, []byte(to), line[end:])
}

// harmless returns a file name that neither a terminal or a CI runner obeys as a command ("::error") nor a program
// reads as an option ("-rf").
func harmless(name string) string {
	name = diag.Escape(name)
	if strings.HasPrefix(name, "::") || strings.HasPrefix(name, "##") || strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return name
}

// escapeFor returns the function that makes names safe in a stream with this first line; nil if the line is
// blank. A stream that starts with "<" is XML or HTML, in which a name must not end an attribute or start an
// element.
func escapeFor(line []byte) func(string) string {
	text := bytes.TrimSpace(bytes.TrimPrefix(line, spelling.UTF8BOM))
	switch {
	case len(text) == 0:
		return nil
	case text[0] == '<':
		return func(name string) string { return html.EscapeString(harmless(name)) }
	}
	return harmless
}

// mapPlaces replaces the locations in a line of text, such as main.tf:3. After the last one, q expects quoted source
// lines of its file.
func (m *Mapper) mapPlaces(line []byte, q *quotation, escape func(string) string) []byte {
	var out []byte
	// line[:at] is already in out.
	at := 0
	for _, g := range places().FindAllSubmatchIndex(line, -1) { // g holds the start and the end of each group
		nameEnd := g[2*nameGroup+1]
		start, f := m.fileNamed(line, at, g[2*nameGroup], nameEnd)
		if f == nil {
			continue
		}
		p := &place{line: line, groups: g}
		sign := string(line[g[2*signGroup]:g[2*signGroup+1]])
		if sign == ": " && !p.has(lastGroup) {
			continue // unlike "main.tf: 3-5", "main.tf: 3 errors" counts something
		}
		spans := f.trace(p.number(lineGroup), p.last())
		if len(spans) == 0 {
			m.unmapped++
			continue
		}
		to := withBase(string(line[start:nameEnd]), spans[0].name)
		out = append(append(out, line[at:start]...), escape(to)...)
		out = append(out, line[nameEnd:g[2*lineGroup]]...)
		out = p.write(out, f, spans[0])
		at = g[1]
		q.file, q.left = f, longestQuotation
	}
	return append(out, line[at:]...)
}

// mostBlanks is the maximum number of blanks in a name.
const mostBlanks = 8

// fileNamed returns where the name of a location starts in the line, and the flattened file that it names; nil if
// none. The pattern found the name at line[start:end]. Names may contain blanks, so it also tries earlier starts, but
// none before from.
func (m *Mapper) fileNamed(line []byte, from, start, end int) (int, *File) {
	for range mostBlanks {
		if f := m.File(string(line[start:end])); f != nil {
			return start, f
		}
		blank := start - 1 // between the name and the word before it, which has at least one letter
		if blank-1 < from || line[blank] != ' ' {
			return start, nil
		}
		// Include that word, which starts behind another blank, a quotation mark or a bracket.
		start = from + bytes.LastIndexAny(line[from:blank], " \t\"'(<[") + 1
	}
	return start, nil
}

// A place is a match of the pattern places.
type place struct {
	line   []byte
	groups []int
}

// has reports whether the location has a group, such as a column.
func (p *place) has(group int) bool { return p.groups[2*group] >= 0 }

// number returns the number in a group, which the location must have.
func (p *place) number(group int) int {
	n, _ := strconv.Atoi(string(p.line[p.groups[2*group]:p.groups[2*group+1]])) // it has at most nine digits
	return n
}

// last returns the last line of the location.
func (p *place) last() int {
	for _, group := range []int{lastGroup, toLineGroup} {
		if p.has(group) {
			return p.number(group)
		}
	}
	return p.number(lineGroup)
}

// write appends the part of the location after the name: its lines and columns replaced by those of a span, and the
// text between the numbers as it was. Groups must be written in the order in which they stand.
func (p *place) write(out []byte, f *File, to span) []byte {
	first := p.number(lineGroup)
	at := p.groups[2*lineGroup]      // up to here the location is written
	put := func(group, number int) { // with the text before the group
		if p.has(group) {
			out = strconv.AppendInt(append(out, p.line[at:p.groups[2*group]]...), int64(number), 10)
			at = p.groups[2*group+1]
		}
	}
	column := func(group, line, toLine int) {
		if p.has(group) {
			put(group, f.column(line, p.number(group), to, toLine))
		}
	}
	put(lineGroup, to.first)
	column(colGroup, first, to.first)
	column(fromGroup, first, to.first)
	put(toLineGroup, to.last)
	column(toColumnGroup, p.last(), to.last)
	put(lastGroup, to.last)
	return out
}

// command returns the properties of an annotation for a CI runner, such as file=NAME,line=N,endLine=M, with the
// location replaced. text is a match of commands, and escape makes a name safe in the output. The location stays if it
// isn't in a flattened file or has no origin.
func (m *Mapper) command(text []byte, escape func(string) string) []byte {
	g := commands().FindSubmatch(text) // g[1] is the name, g[2] the other properties
	f := m.File(string(g[1]))
	numbers := map[string]int{}
	for _, found := range commandLines().FindAllSubmatch(g[2], -1) {
		numbers[string(found[1])], _ = strconv.Atoi(string(found[2]))
	}
	if f == nil || numbers["line"] == 0 {
		return text
	}
	spans := f.trace(numbers["line"], max(numbers["line"], numbers["endLine"]))
	if len(spans) == 0 {
		m.unmapped++
		return text
	}
	// Replace the lines, then the name.
	rest := commandLines().ReplaceAllFunc(g[2], func(found []byte) []byte {
		name, _, _ := strings.Cut(string(found), "=")
		line := spans[0].first
		if name == "endLine" {
			line = spans[0].last
		}
		return strconv.AppendInt([]byte(name+"="), int64(line), 10)
	})
	name := strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C").Replace(spans[0].name)
	return append([]byte("file="+withBase(string(g[1]), escape(name))), rest...)
}

// mapTarget handles the object of a trivy report that lists the findings in one file. Their lines may come from several
// original files. Then one object for each file replaces it, since the object names the file.
func (d *doc) mapTarget(v jsontree.Value) {
	f := d.fileAt(valueAt(v, targetMember), false)
	if f == nil {
		return
	}
	name := valueAt(v, targetMember).Text()
	names := []string{name[strings.LastIndexAny(name, `/\`)+1:]} // without its directories
	fileOf := map[jsontree.Value]string{}                        // of each finding, the name of its file
	for i := range lists {
		for e := range valueAt(v, lists[i].name).Children() {
			fileOf[e] = d.moveLines(f, e, &lists[i].shape, names[0]) // names[0] if e's original isn't known
			if !slices.Contains(names, fileOf[e]) {
				names = append(names, fileOf[e])
			}
		}
	}
	if len(names) > 1 {
		d.split(v, names, fileOf)
	}
}

// moveLines replaces the lines of a finding by those of the original, and returns the name of the original file. It
// leaves a finding without lines or without an origin as it is, and returns the given name.
func (d *doc) moveLines(f *File, e jsontree.Value, s *shape, name string) string {
	first, last, hasLine := linesOf(e, s)
	if !hasLine || first == 0 {
		return name
	}
	spans := f.trace(first, last)
	if len(spans) == 0 {
		d.unmapped++
		return name
	}
	d.setLines(e, s, f, [2]int{first, last}, spans[0])
	return spans[0].name
}

// split replaces an object by one for each file in names; fileOf holds the file of each finding. The last ones of
// d.edits are inside the object, because walk handles a value right after those in it. They become part of the
// replacement, because edits must not overlap.
func (d *doc) split(v jsontree.Value, names []string, fileOf map[jsontree.Value]string) {
	firstInside := len(d.edits) // the index of the first edit inside v
	for firstInside > 0 && d.edits[firstInside-1].Start >= v.Start() {
		firstInside--
	}
	inner := slices.Clone(d.edits[firstInside:]) // in the order in which they were found, not in that of the text
	slices.SortStableFunc(inner, func(a, b textedit.Edit) int { return a.Start - b.Start })
	d.edits = d.edits[:firstInside]
	var objects []string
	for i, name := range names {
		objects = append(objects, d.part(v, name, i == 0, fileOf, inner))
	}
	space := d.text[len(bytes.TrimRight(d.text[:v.Start()], " \t\r\n")):v.Start()] // before v, repeated before each
	d.replace(v, strings.Join(objects, ","+string(space)))
}

// part returns the text of one of the objects that replace v. It has only the findings in the file called name.
// fileOf holds the file of each finding, and inner the edits inside v in order. So that totals stay right, the number
// of failures, which counts the findings in lists[0], goes down by those in other files, and only the first object
// keeps the number of successes.
func (d *doc) part(v jsontree.Value, name string, isFirst bool, fileOf map[jsontree.Value]string, inner []textedit.Edit) string {
	own := &doc{text: d.text} // with the edits that turn v into the object
	file := valueAt(v, targetMember)
	own.replace(file, quoted(withBase(file.Text(), name)))
	others := 0 // the findings in lists[0] that are in other files
	for i := range lists {
		list := valueAt(v, lists[i].name)
		elements := slices.Collect(list.Children())
		if len(elements) == 0 {
			continue
		}
		inOthers := func(e jsontree.Value) bool { return fileOf[e] != name }
		texts := d.edited(slices.DeleteFunc(slices.Clone(elements), inOthers), inner)
		if i == 0 {
			others = len(elements) - len(texts)
		}
		// Replace all elements of the list at once, with the original's space between them.
		start := elements[0].Start()
		between := "," + string(d.text[list.Start()+1:start])
		own.edits = append(own.edits, textedit.Replace(start, elements[len(elements)-1].End(), strings.Join(texts, between)))
	}
	n, _ := number(valueAt(v, failures))
	own.set(valueAt(v, failures), max(0, n-others))
	if !isFirst {
		own.set(valueAt(v, successes), 0)
	}
	return string(textedit.Apply(d.text, v.Start(), v.End(), own.edits))
}

// edited returns the texts of values, changed by those of the edits that are in them. edits are in order.
func (d *doc) edited(list []jsontree.Value, edits []textedit.Edit) (texts []string) {
	byStart := func(e textedit.Edit, at int) int { return e.Start - at }
	for _, v := range list {
		first, _ := slices.BinarySearchFunc(edits, v.Start(), byStart)
		end, _ := slices.BinarySearchFunc(edits, v.End(), byStart)
		texts = append(texts, string(textedit.Apply(d.text, v.Start(), v.End(), edits[first:end])))
	}
	return texts
}
