package source

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// Remarks are the values of the comment properties at the root of a JSON file.
func (f *File) Remarks() [][]byte { return f.rawTexts(f.remarks) }

// RemarksAt returns the ranges of Remarks in Raw.
func (f *File) RemarksAt() [][2]uint32 { return f.remarks }

// rawTexts are stretches of Raw.
func (f *File) rawTexts(places [][2]uint32) [][]byte {
	var texts [][]byte
	for _, at := range places {
		texts = append(texts, f.Raw[at[0]:at[1]])
	}
	return texts
}

// AddRemark records the range of a comment property's value at the root. A range that was recorded
// before is skipped.
func (f *File) AddRemark(at [2]uint32) {
	if n := len(f.remarks); n == 0 || f.remarks[n-1][0] < at[0] {
		f.remarks = append(f.remarks, at)
	}
}

// HasBOM reports whether the file starts with a UTF-8 byte order mark.
func (f *File) HasBOM() bool {
	return bytes.HasPrefix(f.Raw, spelling.UTF8BOM)
}

// LineEndOf is the line end that most lines of a text have, LF where it has none.
func LineEndOf(src []byte) string {
	crlf := bytes.Count(src, []byte("\r\n"))
	if crlf*2 > bytes.Count(src, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}
