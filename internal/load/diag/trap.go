package diag

import "strings"

// TrapOfName warns, in a sentence that goes on after others, of a file that is an override
// file only because of how its name ends, which its author may not know.
func TrapOfName(name string) string {
	return " The name " + FileName(name) + " makes this an override file; to declare this here, rename the file."
}

// Traps are the files about which a text had the sentence of TrapOfName. Every text about such a
// file has it, since each may be shown alone; texts shown together would repeat it.
type Traps map[string]bool

// Once returns a text about a file, without the sentence if an earlier one about the file
// had it.
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
