package section

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// A row is one or several lines of a block, or a row between its lines.
type row struct {
	Kind     string         // empty, mark, also, gone, idle, outranked, fold, finding or left
	Text     string         `json:",omitempty"`
	Lines    []indentedLine `json:",omitempty"` // Text of a gone or idle row, once it has its position
	Class    string         `json:",omitempty"` // of the colour of an override file
	Note     *note          `json:",omitempty"` // of a mark, on its first row
	Verb     string         `json:",omitempty"` // of gone or idle rows
	Why      string         `json:",omitempty"`
	Place    string         `json:",omitempty"`
	Address  string         `json:",omitempty"`
	Fold     *fold          `json:",omitempty"`
	Findings []*finding     `json:",omitempty"` // that stand behind it
	Finding  *finding       `json:",omitempty"`
	Left     int            `json:",omitempty"` // lines without room on the page

	cost int // how much room it needs
}

// How many lines around marks are shown, and from how many on the others are folded.
const (
	near    = 3
	minFold = 4
)

// A blockText is the lines of a block on their way to rows.
type blockText struct {
	*fileBuilder
	starts []int // offsets of the lines, and of the end
	text   []byte
	owner  []*mark        // of each line
	before map[int][]*row // the rows before a line
	rows   []*row
	left   int // lines and rows without room on the page
}

// rows makes the rows of a block.
func (w *fileBuilder) rows(block *plan.Block, text []byte) []*row {
	walked := w.walk(block, text)
	t := &blockText{fileBuilder: w, text: walked.text, before: map[int][]*row{}}
	for at := 0; at < len(t.text); at = textedit.AfterLine(t.text, at) {
		t.starts = append(t.starts, at)
	}
	t.owner = make([]*mark, len(t.starts))
	t.starts = append(t.starts, len(t.text))
	for i := range walked.marks {
		t.own(&walked.marks[i])
	}
	for _, l := range walked.lines {
		t.insert(l)
	}
	for _, m := range walked.marks {
		t.find(m)
	}
	t.build()
	return t.rows
}

// line is the number of the line that an offset is in, from 0.
func (t *blockText) line(at int) int {
	return max(0, sort.Search(len(t.owner), func(i int) bool { return t.starts[i] > at })-1)
}

// own gives a mark its lines. On a shared line the first mark wins, and the note of a later one
// would be invisible; so it gets a separate row.
func (t *blockText) own(m *mark) {
	first, last := t.line(m.from), t.line(max(m.from, m.to-1))
	if owner := t.owner[first]; owner != nil && owner != m && first == last && t.line(owner.from) == first {
		if m.note != nil {
			t.put(last+1, &row{Kind: "also", Class: t.classes[m.file], Note: m.note})
		}
	} else {
		for i := first; i <= last; i++ {
			t.owner[i] = m
		}
	}
}

// find puts the findings about a mark behind it.
func (t *blockText) find(m mark) {
	for _, f := range m.findings {
		t.put(t.line(max(m.from, m.to-1))+1, &row{Kind: "finding", Finding: f})
	}
}

func (t *blockText) put(line int, r *row) { t.before[line] = append(t.before[line], r) }

// insert inserts a line at its position: before the closing bracket of the construct that ends at
// its offset, if it belongs inside, else behind it.
func (t *blockText) insert(l extraLine) {
	last := t.line(max(0, l.at-1))
	line := t.text[t.starts[last]:t.starts[last+1]]
	indent := textedit.IndentAt(t.text, max(t.starts[last], t.starts[last+1]-1))
	body := bytes.TrimLeft(line, " \t")
	at := last + 1
	if isClosing := len(body) > 0 && bytes.IndexByte([]byte("}])"), body[0]) >= 0; l.isInside && isClosing {
		at, indent = last, indent+textedit.IndentUnit
	}
	l.row.indent(indent)
	t.put(at, l.row)
	for _, f := range l.row.Findings {
		t.put(at, &row{Kind: "finding", Finding: f})
	}
}

// An indentedLine is a line of a row whose text alone is struck through.
type indentedLine struct{ Indent, Text string }

// indent moves the lines of a row into the block.
func (r *row) indent(by string) {
	for line := range strings.SplitSeq(r.Text, "\n") {
		text := strings.TrimLeft(line, " ")
		r.Lines = append(r.Lines, indentedLine{by + line[:len(line)-len(text)], text})
	}
}

// build makes the rows: runs of lines of one mark, and of lines without one.
func (t *blockText) build() {
	for from := 0; from < len(t.owner); {
		t.flush(from)
		to := from + 1
		for to < len(t.owner) && t.owner[to] == t.owner[from] && len(t.before[to]) == 0 {
			to++
		}
		if t.room <= 0 {
			t.left += len(t.owner) - from
			break
		}
		if m := t.owner[from]; m != nil {
			t.marked(m, from, to)
		} else {
			t.plain(from, to)
		}
		from = to
	}
	if t.flush(len(t.owner)); t.left > 0 {
		t.rows = append(t.rows, &row{Kind: "left", Left: t.left})
	}
}

// flush adds the rows that stand before a line.
func (t *blockText) flush(line int) {
	for i, r := range t.before[line] {
		if t.room <= 0 {
			t.left += len(t.before[line]) - i
			return
		}
		if r.Kind == "finding" {
			r.cost = findingCost/2 + cost([]byte(r.Finding.Message+r.Finding.Rule+r.Finding.URL))
			r.Finding.isShown = true
		}
		t.room -= r.cost
		t.name(r)
		t.rows = append(t.rows, r)
	}
}

// marked adds lines that an override file supplied. The note belongs to the first of them.
func (t *blockText) marked(m *mark, from, to int) {
	r := &row{Kind: "mark", Class: t.classes[m.file], Text: t.take(from, to)}
	if from == t.line(m.from) {
		r.Note = m.note
		t.name(r)
	}
	t.rows = append(t.rows, r)
}

// name gives a note, if there is one, its name in the page, and its room.
func (t *blockText) name(r *row) {
	if r.Note != nil {
		t.room -= r.Note.cost
		t.notes++
		r.Note.ID = fmt.Sprintf("%sn%d", t.id, t.notes)
	}
}

// plain adds lines without marks. Many are folded but for those next to others.
func (t *blockText) plain(from, to int) {
	head, tail := near, near
	if to-from < head+tail+minFold {
		t.rows = append(t.rows, &row{Text: t.take(from, to)})
		return
	}
	t.rows = append(t.rows, &row{Text: t.take(from, from+head)})
	text := t.text[t.starts[from+head]:t.starts[to-tail]]
	fold := t.fold("", to-tail-from-head, func() []byte { return bytes.TrimRight(text, "\r\n") })
	t.rows = append(t.rows, &row{Kind: "fold", Fold: fold}, &row{Text: t.take(to-tail, to)})
}

// take is the text of some lines, which use up room.
func (t *blockText) take(from, to int) string {
	text := t.text[t.starts[from]:t.starts[to]]
	t.room -= rowCost + min(cost(text), 2*maxLine*(to-from))
	return visible(text)
}
