package marker

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/comments"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// noticeStart starts every notice.
const noticeStart = "# overridden: "

// The parts of a notice. A name that holds more than its pattern is written as
// a Go string.
const (
	plainNames   = `[\pL\pM\pN_.-]+`
	quoted       = `"(?:[^"\\]|\\.)*"`
	noticeNames  = `(?:` + plainNames + `|` + quoted + `)`
	noticeOfFile = `(?:[A-Za-z0-9._-]+|` + quoted + `) \(` + noticeNames + `(?:, ` + noticeNames + `)*\)`
)

var (
	plainName = lazyregexp.New(`^` + plainNames + `$`)
	noticeAll = lazyregexp.New(`^` + noticeStart + noticeOfFile + `(?:, ` + noticeOfFile + `)*$`)
)

// MayHave reports whether any block of a native file may have a notice.
func MayHave(f *source.File) bool {
	return bytes.Contains(f.Native, []byte(noticeStart))
}

// noticeOf words the effects of override files on one block, as the notice that it should have; empty
// without any. A name is listed once for each file.
func noticeOf(list []Override) string {
	if len(list) == 0 {
		return ""
	}
	var files []string
	for len(list) > 0 {
		f := list[0].By.Source()
		var names []string
		named := map[string]bool{}
		for len(list) > 0 && list[0].By.Source() == f {
			if name := list[0].Name; !named[name] {
				named[name] = true
				if !plainName().MatchString(name) {
					name = strconv.Quote(name)
				}
				names = append(names, name)
			}
			list = list[1:]
		}
		files = append(files, diag.FileName(f.Name)+" ("+strings.Join(names, ", ")+")")
	}
	return noticeStart + strings.Join(files, ", ")
}

// A Correction is what is wrong with the notices above a block of a native file.
type Correction struct {
	Edits []textedit.Edit // of File.Native, that leave the block with the notice that it should have
	Stale string          // what is wrong with a notice, in a few words; empty if none is there
	At    hcl.Range       // of the first stale notice
}

// Correct compares the notices above a block with the one that it should have. The module of the
// overrides, which Overrides lists for the block, must be without errors. The last line of the lead
// comment is rewritten if it is a notice; notices elsewhere are removed, because nobody looks for
// them there.
func Correct(b *source.Block, overrides []Override) (c Correction) {
	src, lead, want := b.File.Native, source.TriviaOf(b), noticeOf(overrides)
	found, isLast := notices(src, lead.Lead, lead.Start)
	for i, n := range found {
		isKept := isLast && i+1 == len(found) && want != ""
		if isKept && string(src[n.Start:n.End]) == want {
			continue
		}
		if c.Stale == "" {
			c.At = b.File.RawRange([2]uint32{uint32(n.Start), uint32(n.End)})
			c.Stale = whyStale(want != "", isKept)
		}
		edit := textedit.Replace(n.Start, n.End, want)
		if !isKept {
			edit = textedit.Replace(textedit.TextStart(src, n.Start), textedit.AfterLine(src, n.End), "")
		}
		c.Edits = append(c.Edits, edit)
	}
	if want != "" && !isLast {
		at := textedit.TextStart(src, lead.Start)
		c.Edits = append(c.Edits, textedit.Replace(at, at, textedit.IndentAt(src, lead.Start)+want+b.File.LineEnd))
	}
	return c
}

// whyStale explains what is wrong with a notice.
func whyStale(isOverridden, isLast bool) string {
	switch {
	case !isOverridden:
		return "no override file touches the block"
	case isLast:
		return "it doesn't name the effective overrides"
	}
	return "it isn't the last line above the block"
}

// notices returns the notices in the lead comment of a block, and whether the last one is the
// comment's last line. A notice is alone on its line.
func notices(src []byte, lead, start int) (found []comments.Comment, isLast bool) {
	for _, c := range comments.Between(src, lead, start) {
		before := src[textedit.TextStart(src, c.Start):c.Start]
		isLast = c.Line && len(bytes.TrimSpace(before)) == 0 && noticeAll().Match(src[c.Start:c.End])
		if isLast {
			found = append(found, c)
		}
	}
	return found, isLast
}

// Without returns a native text without the notices above its blocks.
func Without(text []byte) []byte {
	if !bytes.Contains(text, []byte(noticeStart)) {
		return text
	}
	return textedit.Apply(text, 0, len(text), noticesIn(text))
}

// noticesIn returns the edits that remove the notices in the lead comments of a text's blocks.
func noticesIn(src []byte) []textedit.Edit {
	parsed, _ := parse.Config(src, "", hcl.InitialPos)
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		return nil
	}
	var edits []textedit.Edit
	at := 0
	for _, b := range body.Blocks {
		start := b.TypeRange.Start.Byte
		lead, start := comments.Leading(src, comments.Between(src, at, start), start)
		found, _ := notices(src, lead, start)
		for _, c := range found {
			edits = append(edits, textedit.Replace(textedit.TextStart(src, c.Start), textedit.AfterLine(src, c.End), ""))
		}
		at = b.Range().End.Byte
	}
	return edits
}
