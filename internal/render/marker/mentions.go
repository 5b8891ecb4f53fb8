package marker

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Mention is an override file in a notice, or a name that it decides on.
type Mention struct {
	File string
	Name string // as seen from the block; empty for the file itself
	From int    // byte offsets in the file that has the notice
	To   int
}

// mentioned is an override file or a name in a notice: first a file, then in brackets the
// names.
var mentioned = lazyregexp.New(`^(?:` + quoted + `|[^\s,()"]+)`)

// Mentions calls visit with the names in the notices above the blocks of a native file, in source
// order, whether they exist or not.
func Mentions(f *source.File, visit func(*source.Block, Mention)) {
	if f.Syntax != source.Native || !bytes.Contains(f.Native, []byte(noticeStart)) {
		return
	}
	for i := range f.Len() {
		b := f.Block(i)
		around := source.TriviaOf(b)
		found, _ := notices(f.Native, around.Lead, around.Start)
		for _, c := range found {
			for _, m := range mentions(string(f.Native[c.Start:c.End]), c.Start) {
				visit(b, m)
			}
		}
	}
}

// mentions lists those in a notice that starts at an offset.
func mentions(text string, start int) []Mention {
	var list []Mention
	file, isName := "", false
	for at := len(noticeStart); at < len(text); at++ {
		switch text[at] {
		case '(', ')':
			isName = text[at] == '('
		case ' ', ',':
		default:
			word := mentioned().FindString(text[at:])
			if word == "" {
				return list
			}
			m := Mention{File: file, Name: unquoted(word), From: start + at, To: start + at + len(word)}
			if !isName {
				file = m.Name
				m.File, m.Name = file, ""
			}
			list = append(list, m)
			at += len(word) - 1
		}
	}
	return list
}

// unquoted is a word of a notice as it is called.
func unquoted(word string) string {
	if strings.HasPrefix(word, `"`) {
		if text, err := strconv.Unquote(word); err == nil {
			return text
		}
	}
	return word
}
