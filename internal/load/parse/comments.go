package parse

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A Comment is one comment. A line comment's range ends before the line end.
type Comment struct {
	Start, End int  // byte offsets in the file
	Line       bool // starts with # or //
	Alone      bool // nothing but blanks and comments before it on its line
}

// CommentsBetween lists the comments in src[from:to], which must be a gap: text between two items, before the
// first one or behind the last one.
func CommentsBetween(src []byte, from, to int) (found []Comment) {
	alone := from == 0 // elsewhere, an item may precede the gap on its line
	for at := from; at < to; {
		switch c := src[at]; {
		case c == '\n':
			alone = true
			at++
		case c == '#' || bytes.HasPrefix(src[at:to], []byte("//")):
			end := commentEnd(src, at, to)
			found = append(found, Comment{Start: at, End: end, Line: true, Alone: alone})
			at = end
		case bytes.HasPrefix(src[at:to], []byte("/*")):
			end := to
			if n := bytes.Index(src[at+2:to], []byte("*/")); n >= 0 {
				end = at + 2 + n + 2
			}
			found = append(found, Comment{Start: at, End: end, Alone: alone})
			at = end
		default:
			at++
		}
	}
	return found
}

// CommentsInside lists the comments in src[from:to], native text that starts with an item: a header, or an argument
// with its value. It uses the lexer, since a # in a string starts no comment.
func CommentsInside(src []byte, from, to int) (found []Comment) {
	text := src[from:to:to]
	if bytes.Contains(text, []byte("<<")) {
		text = append(text, '\n') // a heredoc ends with its line
	}
	alone := false // the item's first token precedes all comments
	EachToken(text, "", hcl.InitialPos, func(t hclsyntax.Token) {
		switch t.Type {
		case hclsyntax.TokenNewline:
			alone = true
		case hclsyntax.TokenComment:
			end := min(to, from+t.Range.End.Byte) // without the line end added above
			c := Comment{Start: from + t.Range.Start.Byte, End: end, Alone: alone}
			c.Line = !bytes.HasPrefix(t.Bytes, []byte("/*"))
			if c.Line { // its token includes the line end, so the next one is on a new line
				c.End, alone = commentEnd(src, c.Start, c.End), true
			}
			found = append(found, c)
		default:
			alone = false
		}
	})
	return found
}

// CommentTexts returns the comments in a text of native syntax, without line ends.
func CommentTexts(text []byte) (list []string) {
	for _, c := range CommentsInside(text, 0, len(text)) {
		list = append(list, string(text[c.Start:c.End]))
	}
	return list
}

// commentEnd returns the offset where the line comment that starts at an offset ends, without its \n or \r\n. It
// looks no further than to, which is behind the comment's # or //.
func commentEnd(src []byte, at, to int) int {
	end := to
	if n := bytes.IndexByte(src[at:to], '\n'); n >= 0 {
		end = at + n
	}
	if src[end-1] == '\r' {
		end--
	}
	return end
}

// TrailingComment returns the end of an item including the comments behind it on its last line. end is where the item
// ends, and is returned if no comment trails it; comments are those between it and the next item.
func TrailingComment(src []byte, end int, comments []Comment) int {
	for _, c := range comments {
		if bytes.IndexByte(src[end:c.Start], '\n') >= 0 {
			break // it is on a further line
		}
		end = c.End
		if c.Line {
			break // the line ends with it
		}
	}
	return end
}

// LeadingComments returns two offsets for the item that starts at the offset at. lead is where the whole-line
// comments directly above it start; start is where the comments before it on its own line start. Without such
// comments, both are at. comments are those between the preceding item and this one.
func LeadingComments(src []byte, comments []Comment, at int) (lead, start int) {
	start = at
	i := len(comments) - 1
	for ; i >= 0 && newlines(src, comments[i].End, start) == 0; i-- { // on the item's line
		start = comments[i].Start
	}
	lead = start
	for ; i >= 0; i-- { // upwards, until there is an empty line or a comment behind another item
		c := comments[i]
		if !c.Alone || newlines(src, c.End, lead) != 1 { // not on a line of its own directly above
			break
		}
		lead = c.Start
	}
	return lead, start
}

// newlines counts the line ends in src[from:to].
func newlines(src []byte, from, to int) int {
	return bytes.Count(src[from:to], []byte("\n"))
}
