package terminal

import (
	"bytes"
	"io"

	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// highlightJSON returns a writer that colours the JSON it gets, which may come in any pieces, and
// writes it to w.
func highlightJSON(w io.Writer, colors screen.Palette) io.Writer {
	return &jsonWriter{to: w, inks: colors.Inks()}
}

// A jsonWriter knows where in a JSON text it is.
type jsonWriter struct {
	to   io.Writer
	inks screen.Inks
	out  bytes.Buffer

	objects []bool       // of the arrays and objects that are open: it is an object
	isName  bool         // the next string is the name of a member
	class   screen.Class // of the token that is open
	escaped bool         // the next character of the string stands behind a backslash
}

// Write implements io.Writer.
func (j *jsonWriter) Write(text []byte) (int, error) {
	j.out.Reset()
	for _, c := range text {
		switch {
		case j.class == screen.Name || j.class == screen.String:
			j.inString(c)
			continue
		case j.class == screen.Literal && isLiteral(c):
			j.out.WriteByte(c)
			continue
		}
		j.enter(screen.Other)
		switch {
		case c == '"' && j.isName:
			j.enter(screen.Name)
		case c == '"':
			j.enter(screen.String)
		case isLiteral(c):
			j.enter(screen.Literal)
		default:
			j.punctuation(c)
		}
		j.out.WriteByte(c)
	}
	if _, err := j.to.Write(j.out.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// inString writes a character of a string.
func (j *jsonWriter) inString(c byte) {
	j.out.WriteByte(c)
	switch {
	case j.escaped:
		j.escaped = false
	case c == '\\':
		j.escaped = true
	case c == '"':
		j.enter(screen.Other)
	}
}

// punctuation tracks the open brackets, and whether a name is next.
func (j *jsonWriter) punctuation(c byte) {
	switch c {
	case '{', '[':
		j.objects = append(j.objects, c == '{')
		j.isName = c == '{'
	case '}', ']':
		j.objects = j.objects[:max(0, len(j.objects)-1)]
		j.isName = false
	case ',':
		j.isName = len(j.objects) > 0 && j.objects[len(j.objects)-1]
	case ':':
		j.isName = false
	}
}

// enter ends the token that is open, and starts one.
func (j *jsonWriter) enter(class screen.Class) {
	if class == j.class {
		return
	}
	j.out.WriteString(j.inks[j.class].Off)
	j.out.WriteString(j.inks[class].On)
	j.class = class
}

// isLiteral reports whether a character is part of a number or a word.
func isLiteral(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E'
}
