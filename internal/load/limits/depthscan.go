package limits

import (
	"bytes"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// A depthScan is the linear pass over raw bytes. It knows just enough of the syntax to tell
// brackets and operators from text: quoted strings, heredocs, comments, and interpolations inside
// them. It also finds where the text can be cut into pieces that parse separately.
type depthScan struct {
	*nesting
	src   []byte
	at    int
	modes []mode // what each open level is
	// noEnd is set where no comment ends any more.
	noEnd bool
	cuts  []int
	// pieceSize is how many bytes a piece has at least.
	pieceSize int
}

// pieceSize is the usual least size of a piece, in bytes. Small pieces parse faster
// than a whole file, and their trees are garbage sooner.
const pieceSize = 2000

// A mode is the meaning of the bytes of a level.
type mode struct {
	kind   byte   // '{', '[', '(' for code, '"' for a quoted string, '<' for a heredoc
	marker []byte // of a heredoc
}

// Cuts is the part of Depth that finds cuts, for pieces of any size: it returns the offsets, each
// at the start of a line outside of everything, that cut a text into pieces of size bytes or more,
// and reports whether the text is surely not too deep. A cut may be wrong in a text with errors.
func Cuts(src []byte, size int) (cuts []int, ok bool) {
	s := newDepthScan(src)
	s.pieceSize = size
	suspect := s.run()
	return s.cuts, !suspect
}

func newDepthScan(src []byte) *depthScan {
	return &depthScan{nesting: newNesting(), src: src, modes: []mode{{kind: '{'}}, pieceSize: pieceSize}
}

// run scans to the end, or to where the text is too deep. Text that is not UTF-8 is
// suspect: the lexer takes any byte for the second one of some letters, a quote and a
// bracket as well.
func (s *depthScan) run() (suspect bool) {
	if !utf8.Valid(s.src) {
		return true
	}
	for s.at < len(s.src) {
		switch m := s.modes[len(s.modes)-1]; m.kind {
		case '"':
			s.quoted()
		case '<':
			s.heredoc(m.marker)
		default:
			s.code()
		}
		if s.tooDeep() {
			return true
		}
	}
	return false
}

// cut records a position to cut at, just behind a line end outside of all nesting.
func (s *depthScan) cut() {
	last := 0
	if len(s.cuts) > 0 {
		last = s.cuts[len(s.cuts)-1]
	}
	if s.at-last >= s.pieceSize && s.at < len(s.src) && !bytes.HasPrefix(s.src[s.at:], spelling.UTF8BOM) {
		s.cuts = append(s.cuts, s.at)
	}
}

// plain are the bytes of code that mean nothing to the scan.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = bytes.IndexByte([]byte("{}[]()\",\n#/<:?!-+*%>&|="), byte(c)) < 0
	}
	return t
}()

func (s *depthScan) push(m mode, lines bool) {
	s.modes = append(s.modes, m)
	s.open(lines)
}

func (s *depthScan) pop() {
	if len(s.modes) > 1 {
		s.modes = s.modes[:len(s.modes)-1]
		s.close()
	}
}

// code reads code up to and with the next byte that means something, or a comment.
func (s *depthScan) code() {
	for s.at < len(s.src) && plain[s.src[s.at]] {
		s.at++
	}
	if s.at == len(s.src) {
		return
	}
	c := s.src[s.at]
	s.at++
	switch c {
	case '{':
		s.push(mode{kind: '{'}, !s.mayBeFor())
	case '[', '(':
		s.push(mode{kind: c}, false)
	case ']':
		s.pop()
		s.wait(1)
	case '}', ')':
		s.pop()
	case '"':
		s.push(mode{kind: '"'}, false)
	case ',':
		s.comma()
	case '\n':
		s.newline()
		if len(s.modes) == 1 {
			s.cut()
		}
	case '#':
		s.skipLine()
	case '/':
		s.slash()
	case '<':
		s.less()
	case ':':
		if bytes.HasPrefix(s.src[s.at:], []byte(":")) {
			s.wait(1) // a namespace: its names are joined one by one
		}
	default:
		s.wait(1)
	}
}

// mayBeFor reports whether the brace just read may open a for expression, in
// which newlines end nothing. In doubt, as before a comment, it may.
func (s *depthScan) mayBeFor() bool {
	rest := bytes.TrimLeft(s.src[s.at:min(len(s.src), s.at+512)], " \t\r\n")
	return len(rest) == 0 || rest[0] == '/' || rest[0] == '#' || bytes.HasPrefix(rest, []byte("for"))
}

func (s *depthScan) skipLine() {
	if n := bytes.IndexByte(s.src[s.at:], '\n'); n >= 0 {
		s.at += n
	} else {
		s.at = len(s.src)
	}
}

func (s *depthScan) slash() {
	switch {
	case bytes.HasPrefix(s.src[s.at:], []byte("/")):
		s.skipLine()
	case bytes.HasPrefix(s.src[s.at:], []byte("*")):
		if s.noEnd {
			return
		}
		if n := bytes.Index(s.src[s.at+1:], []byte("*/")); n >= 0 {
			s.at += n + 3
		} else {
			s.noEnd = true
		}
	default:
		s.wait(1)
	}
}

// less reads the rest of a token that starts with "<": the opening of a heredoc, or an operator.
func (s *depthScan) less() {
	rest, ok := bytes.CutPrefix(s.src[s.at:], []byte("<"))
	if !ok {
		s.wait(1)
		return
	}
	end := 0
	for end < len(rest) && isPartOfName(rest[end]) {
		end++
	}
	marker := bytes.TrimPrefix(rest[:end], []byte("-"))
	behind := bytes.TrimPrefix(rest[end:], []byte("\r"))
	if !bytes.HasPrefix(behind, []byte("\n")) || !spelling.IsName(string(marker)) {
		s.wait(1) // not a heredoc, whatever the parser makes of it
		return
	}
	s.at = len(s.src) - len(behind) + 1
	s.push(mode{kind: '<', marker: marker}, false)
}

// isPartOfName reports whether a byte may be one of a heredoc's marker, or the sign before it.
func isPartOfName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || IsDigit(c) || c == '_' || c == '-' || c >= utf8.RuneSelf
}

// quoted reads on in a quoted string, to its end or to the next interpolation.
func (s *depthScan) quoted() {
	for s.at < len(s.src) {
		c := s.src[s.at]
		s.at++
		switch {
		case c == '\\':
			s.at++
		case c == '"':
			s.pop()
			return
		case (c == '$' || c == '%') && s.template(c):
			return
		}
	}
}

// heredoc reads one line of a heredoc, or the stretch of it up to an interpolation.
func (s *depthScan) heredoc(marker []byte) {
	atLineStart := s.at == 0 || s.src[s.at-1] == '\n'
	if atLineStart {
		line, _, _ := bytes.Cut(s.src[s.at:], []byte("\n"))
		if bytes.Equal(bytes.TrimSpace(line), marker) {
			s.at += len(line)
			s.pop()
			return
		}
	}
	for s.at < len(s.src) {
		c := s.src[s.at]
		s.at++
		if c == '\n' || (c == '$' || c == '%') && s.template(c) {
			return
		}
	}
}

// template opens an interpolation or directive if one starts with the byte c just read, and skips
// an escaped one.
func (s *depthScan) template(c byte) bool {
	switch {
	case s.at+1 < len(s.src) && s.src[s.at] == c && s.src[s.at+1] == '{':
		s.at += 2
		return false
	case s.at < len(s.src) && s.src[s.at] == '{':
		s.at++
		if c == '%' {
			s.wait(s.directive())
		}
		s.push(mode{kind: '('}, false)
		return true
	}
	return false
}

func (s *depthScan) directive() int {
	rest := bytes.TrimLeft(s.src[s.at:min(len(s.src), s.at+512)], "~ \t\r\n")
	switch {
	case bytes.HasPrefix(rest, []byte("end")):
		return -1
	case bytes.HasPrefix(rest, []byte("if")), bytes.HasPrefix(rest, []byte("for")):
		return 1
	}
	return 0
}
