package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"

	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// jsonIndent indents each level of a report.
const jsonIndent = "  "

// Write writes the report as JSON, indented by two blanks and followed by a line end. It returns
// the error of w.
//
// A whole module can have very many histories: each is turned into text alone.
func (r *Report) Write(w io.Writer) error {
	if len(r.Histories) == 0 && r.later == nil {
		return safetext.WriteJSON(w, r, jsonIndent)
	}
	rest := *r
	rest.Histories = []HistoryRecord{}
	var text bytes.Buffer
	if err := encoder(&text, "", jsonIndent).Encode(&rest); err != nil {
		return err
	}
	const key = "\n" + jsonIndent + `"histories": [` // no text has a line end in it
	before, after, _ := bytes.Cut(text.Bytes(), []byte(key))
	out := bufio.NewWriter(w)
	list := &listWriter{out: out, lines: safetext.EscapedJSON(out), next: slices.Concat(before, []byte(key))}
	if err := list.add(r.histories()); err != nil {
		return err
	}
	list.end(after)
	return out.Flush()
}

// Later adds histories that are made when the report is written, one at a time.
func (r *Report) Later(histories iter.Seq[HistoryRecord]) { r.later = append(r.later, histories) }

// histories yields all of them.
func (r *Report) histories() iter.Seq[HistoryRecord] {
	return func(yield func(HistoryRecord) bool) {
		for _, list := range append([]iter.Seq[HistoryRecord]{slices.Values(r.Histories)}, r.later...) {
			for h := range list {
				if !yield(h) {
					return
				}
			}
		}
	}
}

// A listWriter writes the elements of an array that is a property of a report.
type listWriter struct {
	out   *bufio.Writer
	lines io.Writer // that escapes whole lines for out
	next  []byte    // written once its successor is known
	count int
}

func (l *listWriter) add(histories iter.Seq[HistoryRecord]) error {
	const indent = jsonIndent + jsonIndent
	var text bytes.Buffer
	enc := encoder(&text, indent, jsonIndent)
	for h := range histories {
		text.Reset()
		if err := enc.Encode(h); err != nil {
			return err
		}
		if l.count > 0 {
			l.next = append(l.next, ',')
		}
		_, _ = l.lines.Write(append(l.next, '\n'))
		l.next = append(append(l.next[:0], indent...), bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
		l.count++
		if _, err := l.out.Write(nil); err != nil {
			return err // nobody reads the rest
		}
	}
	return nil
}

// end writes the rest after the opening bracket of the empty array.
func (l *listWriter) end(rest []byte) {
	if l.count > 0 {
		l.next = append(l.next, "\n"+jsonIndent...)
	}
	_, _ = l.lines.Write(append(l.next, rest...))
}

// encoder writes values of a report; a prefix starts every line except for the first.
func encoder(w io.Writer, prefix, indent string) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetIndent(prefix, indent)
	enc.SetEscapeHTML(false)
	return enc
}
