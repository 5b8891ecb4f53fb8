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

// plainRefs yields the references that the value surely has, each as its root and an attribute of
// it, such as var and name.
func (a *Attr) plainRefs(yield func(root, attr string) bool) {
	text, isCode := a.plainCode(), true
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case c == '"':
			isCode = !isCode
		case isCode && startsName(c):
			end := nameEnd(text, at)
			if end+1 < len(text) && text[end] == '.' && startsName(text[end+1]) && !endsInName(text[:at]) {
				last := nameEnd(text, end+1)
				if (last == len(text) || isPlainlyBehind(text[last])) && !yield(string(text[at:end]), string(text[end+1:last])) {
					return
				}
			}
			at = end - 1
		}
	}
}

// nameEnd is where the name at an offset of a text ends.
func nameEnd(text []byte, at int) int {
	for at < len(text) && (startsName(text[at]) || continuesName(text[at])) {
		at++
	}
	return at
}

// PlainlyRefers reports whether the value surely refers to something, such as var.name. A false
// result proves nothing.
func (a *Attr) PlainlyRefers() bool {
	if bytes.IndexByte(a.Unparsed(), '{') >= 0 {
		return false // it may be the key of an object
	}
	for root := range a.plainRefs {
		if root != "true" && root != "false" && root != "null" {
			return true
		}
	}
	return false
}

// PlainlyRefersTo reports whether the value surely refers to an attribute of a root, such as
// var.name. A false result proves nothing.
func (a *Attr) PlainlyRefersTo(root, attr string) bool {
	for r, at := range a.plainRefs {
		if r == root && at == attr {
			return true
		}
	}
	return false
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

// isPlainlyBehind reports whether a byte behind a name of ASCII surely ends a reference.
func isPlainlyBehind(c byte) bool { return c < 0x80 && c != ':' && c != '(' }
