package layout

import "bytes"

// The functions in this file return the length of something at the start of text, or 0 if it
// isn't there or isn't surely clean.

// maxNesting is how deep brackets may nest in a plain value.
const maxNesting = 10

// plainValue returns the length of the clean value at the start of text: operands, and operators between
// them.
func plainValue(text []byte, depth int) (n int, ok bool) {
	for {
		term := plainTerm(text[n:], depth)
		if term == 0 {
			return n, false
		}
		n += term
		op := operator(text[n:])
		if op == 0 {
			return n, true
		}
		n += op
	}
}

// operators are the operators with two or three operands, each with its blanks. Minus is missing,
// because the blanks around it depend on the preceding token.
var operators = []string{" == ", " != ", " < ", " > ", " <= ", " >= ", " && ", " || ", " + ", " * ", " / ", " % ", " ? ", " : "}

// operator returns the length of the operator, with its blanks, at the start of text, or 0.
func operator(text []byte) int {
	if len(text) < 3 || text[0] != ' ' {
		return 0
	}
	for _, op := range operators {
		if bytes.HasPrefix(text, []byte(op)) {
			return len(op)
		}
	}
	return 0
}

// plainTerm returns the length of the clean operand at the start of text, or 0. depth counts the brackets
// around it.
func plainTerm(text []byte, depth int) int {
	if len(text) == 0 || depth > maxNesting {
		return 0
	}
	switch c := text[0]; {
	case c == '"':
		return quoted(text, depth)
	case c == '[':
		return list(text, ']', depth)
	case c == '{':
		return object(text, depth)
	case isDigit(c):
		return digits(text)
	case c == '-' && len(text) > 1 && isDigit(text[1]):
		return 1 + digits(text[1:])
	}
	return reference(text, depth)
}

// digits returns the length of the digits at the start of text.
func digits(text []byte) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// reference returns the length of the clean reference or function call at the start of text, or 0.
func reference(text []byte, depth int) int {
	n := name(text)
	if n == 0 {
		return 0
	}
	if n < len(text) && text[n] == '(' {
		call := list(text[n:], ')', depth)
		if call == 0 {
			return 0
		}
		n += call
	}
	for n < len(text) {
		step := 0
		switch text[n] {
		case '.':
			if step = name(text[n+1:]); step > 0 {
				step++
			}
		case '[':
			step = index(text[n:])
		default:
			return n
		}
		if step == 0 {
			return 0
		}
		n += step
	}
	return n
}

// name returns the length of the name at the start of text, or 0. The word "in" isn't one, since it follows
// its own rule for blanks.
func name(text []byte) int {
	n := 0
	for n < len(text) && isInName(text[n]) {
		n++
	}
	if n == 0 || text[0] == '-' || isDigit(text[0]) || string(text[:n]) == "in" {
		return 0
	}
	return n
}

// index returns the length of the index [0], [*] or ["a"] at the start of text, or 0.
func index(text []byte) int {
	n := 1
	switch rest := text[1:]; {
	case len(rest) == 0:
	case rest[0] == '*':
		n++
	case rest[0] == '"':
		n += word(rest)
	default:
		n += digits(rest)
	}
	if n == 1 || n >= len(text) || text[n] != ']' {
		return 0
	}
	return n + 1
}

// list returns the length of the clean list in brackets or parentheses at the start of text, or 0.
func list(text []byte, closing byte, depth int) int {
	if len(text) > 1 && text[1] == closing {
		return 2
	}
	for n := 1; ; {
		value, ok := plainValue(text[n:], depth+1)
		if !ok {
			return 0
		}
		n += value
		if n < len(text) && text[n] == closing {
			return n + 1
		}
		if !bytes.HasPrefix(text[n:], []byte(", ")) {
			return 0
		}
		n += 2
	}
}

// object returns the length of the clean object constructor, on one line, at the start of text, or 0.
func object(text []byte, depth int) int {
	if bytes.HasPrefix(text, []byte("{}")) {
		return 2
	}
	for n := 1; n < len(text) && text[n] == ' '; {
		n++
		if n == len(text) {
			return 0
		}
		key := word(text[n:])
		n += key
		if key == 0 || !bytes.HasPrefix(text[n:], []byte(" = ")) {
			return 0
		}
		n += 3
		value, ok := plainValue(text[n:], depth+1)
		if !ok {
			return 0
		}
		n += value
		if bytes.HasPrefix(text[n:], []byte(" }")) {
			return n + 2
		}
		if n == len(text) || text[n] != ',' {
			return 0
		}
		n++
	}
	return 0
}

// quoted returns the length of the clean quoted template at the start of text, or 0.
func quoted(text []byte, depth int) int {
	for n := 1; n < len(text); n++ {
		switch c := text[n]; {
		case c == '"':
			return n + 1
		case c == '\\':
			n++
		case c < ' ':
			return 0
		case c == '$' || c == '%':
			value := interpolated(text[n:], depth)
			if value == 0 {
				return 0
			}
			n += value - 1
		}
	}
	return 0
}

// interpolated returns the length of the clean interpolation at the start of text, or 1 for a $ or % that
// is text, or 0. An interpolation isn't clean if it starts or ends with an object, which needs a blank in
// between, or starts with a minus, after which the formatter writes a blank.
func interpolated(text []byte, depth int) int {
	switch {
	case len(text) == 1 || text[1] == '$' || text[1] == '%' || text[0] == '%' && text[1] == '{':
		return 0
	case text[1] != '{':
		return 1
	case len(text) > 2 && (text[2] == '{' || text[2] == '-'):
		return 0
	}
	value, ok := plainValue(text[2:], depth+1)
	n := 2 + value
	if !ok || n >= len(text) || text[n] != '}' || text[n-1] == '}' {
		return 0
	}
	return n + 1
}
