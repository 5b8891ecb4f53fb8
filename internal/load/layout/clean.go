package layout

import "bytes"

// isPlainlyClean reports whether text is surely laid out as the formatter does it. It
// knows lines of the usual forms, and values that are on one line. Of other texts it says
// nothing.
//
//	resource "aws_instance" "web" {
//	  # for the shop
//	  ami  = "ami-0abc" # golden
//	  tags = [local.a, local.b]
//	  labels = {
//	    Owner = "shop"
//	  }
//	}
func isPlainlyClean(text []byte) bool {
	c := cleanLines{}
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if !c.line(line) {
			return false
		}
		if c.marker != nil {
			if rest = behindHeredoc(rest, c.marker); rest == nil {
				return false
			}
			c.marker = nil
		}
		text = rest
	}
	return c.equals.end() && c.comments.end()
}

// A cleanLines follows the lines of a text.
type cleanLines struct {
	depth    int
	marker   []byte // of a heredoc that the line begins
	equals   column // of arguments of one line each
	comments column // behind lines
}

// A column is where the equals signs or the comments of lines that follow each other are:
// one blank behind the longest of what is before them.
type column struct{ at, longest int }

// add takes up a line, and reports whether its sign is in the column.
func (c *column) add(before, at int) bool {
	if c.longest > 0 && at != c.at {
		return false
	}
	c.at, c.longest = at, max(c.longest, before)
	return true
}

// end reports whether the column is where it should be, and starts another.
func (c *column) end() bool {
	aligned := c.longest == 0 || c.at == c.longest+1
	*c = column{}
	return aligned
}

// line reports whether a line is clean where it is.
func (c *cleanLines) line(line []byte) bool {
	if len(line) == 0 {
		return c.equals.end() && c.comments.end()
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
	n, isArgument := 0, false
	switch {
	case indent != 2*c.depth:
		return false
	case isComment(content):
		return c.equals.end() && c.comments.end()
	case closes:
		n = 1 + len(content[1:]) - len(bytes.TrimPrefix(content[1:], []byte(",")))
	default:
		n, isArgument = c.content(content)
	}
	return n > 0 && (isArgument || c.equals.end()) && c.comment(line, indent+n)
}

// isComment reports whether a line is a comment as a whole.
func isComment(content []byte) bool {
	if content[0] == '#' || bytes.HasPrefix(content, []byte("//")) {
		return true
	}
	return len(content) >= len("/**/") && bytes.HasPrefix(content, []byte("/*")) &&
		bytes.Index(content[2:], []byte("*/")) == len(content)-4
}

// comment reports whether the comment is clean that is behind a line, if there is one.
func (c *cleanLines) comment(line []byte, end int) bool {
	behind := bytes.TrimLeft(line[end:], " ")
	if len(behind) == 0 {
		return end == len(line) && c.comments.end()
	}
	at := len(line) - len(behind)
	return at > end && isASCII(line[:end]) && c.marker == nil &&
		(behind[0] == '#' || bytes.HasPrefix(behind, []byte("//"))) && c.comments.add(end, at)
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// content is how long the clean form is that the content of a line has, but for what may
// be a comment behind it. An argument of one line belongs to a column.
func (c *cleanLines) content(line []byte) (n int, isArgument bool) {
	name := word(line)
	rest := line[name:]
	if name == 0 || len(rest) > 0 && bytes.IndexByte([]byte(".[("), rest[0]) >= 0 {
		return element(line), false
	}
	blanks := len(rest) - len(bytes.TrimLeft(rest, " "))
	switch rest = rest[blanks:]; {
	case blanks == 0:
		return element(line), false
	case !bytes.HasPrefix(rest, []byte("= ")):
		return c.header(line, name), false
	}
	at, value := name+blanks, rest[2:]
	if len(value) > 0 && (value[0] == '{' || value[0] == '[') && opensLines(value[1:]) {
		c.depth++
		if blanks != 1 {
			return 0, false
		}
		return at + 3, false
	}
	length := 0
	if marker, ok := heredocMarker(value); ok {
		c.marker, length = marker, len(value)
	} else if length, ok = plainValue(value, 0); !ok {
		return 0, false
	}
	if !c.equals.add(name, at) {
		return 0, false
	}
	return at + 2 + length, true
}

// element is how long the element of a list is that a line begins with.
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

// opensLines reports whether nothing but perhaps a comment is behind an opening bracket.
func opensLines(behind []byte) bool {
	behind = bytes.TrimLeft(behind, " ")
	return len(behind) == 0 || behind[0] == '#' || bytes.HasPrefix(behind, []byte("//"))
}

// header is how long the header of a block is whose type ends at n.
func (c *cleanLines) header(line []byte, n int) int {
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

// word is how long the name or the plain string is that text begins with, or 0.
func word(text []byte) int {
	n := 0
	if text[0] != '"' {
		for n < len(text) && isInName(text[n]) {
			n++
		}
		if text[0] == '-' || isDigit(text[0]) || string(text[:n]) == "in" {
			return 0
		}
		return n
	}
	for n = 1; n < len(text) && text[n] >= ' ' && text[n] <= '~'; n++ {
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

// heredocMarker is the marker of the heredoc that a value begins.
func heredocMarker(value []byte) (marker []byte, ok bool) {
	if !bytes.HasPrefix(value, []byte("<<")) {
		return nil, false
	}
	marker = bytes.TrimPrefix(value[2:], []byte("-"))
	return marker, len(marker) > 0 && marker[0] != '"' && word(marker) == len(marker)
}

// behindHeredoc is the text behind the line that closes a heredoc, or nil where it holds
// more than text and interpolated values.
func behindHeredoc(text, marker []byte) []byte {
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

// isPlainTemplate reports whether a line of a heredoc holds no more than text and
// interpolated values.
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
