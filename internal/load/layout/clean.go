package layout

import "bytes"

// plainly formats text in which nothing but the alignment of columns may be wrong. It reads the
// usual forms of lines, with values on one line, and reports false for any other text. It
// returns clean text itself, not a copy.
//
//	resource "aws_instance" "web" {
//	  # for the shop
//	  ami  = "ami-0abc" # golden
//	  tags = [local.a, local.b]
//	  labels = {
//	    Owner = "shop"
//	  }
//	}
func plainly(text []byte) (laid []byte, ok bool) {
	c := plainLines{}
	for at := 0; at < len(text); {
		line, rest, _ := bytes.Cut(text[at:], []byte("\n"))
		c.rows = append(c.rows, row{start: at})
		if !c.line(line, &c.rows[len(c.rows)-1]) {
			return nil, false
		}
		if c.marker != nil {
			if rest = afterHeredoc(rest, c.marker); rest == nil {
				return nil, false
			}
			c.marker = nil
		}
		at = len(text) - len(rest)
	}
	return inColumns(text, c.rows), true
}

// plainLines reads the lines of a text.
type plainLines struct {
	depth  int    // of blocks and brackets that span lines
	marker []byte // of the heredoc that starts on the line
	rows   []row
}

// line reads a line and reports whether nothing but its columns may be wrong.
func (c *plainLines) line(line []byte, r *row) bool {
	if len(line) == 0 {
		return true
	}
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	if indent == len(line) {
		return false
	}
	content := line[indent:]
	closes := content[0] == '}' || content[0] == ']'
	if closes {
		c.depth--
	}
	n := 0
	switch {
	case indent != 2*c.depth:
		return false
	case isComment(content):
		return true
	case closes:
		n = 1 + len(content[1:]) - len(bytes.TrimPrefix(content[1:], []byte(",")))
	default:
		n = c.content(content, indent, r)
	}
	return n > 0 && c.comment(line, indent+n, r)
}

// isComment reports whether the whole line is a comment.
func isComment(content []byte) bool {
	if content[0] == '#' || bytes.HasPrefix(content, []byte("//")) {
		return true
	}
	return len(content) >= len("/**/") && bytes.HasPrefix(content, []byte("/*")) &&
		bytes.Index(content[2:], []byte("*/")) == len(content)-4
}

// comment reads the comment after the content of a line, which ends at end, if there is one.
// It reports false for anything else, and for lines whose columns it can't count.
func (c *plainLines) comment(line []byte, end int, r *row) bool {
	r.end = end
	after := bytes.TrimLeft(line[end:], " ")
	if len(after) == 0 {
		return end == len(line)
	}
	r.comment = len(line) - len(after)
	return r.comment > end && isASCII(line[:end]) && c.marker == nil &&
		(after[0] == '#' || bytes.HasPrefix(after, []byte("//")))
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// content returns the length of the content of a line after its indentation, without the
// comment that may follow, or 0 if it isn't clean. It adds arguments of one line to the
// column.
func (c *plainLines) content(line []byte, indent int, r *row) int {
	name := word(line)
	rest := line[name:]
	if name == 0 || len(rest) > 0 && bytes.IndexByte([]byte(".[("), rest[0]) >= 0 {
		return element(line)
	}
	blanks := len(rest) - len(bytes.TrimLeft(rest, " "))
	switch rest = rest[blanks:]; {
	case blanks == 0:
		return element(line)
	case !bytes.HasPrefix(rest, []byte("= ")):
		return c.header(line, name)
	}
	at, value := name+blanks, rest[2:]
	if len(value) > 0 && (value[0] == '{' || value[0] == '[') && opensLines(value[1:]) {
		c.depth++
		if blanks != 1 {
			return 0
		}
		return at + 3
	}
	length := 0
	if marker, ok := heredocMarker(value); ok {
		c.marker, length = marker, len(value)
	} else if length, ok = plainValue(value, 0); !ok {
		return 0
	}
	r.name, r.equals = indent+name, indent+at
	return at + 2 + length
}

// element returns the length of the list element, with its comma, at the start of a line, or 0.
func element(line []byte) int {
	n, ok := plainValue(line, 0)
	if !ok {
		return 0
	}
	if n < len(line) && line[n] == ',' {
		n++
	}
	return n
}

// opensLines reports whether nothing follows an opening bracket on its line, except perhaps a
// comment.
func opensLines(after []byte) bool {
	after = bytes.TrimLeft(after, " ")
	return len(after) == 0 || after[0] == '#' || bytes.HasPrefix(after, []byte("//"))
}

// header returns the length of the block header, with its brace, at the start of a line, or 0.
// Its type ends at n.
func (c *plainLines) header(line []byte, n int) int {
	for n+1 < len(line) && line[n] == ' ' {
		n++
		if line[n] == '{' {
			c.depth++
			return n + 1
		}
		label := word(line[n:])
		if label == 0 {
			return 0
		}
		n += label
	}
	return 0
}

// word returns the length of the name, or of the string without escapes and templates, at the
// start of text, or 0.
func word(text []byte) int {
	if text[0] != '"' {
		return name(text)
	}
	for n := 1; n < len(text) && text[n] >= ' ' && text[n] <= '~'; n++ {
		switch text[n] {
		case '"':
			return n + 1
		case '\\', '$', '%':
			return 0
		}
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isInName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || isDigit(c)
}

// heredocMarker returns the marker of a value that is a heredoc.
func heredocMarker(value []byte) (marker []byte, ok bool) {
	if !bytes.HasPrefix(value, []byte("<<")) {
		return nil, false
	}
	marker = bytes.TrimPrefix(value[2:], []byte("-"))
	return marker, len(marker) > 0 && marker[0] != '"' && word(marker) == len(marker)
}

// afterHeredoc returns the text after the line that closes a heredoc, or nil if the heredoc has
// anything but text and interpolations.
func afterHeredoc(text, marker []byte) []byte {
	for len(text) > 0 {
		line, rest, found := bytes.Cut(text, []byte("\n"))
		switch {
		case !found:
			return nil
		case bytes.Equal(bytes.TrimSpace(line), marker):
			if bytes.HasSuffix(line, []byte(" ")) || bytes.IndexByte(line, '\r') >= 0 {
				return nil
			}
			return rest
		case !isPlainTemplate(line):
			return nil
		}
		text = rest
	}
	return nil
}

// isPlainTemplate reports whether a line of a heredoc has nothing but text and interpolations.
func isPlainTemplate(line []byte) bool {
	for n := 0; n < len(line); n++ {
		if line[n] != '$' && line[n] != '%' {
			continue
		}
		value := interpolated(line[n:], 0)
		if value == 0 {
			return false
		}
		n += value - 1
	}
	return true
}
