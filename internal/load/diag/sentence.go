package diag

import "strings"

// EndOfSentence is where the full stop of the first sentence of a text is, or the end of a text
// without one. The dots of names are followed by no blank and capital.
func EndOfSentence(text string) int {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '.')
		if i < 0 {
			return len(text)
		}
		at += i + 1
		rest := text[at:]
		if rest == "" || len(rest) > 1 && rest[0] == ' ' && rest[1] >= 'A' && rest[1] <= 'Z' {
			return at - 1
		}
	}
}

// Joined lists words as a sentence does: "a, b or c".
func Joined(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
