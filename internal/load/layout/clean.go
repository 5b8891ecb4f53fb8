package layout

import "bytes"

// isPlainlyClean reports whether text is surely laid out as the formatter does it. It
// knows lines of the usual forms without comments behind them, and values that are on one
// line. Of other texts it says nothing.
//
//	resource "aws_instance" "web" {
//	  # for the shop
//	  ami  = "ami-0abc"
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
	return c.endRun()
}

// A cleanLines follows the lines of a text.
type cleanLines struct {
	depth  int
	marker []byte // of a heredoc that the line begins
	// The run of arguments of one line each: their equals signs are in one column, one
	// blank behind the longest name.
	column, longest int
}

// line reports whether a line is clean where it is.
func (c *cleanLines) line(line []byte) bool {
	if len(line) == 0 {
		return c.endRun()
	}
	indent := 0
	for indent < len(line) && line[indent] == ' ' {
		indent++
	}
	line = line[indent:]
	if len(line) > 0 && (line[0] == '}' || line[0] == ']') {
		c.depth--
		return indent == 2*c.depth && len(bytes.TrimSuffix(line[1:], []byte(","))) == 0 && c.endRun()
	}
	if indent != 2*c.depth || len(line) == 0 {
		return false
	}
	if line[0] == '#' || bytes.HasPrefix(line, []byte("//")) {
		return c.endRun()
	}
	n := word(line)
	if n == 0 {
		return false
	}
	return c.behindWord(line, n)
}

// behindWord reports whether a line that begins with a name or a string is clean.
func (c *cleanLines) behindWord(line []byte, n int) bool {
	rest := line[n:]
	blanks := len(rest) - len(bytes.TrimLeft(rest, " "))
	switch rest = rest[blanks:]; {
	case len(rest) == 0, len(rest) == 1 && rest[0] == ',':
		return blanks == 0 && c.endRun() // an element of a list
	case !bytes.HasPrefix(rest, []byte("= ")):
		return blanks == 1 && c.header(rest)
	}
	value := rest[2:]
	if len(value) == 1 && (value[0] == '{' || value[0] == '[') {
		c.depth++
		return blanks == 1 && c.endRun()
	}
	if marker, ok := heredocMarker(value); ok {
		c.marker = marker
	} else if !isPlainValue(value) {
		return false
	}
	return c.inRun(n, n+blanks)
}

// header reports whether what is behind the first word of a block's header is clean.
func (c *cleanLines) header(rest []byte) bool {
	for len(rest) > 0 && rest[0] != '{' {
		n := word(rest)
		if n == 0 || n == len(rest) || rest[n] != ' ' {
			return false
		}
		rest = rest[n+1:]
	}
	c.depth++
	return len(rest) == 1 && c.endRun()
}

// inRun takes up an argument whose name and equals sign end and start at these columns.
func (c *cleanLines) inRun(name, equals int) bool {
	if c.longest > 0 && equals != c.column {
		return false
	}
	c.column, c.longest = equals, max(c.longest, name)
	return true
}

// endRun reports whether the run of arguments before is aligned, and starts another.
func (c *cleanLines) endRun() bool {
	aligned := c.longest == 0 || c.column == c.longest+1
	c.column, c.longest = 0, 0
	return aligned
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

// behindHeredoc is the text behind the line that closes a heredoc, or nil where the
// heredoc may be a template.
func behindHeredoc(text, marker []byte) []byte {
	for len(text) > 0 {
		line, rest, found := bytes.Cut(text, []byte("\n"))
		switch {
		case !found || bytes.Contains(line, []byte("${")) || bytes.Contains(line, []byte("%{")):
			return nil
		case bytes.Equal(bytes.TrimSpace(line), marker):
			if bytes.HasSuffix(line, []byte(" ")) || bytes.IndexByte(line, '\r') >= 0 {
				return nil
			}
			return rest
		}
		text = rest
	}
	return nil
}
