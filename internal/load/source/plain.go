package source

import "bytes"

// Some questions about a value are answered by its text, which takes far less time than to parse
// it. If the text leaves a doubt, so does the answer.

// Unparsed is the text of the value if nothing else determines the value, otherwise nil.
func (a *Attr) Unparsed() []byte {
	if a.rarely().expr != nil || a.Origin() != nil || a.File.Syntax != Native || a.File.Parsed {
		return nil
	}
	return a.value.Of(a.File.Native)
}

// PlainText is the value, and whether it is surely a string in quotes that stands for itself.
func (a *Attr) PlainText() (text []byte, ok bool) {
	quoted := a.Unparsed()
	n := len(quoted)
	if n < 2 || quoted[0] != '"' || quoted[n-1] != '"' || !isPlain(quoted[1:n-1]) {
		return nil, false
	}
	return quoted[1 : n-1], true
}

// plainCode is the text of the value, if every name in it that is not in quotes is one of an
// expression, else nil.
func (a *Attr) plainCode() []byte {
	text := a.Unparsed()
	for _, doubtful := range []string{`\`, "${", "%{", "<<", "#", "//", "/*", "for"} {
		if bytes.Contains(text, []byte(doubtful)) {
			return nil // the rest may be text, or another object of that name
		}
	}
	return text
}

// PlainlyRefers reports whether the value surely refers to something, such as var.name. A false
// result proves nothing.
func (a *Attr) PlainlyRefers() bool {
	text := a.plainCode()
	if bytes.IndexByte(text, '{') >= 0 {
		return false // it may be the key of an object
	}
	isCode := true
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case c == '"':
			isCode = !isCode
		case isCode && startsName(c):
			end := at + 1
			for end < len(text) && (startsName(text[end]) || continuesName(text[end])) {
				end++
			}
			isStep := end+1 < len(text) && text[end] == '.' && startsName(text[end+1])
			if isStep && !isKeyword(text[at:end]) && !endsInName(text[:at]) {
				return true
			}
			at = end - 1
		}
	}
	return false
}

// isKeyword reports whether a name is a constant's.
func isKeyword(name []byte) bool {
	switch string(name) {
	case "true", "false", "null":
		return true
	}
	return false
}

// PlainlyRefersTo reports whether the value surely refers to an attribute of a root, such as
// var.name. It only looks at the text, so a false result proves nothing.
func (a *Attr) PlainlyRefersTo(root, attr string) bool {
	text := a.plainCode()
	if text == nil {
		return false
	}
	want := []byte(root + "." + attr)
	for at := 0; ; {
		n := bytes.Index(text[at:], want)
		if n < 0 {
			return false
		}
		at += n
		before, behind := text[:at], text[at+len(want):]
		isCode := bytes.Count(before, []byte(`"`))%2 == 0
		if isCode && !endsInName(before) && (len(behind) == 0 || isPlainlyBehind(behind[0])) {
			return true
		}
		at++
	}
}

// endsInName reports whether a text ends in a name or a step that the following text may continue.
func endsInName(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r\n")
	if len(text) == 0 {
		return false
	}
	c := text[len(text)-1]
	return c == '.' || c == ':' || c >= 0x80 || startsName(c) || continuesName(c)
}

// isPlainlyBehind reports whether a byte ends a name, which may hold letters beyond ASCII.
func isPlainlyBehind(c byte) bool {
	return c < 0x80 && c != ':' && c != '(' && !startsName(c) && !continuesName(c)
}
