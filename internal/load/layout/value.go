package layout

import "bytes"

// The functions in this file return the length of something at the start of text, or 0 if it
// isn't there or isn't certainly formatted as the formatter would.

// maxNesting is how deep brackets may nest in a plain value.
const maxNesting = 10

// valueLen returns the length of the value at the start of text: operands with operators between them. ok is
// false if that isn't correctly formatted. depth counts the brackets around it.
func valueLen(text []byte, depth int) (n int, ok bool) {
	for {
		term := termLen(text[n:], depth)
		if term == 0 {
			return n, false
		}
		n += term
		op := operatorLen(text[n:])
		if op == 0 {
			return n, true
		}
		n += op
	}
}

// operators are the operators with two or three operands, each with its blanks. Minus is missing,
// because the blanks around it depend on the preceding token.
var operators = []string{" == ", " != ", " < ", " > ", " <= ", " >= ", " && ", " || ", " + ", " * ", " / ", " % ", " ? ", " : "}

// operatorLen returns the length of the operator at the start of text, with its blanks, or 0.
func operatorLen(text []byte) int {
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

// termLen returns the length of the operand at the start of text, or 0 if it isn't correctly formatted. depth
// counts the brackets around it.
func termLen(text []byte, depth int) int {
	if len(text) == 0 || depth > maxNesting {
		return 0
	}
	switch c := text[0]; {
	case c == '"':
		return quotedLen(text, depth)
	case c == '[':
		return listLen(text, ']', depth)
	case c == '{':
		return objectLen(text, depth)
	case isDigit(c):
		return digitsLen(text)
	case c == '-' && len(text) > 1 && isDigit(text[1]):
		return 1 + digitsLen(text[1:])
	}
	return referenceLen(text, depth)
}

// digitsLen returns the number of digits at the start of text.
func digitsLen(text []byte) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// referenceLen returns the length of the reference or function call at the start of text, such as f(a).b[0].
// It's 0 if that isn't correctly formatted.
func referenceLen(text []byte, depth int) int {
	n := nameLen(text)
	if n == 0 {
		return 0
	}
	if n < len(text) && text[n] == '(' {
		call := listLen(text[n:], ')', depth)
		if call == 0 {
			return 0
		}
		n += call
	}
	for n < len(text) {
		step := 0 // the length of .name or [index]; 0 if it isn't plain
		switch text[n] {
		case '.':
			if step = nameLen(text[n+1:]); step > 0 {
				step++
			}
		case '[':
			step = indexLen(text[n:])
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

// nameLen returns the length of the name at the start of text, or 0. The word "in" doesn't count: as a name it has no
// blank before a bracket, as in in[y], but in a for expression it has: for x in [y].
func nameLen(text []byte) int {
	n := 0
	for n < len(text) && isInName(text[n]) {
		n++
	}
	if n == 0 || text[0] == '-' || isDigit(text[0]) || string(text[:n]) == "in" {
		return 0
	}
	return n
}

// indexLen returns the length of the index at the start of text, [0], [*] or ["a"], or 0 if there is another
// one.
func indexLen(text []byte) int {
	key := 0
	switch rest := text[1:]; {
	case len(rest) == 0:
	case rest[0] == '*':
		key = 1
	case rest[0] == '"':
		key = wordLen(rest)
	default:
		key = digitsLen(rest)
	}
	n := 1 + key
	if key == 0 || n >= len(text) || text[n] != ']' {
		return 0
	}
	return n + 1
}

// listLen returns the length of the list at the start of text, which is in brackets or parentheses, up to and
// with the closing one. It's 0 if the list isn't correctly formatted on one line.
func listLen(text []byte, closing byte, depth int) int {
	if len(text) > 1 && text[1] == closing {
		return 2
	}
	for n := 1; ; {
		value, ok := valueLen(text[n:], depth+1)
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
		n += 2 // ", "
	}
}

// objectLen returns the length of the object constructor at the start of text, { a = 1, b = 2 }, or 0 if that
// isn't correctly formatted on one line.
func objectLen(text []byte, depth int) int {
	if bytes.HasPrefix(text, []byte("{}")) {
		return 2
	}
	for n := 1; n < len(text) && text[n] == ' '; {
		n++
		if n == len(text) {
			return 0
		}
		key := wordLen(text[n:])
		n += key
		if key == 0 || !bytes.HasPrefix(text[n:], []byte(" = ")) {
			return 0
		}
		n += 3 // " = "
		value, ok := valueLen(text[n:], depth+1)
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

// quotedLen returns the length of the quoted template at the start of text, with its quotes, or 0 if an
// interpolation in it isn't correctly formatted.
func quotedLen(text []byte, depth int) int {
	for n := 1; n < len(text); n++ {
		switch c := text[n]; {
		case c == '"':
			return n + 1
		case c == '\\':
			n++
		case c < ' ':
			return 0
		case c == '$' || c == '%':
			value := interpolationLen(text[n:], depth)
			if value == 0 {
				return 0
			}
			n += value - 1
		}
	}
	return 0
}

// interpolationLen returns the length of the interpolation at the start of text, ${…}, or 1 for a $ or % that
// is text. It returns 0 if the formatter might change the interpolation: it puts a blank between the braces
// and an object, and after a minus at the start.
func interpolationLen(text []byte, depth int) int {
	switch {
	case len(text) == 1 || text[1] == '$' || text[1] == '%': // maybe an escape, such as $${
		return 0
	case text[0] == '%' && text[1] == '{': // a directive
		return 0
	case text[1] != '{':
		return 1
	case len(text) > 2 && (text[2] == '{' || text[2] == '-'):
		return 0
	}
	value, ok := valueLen(text[2:], depth+1)
	n := 2 + value
	if !ok || n >= len(text) || text[n] != '}' || text[n-1] == '}' {
		return 0
	}
	return n + 1
}
