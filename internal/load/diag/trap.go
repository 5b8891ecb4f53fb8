package diag

import "strings"

// TrapOfName is a sentence, to be appended to others, about a file that is an override file
// because of its name. Its author may not know that.
func TrapOfName(name string) string {
	return " The name " + FileName(name) + " makes this an override file; to declare this here, rename the file."
}

// WithoutTrap returns a text about a file without the sentence of TrapOfName.
func WithoutTrap(name, text string) string { return strings.TrimSuffix(text, TrapOfName(name)) }

// Traps are the files for which the sentence of TrapOfName was printed. Every text about such a
// file ends in it, because each may be printed alone; texts printed together would repeat it.
type Traps map[string]bool

// Once returns a text about a file, without the sentence if an earlier text about the file
// ended in it.
func (t Traps) Once(name, text string) string {
	rest, isTrap := strings.CutSuffix(text, TrapOfName(name))
	if isTrap && t[name] {
		return rest
	}
	if isTrap {
		t[name] = true
	}
	return text
}
