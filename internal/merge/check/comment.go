package check

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A comment switches rules off: "tofumerge:ignore RULE[,RULE] reason" for its item,
// "tofumerge:ignore-file RULE[,RULE] reason" for its file. A comment of a file that contains the
// word several times is several of these.
type comment struct {
	File   *source.File
	Range  hcl.Range // from tofumerge:ignore to the last name
	Reason string    // the rest of the line
	Meant  string    // what a comment with a slip in tofumerge:ignore should be

	names   []string // as they are written, each once
	isFile  bool
	reach   reach
	item    source.Item // that it is above, at the end of or in; nil outside of items
	entries []*entry    // of the rules that it names
}

// A reach is the subject of a comment.
type reach int

const (
	nothing   reach = iota // a comment that is in no position to silence anything
	itsLine                // findings on its line
	itsItem                // an item with all that is in it
	itsHeader              // the same, of a block, from its header line
	wholeFile              // a file
)

// ignoreWord is in all comments that switch rules off, and hardly ever elsewhere.
const ignoreWord = "tofumerge:ignore"

// ignoring is the form of such a comment: the separator, which other tools write in other ways, -file, if
// it is there, and the names.
var ignoring = lazyregexp.New(`tofumerge(:|:[ \t]+|-)ignore(-file)?(?:[ \t]+([\w-]+(?:[ \t]*,[ \t]*[\w-]+)*))?`)

// The groups of ignoring, as indexes of a match.
const (
	groupSeparator = 2
	groupFile      = 4
	groupNames     = 6
)

// mayIgnore reports whether a text may contain such a comment. It looks for the end of the word: fewer
// words start with f than with t.
func mayIgnore(text []byte) bool { return bytes.Contains(text, []byte("fumerge")) }

// commentsOf returns the comments of a file that switch rules off, in order. Only comments of the
// syntax are found: a string or a heredoc contains none.
func commentsOf(f *source.File) []*comment {
	if f.Broken || !mayIgnore(f.Raw) {
		return nil
	}
	w := &commentFinder{file: f}
	if f.Syntax == source.JSON {
		w.document()
	} else {
		w.text()
	}
	return w.found
}

// A commentFinder gathers the comments of a file.
type commentFinder struct {
	file  *source.File
	found []*comment
}

// text looks through a native file.
func (w *commentFinder) text() {
	f, from := w.file, 0
	for i := range f.Len() {
		start, end := f.SpanOf(i)
		if mayIgnore(f.Native[from:start]) {
			w.gap(nil, from, start, w.before(i), f.Block(i))
		}
		if mayIgnore(f.Native[start:end]) {
			w.block(f.Block(i))
		}
		from = end
	}
	w.gap(nil, from, len(f.Native), w.before(f.Len()), nil)
}

// before is the block before the block of an index.
func (w *commentFinder) before(i int) source.Item {
	if i == 0 {
		return nil
	}
	return w.file.Block(i - 1)
}

// block looks through a native block, in which the word is somewhere.
func (w *commentFinder) block(b *source.Block) {
	src, start, brace := w.file.Native, b.Extent().Start.Byte, b.OpenBrace().Start.Byte
	w.inside(b, start, brace)
	var prev source.Item
	from := brace + 1
	for _, it := range b.Items() {
		r := it.Extent()
		w.gap(b, from, r.Start.Byte, prev, it)
		if nested, isBlock := it.(*source.Block); isBlock && mayIgnore(src[r.Start.Byte:r.End.Byte]) {
			w.block(nested)
		} else if !isBlock {
			w.inside(it, r.Start.Byte, r.End.Byte)
		}
		prev, from = it, r.End.Byte
	}
	w.gap(b, from, b.CloseBrace().Start.Byte, prev, nil)
}

// inside looks through the text of an item that is not between items.
func (w *commentFinder) inside(it source.Item, from, to int) {
	if !mayIgnore(w.file.Native[from:to]) {
		return
	}
	for _, c := range parse.CommentsInside(w.file.Native, from, to) {
		at := itsLine
		if c.Alone {
			at = nothing
		}
		w.note(c.Start, c.End, at, it)
	}
}

// gap searches the text between two items, in a block or at the top level.
func (w *commentFinder) gap(in *source.Block, from, to int, prev, next source.Item) {
	src := w.file.Native
	if !mayIgnore(src[from:to]) {
		return
	}
	lead, firstLine := to+1, bytes.IndexByte(src[from:to], '\n')
	if firstLine < 0 {
		firstLine = to
	}
	if next != nil {
		lead = source.TriviaOf(next).Lead
	}
	for _, c := range parse.CommentsBetween(src, from, to) {
		at, it := nothing, source.Item(nil)
		switch {
		case next != nil && c.Start >= lead:
			at, it = itsItem, next
		case c.Alone || c.Start-from > firstLine:
		case prev != nil && isArgument(prev): // whose value may have ended on a later line
			at, it = itsItem, prev
		case prev != nil && isOneLine(prev): // the end of a longer block is too far from its name
			at, it = itsHeader, prev
		case prev == nil && in != nil:
			at, it = itsHeader, in
		}
		if in == nil {
			w.outside(c, at, it)
		} else {
			w.note(c.Start, c.End, at, it)
		}
	}
}

func isArgument(it source.Item) bool {
	_, ok := it.(*source.Attr)
	return ok
}

// isOneLine reports whether a native item is on one line.
func isOneLine(it source.Item) bool {
	r := it.Extent()
	return r.Start.Line == r.End.Line && it.Source().Syntax != source.JSON
}

// outside notes a comment outside of all blocks, which may be about the file.
func (w *commentFinder) outside(c parse.Comment, at reach, it source.Item) {
	first := len(w.found)
	w.note(c.Start, c.End, at, it)
	for _, k := range w.found[first:] {
		if k.isFile {
			k.reach, k.item = wholeFile, nil
		}
	}
}

// document searches a JSON file, whose comments are the values of its comment properties: those of
// a block are about the block.
func (w *commentFinder) document() {
	for _, at := range w.file.Remarks {
		w.outside(parse.Comment{Start: int(at[0]), End: int(at[1])}, nothing, nil)
	}
	for i := range w.file.Len() {
		b := w.file.Block(i)
		if mayIgnore(w.file.Raw[b.From.Value[0]:b.From.Value[1]]) {
			w.object(b)
		}
	}
	slices.SortStableFunc(w.found, func(a, b *comment) int { return a.Range.Start.Byte - b.Range.Start.Byte })
}

func (w *commentFinder) object(b *source.Block) {
	for _, at := range b.Remarks() {
		w.note(int(at[0]), int(at[1]), itsHeader, b)
	}
	for _, it := range b.Items() {
		if nested, isBlock := it.(*source.Block); isBlock {
			w.object(nested)
		}
	}
}

// note records the rules named in a comment of a file.
func (w *commentFinder) note(from, to int, at reach, it source.Item) {
	text := w.file.Raw[from:to]
	all := ignoring().FindAllSubmatchIndex(text, -1)
	for i, m := range all {
		end := len(text)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		k := &comment{
			File:   w.file,
			Range:  w.file.RawRange([2]uint32{uint32(from + m[0]), uint32(from + m[1])}),
			Reason: w.reason(text[m[1]:end]),
			isFile: m[groupFile] >= 0,
			reach:  at,
			item:   it,
		}
		if k.isFile {
			k.reach = nothing
		}
		if m[groupNames] >= 0 {
			k.names = namesIn(string(text[m[groupNames]:m[groupNames+1]]))
		}
		isSlip := m[groupSeparator+1]-m[groupSeparator] > 1 || text[m[groupSeparator]] == '-'
		namesRule := slices.ContainsFunc(k.names, func(id string) bool { return FindRule(id) != nil })
		if !namesRule && (isSlip || w.isInProse(text[:m[0]])) {
			continue
		}
		if isSlip {
			k.Meant = ignoreWord + string(text[m[groupSeparator+1]+len("ignore"):m[1]])
			k.reach, k.names = nothing, nil
		}
		w.found = append(w.found, k)
	}
}

// isInProse reports whether words are in front of the end of a comment's text, on its last line or in
// its last string.
func (w *commentFinder) isInProse(text []byte) bool {
	start := byte('\n')
	if w.file.Syntax == source.JSON {
		start = '"'
	}
	i := bytes.LastIndexByte(text, start)
	return i > 0 && text[i-1] == '\\' || len(bytes.Trim(text[i+1:], "#/* \t")) > 0
}

// namesIn are the names of a list with commas, each once.
func namesIn(list string) []string {
	var names []string
	known := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); !known[name] {
			known[name] = true
			names = append(names, name)
		}
	}
	return names
}

// reason is the text after the names on their line. It is empty for a file that may not be quoted.
func (w *commentFinder) reason(rest []byte) string {
	if w.file.Outside {
		return ""
	}
	text := string(rest)
	if w.file.Syntax == source.JSON {
		text = unquotedStart(text)
	}
	text, _, _ = strings.Cut(text, "\n")
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "*/"))
	return strings.TrimLeft(text, ",:; ")
}

// unquotedStart decodes the rest of a JSON string, up to its end.
func unquotedStart(text string) string {
	end := 0
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	var said string
	if json.Unmarshal([]byte(`"`+text[:min(end, len(text))]+`"`), &said) != nil {
		return ""
	}
	return said
}
