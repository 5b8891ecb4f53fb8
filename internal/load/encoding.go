package load

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// checkBytes warns about bytes that aren't proper text although the engine accepts them: invalid UTF-8 and NUL, in
// comments and strings. In override files it also warns about invisible characters, with which a change could deceive
// its reviewers.
func checkBytes(f *source.File) hcl.Diagnostics {
	if f.Broken {
		return nil
	}
	var diags hcl.Diagnostics
	if at := invalidByte(f.Raw); at >= 0 {
		becomes := "keeps them unchanged"
		if f.Syntax == source.JSON {
			becomes = "reads each of them as U+FFFD, and so they are printed"
		}
		diags = append(diags, oddBytes(f, at,
			"There are bytes here%s that are not UTF-8. %s %s. Save the file as UTF-8.",
			furtherLines(f.Raw, at, invalidByte), f.Engine.Product.Title(), becomes))
	}
	// Other programs may take NUL for the end of the text.
	nul := func(src []byte) int { return bytes.IndexByte(src, 0) }
	if at := nul(f.Raw); at >= 0 {
		diags = append(diags, oddBytes(f, at, "There is a NUL byte here%s. %s accepts it, other programs may not. "+
			"Remove it, or write \\u0000 in a string.", furtherLines(f.Raw, at, nul), f.Engine.Product.Title()))
	}
	if f.Role != source.Override {
		return diags
	}
	if at := hiddenCharacter(f.Raw); at >= 0 {
		r, _ := utf8.DecodeRune(f.Raw[at:])
		kind := "invisible character"
		if unicode.Is(unicode.Bidi_Control, r) {
			kind = "bidirectional control"
		}
		diags = append(diags, oddBytes(f, at, "There is the %s %U here%s, so this file isn't what it looks like. "+
			"Remove it, or write it as an escape in a string.", kind, r, furtherLines(f.Raw, at, hiddenCharacter)))
	}
	return diags
}

// hiddenCharacter returns the offset of the first character that is invisible or changes the order in which others
// are displayed, or -1. A joiner counts only after ASCII: some scripts and emoji need joiners.
func hiddenCharacter(src []byte) int {
	wasASCII := true
	at := 0
	if bytes.HasPrefix(src, spelling.UTF8BOM) {
		at = len(spelling.UTF8BOM) // a byte order mark at the start of a file is harmless
	}
	for at < len(src) {
		if src[at] < utf8.RuneSelf {
			wasASCII = true
			at++
			continue
		}
		r, size := utf8.DecodeRune(src[at:])
		isUsefulJoiner := unicode.Is(unicode.Join_Control, r) && !wasASCII
		// Prepended concatenation marks are format characters (Cf), but visible, such as the Arabic number sign.
		isVisibleMark := unicode.Is(unicode.Prepended_Concatenation_Mark, r)
		if !isVisibleMark && !isUsefulJoiner && unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) {
			return at
		}
		wasASCII = false
		at += size
	}
	return -1
}

// invalidByte returns the offset of the first byte that isn't valid UTF-8, or -1.
func invalidByte(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 { // a U+FFFD in the file itself has size 3
			return at
		}
		at += size
	}
	return -1
}

// furtherLines returns " and on N more lines": the lines in which find has a match, after the line that contains the
// offset at. It returns "" if there are none. find returns -1 for no match.
func furtherLines(src []byte, at int, find func([]byte) int) string {
	lines := 0 // with a match, including the line of at itself
	for line := range bytes.Lines(src[at:]) {
		if find(line) >= 0 {
			lines++
		}
	}
	switch more := lines - 1; {
	case more <= 0:
		return ""
	case more == 1:
		return " and on 1 more line"
	default:
		return fmt.Sprintf(" and on %d more lines", more)
	}
}

// oddBytes returns a warning at the byte with offset at in the file as it is on disk.
func oddBytes(f *source.File, at int, format string, args ...any) *hcl.Diagnostic {
	d := diag.WithCode(diag.OddBytes, diag.New(f.RawRange([2]uint32{uint32(at), uint32(at) + 1}),
		"Invalid characters", format, args...))
	d.Severity = hcl.DiagWarning
	return d
}
