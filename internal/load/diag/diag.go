package diag

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// Escape makes a name from a user's file or command line safe to print: characters that aren't
// printable are written as in a Go string.
func Escape(s string) string {
	if isPlain(s) {
		return s
	}
	return escape(s, runtime.GOOS == "windows")
}

// isPlain reports whether a text is printable ASCII without a backslash.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

// escape doubles no backslash on Windows, where it separates directories and no name holds
// one, or anything that isn't printable.
func escape(s string, isWindows bool) string {
	quoted := strconv.Quote(s)
	quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	if isWindows {
		quoted = strings.ReplaceAll(quoted, `\\`, `\`)
	}
	return quoted
}

// FileName is a file's name in a sentence or a mark. One that holds anything but letters,
// digits, dots, low lines and hyphens is written as a Go string, so that it can't be
// taken for anything else.
func FileName(name string) string {
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-'
	}
	isOdd := func(r rune) bool { return !isPlain(r) }
	if name == "" || strings.ContainsFunc(name, isOdd) {
		return strconv.Quote(name)
	}
	return name
}

// Path is a file's path in a sentence or a mark, with slashes; an odd one is quoted as FileName does it.
func Path(path string) string {
	if name := strings.ReplaceAll(path, "/", ""); FileName(name) != name {
		return strconv.Quote(path)
	}
	return path
}

// Place is FILE:LINE of the start of a range, the file as FileName writes it.
func Place(r hcl.Range) string { return FileName(r.Filename) + ":" + strconv.Itoa(r.Start.Line) }

// PlaceFrom is the Place of a range for a message about another one, with the column if both are in
// one line.
func PlaceFrom(from, r hcl.Range) string {
	if r.Filename == from.Filename && r.Start.Line == from.Start.Line {
		return Place(r) + ":" + strconv.Itoa(r.Start.Column)
	}
	return Place(r)
}

// SomePlaces lists the locations of some ranges for a message about another one; of more than most,
// only the first few.
func SomePlaces(from hcl.Range, ranges []hcl.Range, most int) string {
	var list []string
	for i, r := range ranges {
		if i == most {
			list = append(list, fmt.Sprintf("… %d more", len(ranges)-most))
			break
		}
		list = append(list, PlaceFrom(from, r))
	}
	return strings.Join(list, ", ")
}

func New(at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  summary,
		Detail:   fmt.Sprintf(format, args...),
		Subject:  &at,
	}
}

// Warning returns a warning about a range.
func Warning(at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	d := New(at, summary, format, args...)
	d.Severity = hcl.DiagWarning
	return d
}

func NewWith(related Related, at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	return WithRelated(related, New(at, summary, format, args...))
}

// Article is the indefinite article for the start of a sentence, before a noun or a number.
func Article(noun string) string {
	digits := noun[:len(noun)-len(strings.TrimLeft(noun, "0123456789"))]
	isTeen := len(digits)%3 == 2 && (digits[:2] == "11" || digits[:2] == "18") // also of thousands
	if strings.HasPrefix(digits, "8") || isTeen {
		return "An"
	}
	if noun != "" && strings.ContainsRune("aeiou", rune(noun[0])) {
		return "An"
	}
	return "A"
}

func DidYouMean(name string, candidates []string) string {
	if near := spelling.Nearest(name, candidates); near != "" {
		return fmt.Sprintf(" Did you mean %q?", near)
	}
	return ""
}
