package wording

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// whereDifferent words where two texts begin to differ that are too long to be shown: " (differs
// from line 3 on)". The lines of a heredoc count without its marker, as those of its size do.
func whereDifferent(before, after []byte) string {
	old, later := bytes.Split(before, []byte("\n")), bytes.Split(after, []byte("\n"))
	if len(old) == 1 && len(later) == 1 {
		return whereInLine(before, after)
	}
	first := 1
	isHeredoc := bytes.HasPrefix(before, []byte("<<")) && bytes.HasPrefix(after, []byte("<<"))
	if isHeredoc {
		first = 0
	}
	for i := range min(len(old), len(later)) {
		a, b := bytes.TrimRight(old[i], "\r"), bytes.TrimRight(later[i], "\r")
		if isHeredoc { // whose indentation may be none of the value
			a, b = bytes.TrimLeft(a, " \t"), bytes.TrimLeft(b, " \t")
		}
		if !bytes.Equal(a, b) && i+first > 0 {
			return fmt.Sprintf(" (differs from line %d on)", i+first)
		}
	}
	return ""
}

func whereInLine(before, after []byte) string {
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	if same == len(before) && same == len(after) {
		return ""
	}
	for same > 0 && same < len(before) && !utf8.RuneStart(before[same]) {
		same--
	}
	return fmt.Sprintf(" (differs from column %d on)", utf8.RuneCount(before[:same])+1)
}
