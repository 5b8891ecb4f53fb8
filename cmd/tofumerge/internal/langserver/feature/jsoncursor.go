package feature

import (
	"bytes"
	"encoding/json"
	"slices"
)

// The cursor in JSON that may be incomplete: the objects around it, and whether it is at the
// name of a property.

// A jsonCursor is a position at which the name of a property may be written.
type jsonCursor struct {
	around   []*jsonFrame // the objects around the cursor, the outermost first
	from, to int          // extent of the name with its quotes, which completion replaces
	word     string       // the name up to the cursor, without the quote
	isQuoted bool
	hasValue bool // a colon follows
	isBefore bool // another property follows, without a comma before it
	comma    int  // offset at which a comma is missing before the name, or -1
}

// A jsonFrame is an object or an array.
type jsonFrame struct {
	key     string // name of the property whose value it is, or is in
	isArray bool
	has     map[string]bool // the properties of an object
	state   jsonState
	name    string // of the current property
	ended   int    // end of the last value
}

// A jsonState determines the next token in an object or an array.
type jsonState int

const (
	nextName jsonState = iota
	nextColon
	nextValue
	nextComma
)

// jsonCursorAt returns the cursor at an offset. It fails if no name can be written there.
func jsonCursorAt(src []byte, offset int) (c jsonCursor, ok bool) {
	r := &jsonReader{src: src, frames: []*jsonFrame{{isArray: true, state: nextValue}}}
	c = jsonCursor{from: offset, to: offset, comma: -1}
	for r.at < offset {
		start := r.at
		isText := src[start] == '"'
		r.token()
		if r.at < offset || r.at == offset && (!isText || r.isClosed) && !isBare(src[start]) {
			continue
		}
		// The cursor is in a string or a word, or at the end of a word.
		if r.was != nextName && r.was != nextComma || !isText && !isBare(src[start]) {
			return c, false
		}
		c.from, c.to, c.isQuoted = start, r.at, isText
		if isText && (!r.isClosed || bytes.ContainsAny(src[offset:r.at], ":,{}[]") && nextByte(src, r.at) != ':') {
			c.to = offset // the closing quote opens the next string
		}
		c.word = string(src[start:offset])
		if isText {
			c.word = c.word[1:]
		}
		r.restore()
		break
	}
	for _, f := range r.frames {
		if !f.isArray {
			c.around = append(c.around, f)
		}
	}
	inner := r.frames[len(r.frames)-1]
	switch {
	case inner.isArray, inner.state != nextName && inner.state != nextComma:
		return c, false
	case inner.state == nextComma && !c.isQuoted && c.word == "" && !slices.Contains(src[inner.ended:offset], '\n'):
		return c, false // only a comma belongs here
	case inner.state == nextComma:
		c.comma = inner.ended
	}
	c.look(src, inner)
	return c, true
}

// look reads the rest of the object around the name.
func (c *jsonCursor) look(src []byte, inner *jsonFrame) {
	rest := &jsonReader{src: src, at: c.to, frames: []*jsonFrame{{isArray: true}, inner}}
	next := nextByte(src, c.to)
	c.hasValue, c.isBefore = next == ':', next == '"'
	inner.state = nextName
	if c.hasValue {
		inner.state = nextColon
		inner.name = "" // it is being written
	}
	for rest.at < len(src) && len(rest.frames) > 1 {
		rest.token()
	}
	delete(inner.has, "")
}

// path returns the names of the properties around the cursor.
func (c *jsonCursor) path() []string {
	var path []string
	for _, f := range c.around[1:] {
		path = append(path, f.key)
	}
	return path
}

// A jsonReader tracks the objects and arrays of a text. It skips invalid text.
type jsonReader struct {
	src      []byte
	at       int
	frames   []*jsonFrame
	isClosed bool // the last string has its closing quote
	// was is the state before the last token, and earlier the frame.
	was     jsonState
	earlier jsonFrame
	added   string // name that the last token added to the frame
}

// restore undoes the last token, which was a string or a word.
func (r *jsonReader) restore() {
	inner := r.frames[len(r.frames)-1]
	*inner = r.earlier
	delete(inner.has, r.added)
}

// nextByte returns the first byte after an offset that is not blank, or 0.
func nextByte(src []byte, at int) byte {
	for ; at < len(src); at++ {
		if src[at] > ' ' {
			return src[at]
		}
	}
	return 0
}

// isBare reports whether a byte may be part of a number, or of a word without quotes.
func isBare(b byte) bool { return isNamePart(b) || b == '.' || b == '+' }

// token reads a token or a blank.
func (r *jsonReader) token() {
	inner := r.frames[len(r.frames)-1]
	r.was, r.earlier, r.added = inner.state, *inner, ""
	start := r.at
	r.at++
	switch b := r.src[start]; {
	case b == '{' || b == '[':
		key := inner.name
		if inner.isArray {
			key = inner.key
		}
		made := &jsonFrame{key: key, isArray: b == '['}
		if made.isArray {
			made.state = nextValue
		} else {
			made.has = map[string]bool{}
		}
		r.frames = append(r.frames, made)
	case b == '}' || b == ']':
		if len(r.frames) > 1 {
			r.frames = r.frames[:len(r.frames)-1]
			r.value(r.frames[len(r.frames)-1])
		}
	case b == ':' && inner.state == nextColon:
		inner.state = nextValue
	case b == ',':
		inner.state = nextName
		if inner.isArray {
			inner.state = nextValue
		}
	case b == '"':
		r.text(inner, start)
	case isBare(b):
		for r.at < len(r.src) && isBare(r.src[r.at]) {
			r.at++
		}
		r.value(inner)
	}
}

// value is called at the end of a value.
func (r *jsonReader) value(f *jsonFrame) { f.state, f.ended = nextComma, r.at }

// text reads a string. Without a closing quote, it ends with its line.
func (r *jsonReader) text(f *jsonFrame, start int) {
	r.isClosed = false
	for r.at < len(r.src) && r.src[r.at] != '\n' && r.src[r.at] != '\r' {
		b := r.src[r.at]
		r.at++
		if b == '\\' && r.at < len(r.src) && r.src[r.at] >= ' ' {
			r.at++
		}
		if b == '"' {
			r.isClosed = true
			break
		}
	}
	if f.isArray || f.state == nextValue {
		r.value(f)
		return
	}
	f.name = ""
	_ = json.Unmarshal(r.src[start:r.at], &f.name)
	if !f.has[f.name] {
		r.added = f.name
	}
	f.has[f.name] = true
	f.state = nextColon
}
