package limits

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
)

// Reading a number takes time with the square of its digits, so that one with very
// many is refused before a parser sees it.

// JSONNumbers refuses JSON text with a number of too many digits. at returns the range of an
// offset.
func JSONNumbers(src []byte, at func([2]uint32) hcl.Range) hcl.Diagnostics {
	if longRun(src) < 0 {
		return nil
	}
	if i := jsonLongNumber(src); i >= 0 {
		return hcl.Diagnostics{longNumber(at([2]uint32{uint32(i), uint32(i + 1)}))}
	}
	return nil
}

// longRun is where the first run of more than maxDigits digits starts, or -1. It looks
// at few bytes only: every such run has one at each multiple of its length.
func longRun(src []byte) int {
	for at := maxDigits; at < len(src); at += maxDigits {
		if !IsDigit(src[at]) {
			continue
		}
		start := at
		for start > 0 && IsDigit(src[start-1]) {
			start--
		}
		end := at
		for end < len(src) && IsDigit(src[end]) {
			end++
		}
		if end-start > maxDigits {
			return start
		}
	}
	return -1
}

// jsonLongNumber is where the first such run outside of strings starts, or -1.
func jsonLongNumber(src []byte) int {
	inString := false
	for at := 0; at < len(src); at++ {
		switch c := src[at]; {
		case inString && c == '\\':
			at++
		case c == '"':
			inString = !inString
		case !inString && IsDigit(c):
			n := len(src[at:]) - len(bytes.TrimLeft(src[at:], "0123456789"))
			if n > maxDigits {
				return at
			}
			at += n - 1
		}
	}
	return -1
}

// IsDigit reports whether a byte is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }
