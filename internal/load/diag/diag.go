// Package diag makes diagnostics: summary, detail, range, and in their Extra a second range. It
// escapes quoted text, and it decides nothing.
//
// Given a range, a summary and the parts of a detail, it returns a *hcl.Diagnostic that has a Code,
// by which programs recognise it, and may have a Related range:
//
//	diag.WithCode(diag.OddBytes, diag.New(at, "Invalid characters", "Save %s as UTF-8.", name))
package diag

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// Escape makes a name from a user's file or command line safe to print in a terminal: it writes characters that
// aren't printable as in a Go string.
func Escape(s string) string {
	if isPlain(s) {
		return s
	}
	return escape(s, runtime.GOOS == "windows")
}

// isPlain reports whether a text is printable ASCII without backslashes, and so needs no escaping.
func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' || c == '\\' })
}

// escape writes characters that aren't printable as in a Go string. On Windows it keeps single backslashes, which
// separate directories there.
func escape(s string, isWindows bool) string {
	quoted := strconv.Quote(s)
	quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	if isWindows {
		quoted = strings.ReplaceAll(quoted, `\\`, `\`)
	}
	return quoted
}

// FileName returns a file's name for use in a sentence. It quotes a name with anything but letters, digits, dots,
// underscores and hyphens: a name such as "a.tf:3 and b" would mislead.
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

// Path returns a file's path, with slashes, for use in a sentence. It quotes a path with characters that FileName
// wouldn't accept.
func Path(path string) string {
	if name := strings.ReplaceAll(path, "/", ""); FileName(name) != name {
		return strconv.Quote(path)
	}
	return path
}

// Place returns FILE:LINE for the start of a range.
func Place(r hcl.Range) string { return FileName(r.Filename) + ":" + strconv.Itoa(r.Start.Line) }

// PlaceFrom returns FILE:LINE for the start of r, in a message about the range from. If both start on the same line,
// the column is added, so that they can be told apart.
func PlaceFrom(from, r hcl.Range) string {
	if r.Filename == from.Filename && r.Start.Line == from.Start.Line {
		return Place(r) + ":" + strconv.Itoa(r.Start.Column)
	}
	return Place(r)
}

// SomePlaces returns the places of ranges, separated by commas, for a message about the range from. It lists the
// first ones, as many as most, and then "… N more".
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

// New returns an error about a range. The format and its args make the detail.
func New(at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  summary,
		Detail:   fmt.Sprintf(format, args...),
		Subject:  &at,
	}
}

// Warning returns a warning about a range. The format and its args make the detail.
func Warning(at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	d := New(at, summary, format, args...)
	d.Severity = hcl.DiagWarning
	return d
}

// NewWith returns an error about a range with a second range, to which it is related.
func NewWith(related Related, at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	return WithRelated(related, New(at, summary, format, args...))
}

// Article returns A or An, to be put before a noun or a number at the start of a sentence.
func Article(noun string) string {
	digits := noun[:len(noun)-len(strings.TrimLeft(noun, "0123456789"))]
	// eleven or eighteen, alone or as thousands, millions and so on: the first group of three digits has only two
	isTeen := len(digits)%3 == 2 && (digits[:2] == "11" || digits[:2] == "18")
	if strings.HasPrefix(digits, "8") || isTeen {
		return "An"
	}
	if noun != "" && strings.ContainsRune("aeiou", rune(noun[0])) {
		return "An"
	}
	return "A"
}

// DidYouMean returns " Did you mean X?" with the candidate that resembles a name most, or "" if none does.
func DidYouMean(name string, candidates []string) string {
	if near := spelling.Nearest(name, candidates); near != "" {
		return fmt.Sprintf(" Did you mean %q?", near)
	}
	return ""
}

// A Code identifies the kind of a diagnostic for programs; the summary is for people. Only diagnostics that
// some code depends on have one.
type Code string

// The codes of diagnostics about the files of a module.
const (
	NoEffect           Code = "no-effect"           // an override that changes nothing
	Unreadable         Code = "unreadable"          // a file can't be read
	OddBytes           Code = "odd-bytes"           // bytes that aren't text, accepted by the engine there
	InvalidConstraint  Code = "invalid-constraint"  // no version constraint
	UnknownBlock       Code = "unknown-block"       // a block type that the engine does not know
	NoRegistrySource   Code = "no-registry-source"  // a version of a module that has none
	IncompatibleModule Code = "incompatible-module" // not for the release of the engine
	TooDeep            Code = "too-deep"            // JSON that nests too deep to be read
	ConstSecret        Code = "const-secret"        // a constant variable that is a secret
	InitRefuses        Code = "init-refuses"        // a value that init refuses, and no other command
)

// A Related is a second range that a diagnostic is about.
type Related struct {
	Note  string // describes that range, such as "first declared here"
	Range hcl.Range
	// IsHint marks a range that may only have been meant.
	IsHint bool
}

// An extra holds what this package adds to an hcl.Diagnostic, in its field Extra.
type extra struct {
	code    Code
	related *Related
	also    []hcl.Range // further ranges of which the diagnostic is true
	isGrave bool        // a warning to be shown as an error
}

// extraOf returns the additional data of a diagnostic. It is empty if the diagnostic comes from the HCL library.
func extraOf(d *hcl.Diagnostic) extra {
	x, _ := d.Extra.(extra)
	return x
}

// CodeOf returns the code of a diagnostic, or "".
func CodeOf(d *hcl.Diagnostic) Code { return extraOf(d).code }

// WithCode sets the code of a diagnostic, and returns the diagnostic.
func WithCode(code Code, d *hcl.Diagnostic) *hcl.Diagnostic {
	x := extraOf(d)
	x.code = code
	d.Extra = x
	return d
}

// RelatedOf returns the second range of a diagnostic, if it has one.
func RelatedOf(d *hcl.Diagnostic) (related Related, ok bool) {
	if r := extraOf(d).related; r != nil {
		return *r, true
	}
	return Related{}, false
}

// WithRelated sets the second range of a diagnostic, and returns the diagnostic.
func WithRelated(related Related, d *hcl.Diagnostic) *hcl.Diagnostic {
	x := extraOf(d)
	x.related = &related
	d.Extra = x
	return d
}

// AlsoOf returns further ranges for which a diagnostic is true as well.
func AlsoOf(d *hcl.Diagnostic) []hcl.Range { return extraOf(d).also }

// WithAlso sets the further ranges of a diagnostic, and returns the diagnostic.
func WithAlso(places []hcl.Range, d *hcl.Diagnostic) *hcl.Diagnostic {
	x := extraOf(d)
	x.also = places
	d.Extra = x
	return d
}

// ShowAsError makes a warning appear as an error, although the module is printed. It is for a module that the engine
// loads, but refuses later, when it installs or plans it, and for a configuration that nobody can mean. It returns
// the diagnostic.
func ShowAsError(d *hcl.Diagnostic) *hcl.Diagnostic {
	x := extraOf(d)
	x.isGrave = true
	d.Extra = x
	return d
}

// IsError reports whether a diagnostic is shown as an error. Whether the module is printed depends on the severity
// alone.
func IsError(d *hcl.Diagnostic) bool { return d.Severity == hcl.DiagError || extraOf(d).isGrave }

// Errors returns the diagnostics that are shown as errors.
func Errors(diags hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return !IsError(d) })
}

// Refusals returns the diagnostics because of which the engine refuses the module.
func Refusals(diags hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return d.Severity != hcl.DiagError })
}

// EndOfSentence returns the offset of the full stop of the first sentence in a text, or the length of a text without
// one. The dot in main.tf doesn't count: no blank and capital letter follow it.
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

// Joined returns words as in a sentence: "a, b or c". last goes before the last one, such as "or".
func Joined(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}

// TrapOfName returns the sentence that a file's name makes it an override file, which its author may not know. It is
// appended to messages.
func TrapOfName(name string) string {
	return " The name " + FileName(name) + " makes this an override file; to declare this here, rename the file."
}

// WithoutTrap returns a message about the file called name without the sentence of TrapOfName at its end.
func WithoutTrap(name, text string) string { return strings.TrimSuffix(text, TrapOfName(name)) }

// Traps are the files for which the sentence of TrapOfName was printed. Every text about such a file ends
// with it, because each may be printed alone; texts printed together would repeat it.
type Traps map[string]bool

// Once returns a message about the file called name. If it ends with the sentence of TrapOfName ("The name … makes
// this an override file"), and an earlier message about the file did as well, Once removes the sentence.
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
