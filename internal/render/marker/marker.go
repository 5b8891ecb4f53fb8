package marker

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/comments"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/winners"
	"github.com/tofumerge/tofumerge/internal/render/patch"
)

// Notices are the comments in primary files that name the override files which change a block: "#
// overridden: a_override.tf (instance_type), b_override.tf (ami)". A notice is the last line of the
// block's lead comment. A line of exactly this form there is a notice, even if a person wrote it;
// every other comment is the author's.

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

// A File is a primary file and the changes that its notices need, if any.
type File struct {
	Name string // with the prefix of the module
	Path string // as it is opened
	// Diff is nil for a file in JSON, which has no comments and stays as it is.
	// There is one of those only if override files change one of its blocks.
	Diff     *patch.File
	Findings []finding // in the order of the text
}

// A finding is a notice that is missing or not as it should be.
type finding struct {
	Line int // starts at 1
	Text string
}

// Check compares the notices in each primary file with those that it should
// have, in load order. The module must be without errors.
func Check(m *merge.Module) []*File {
	byBlock, isMarked := map[*source.Block][]winners.Override{}, map[*source.File]bool{}
	for _, override := range winners.Overrides(m) {
		byBlock[override.Block] = append(byBlock[override.Block], override)
		isMarked[override.Block.File] = true
	}
	var files []*File
	for _, f := range m.Source.Files {
		mf := &File{Name: m.Source.Prefix + f.Name, Path: f.Path}
		switch {
		case f.Role != source.Primary || f.Syntax != source.Native && !isMarked[f]:
			continue
		case f.Syntax == source.Native:
			edits := mf.compareAll(m.Source, f, func(b *source.Block) []winners.Override { return byBlock[b] })
			mf.Diff = patch.Diff(mf.Name, f.Native, edits)
		}
		files = append(files, mf)
	}
	return files
}

// Edits returns the edits of File.Native that correct the notices in a native primary file. of
// returns the overrides of its blocks, as winners.Overrides lists them. The module must be without
// errors.
func Edits(src *load.Module, f *source.File, of func(*source.Block) []winners.Override) []textedit.Edit {
	return new(File).compareAll(src, f, of)
}

// EditsAt are the edits of Edits for one block.
func EditsAt(b *source.Block, overrides []winners.Override) []textedit.Edit {
	return new(File).compare(b, noticeOf(overrides))
}

// noticeOf words the effects of override files on one block, as the notice that it should have; empty
// without any. A name is listed once for each file.
func noticeOf(list []winners.Override) string {
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

// compareAll compares the notices of all blocks of a file with those that they should have.
func (mf *File) compareAll(src *load.Module, f *source.File, of func(*source.Block) []winners.Override) []textedit.Edit {
	mayHave := bytes.Contains(f.Native, []byte(noticeStart))
	var edits []textedit.Edit
	for i := range f.Len() {
		if !mayHave && !src.IsAddressedAt(f, i) {
			continue
		}
		b := f.Block(i)
		if want := noticeOf(of(b)); mayHave || want != "" {
			edits = append(edits, mf.compare(b, want)...)
		}
	}
	return edits
}

// compare compares the notices above a block with the wanted one, which may be empty. The last line
// of the lead comment is rewritten if it is a notice; notices elsewhere are removed, because nobody
// looks for them there.
func (mf *File) compare(b *source.Block, want string) []textedit.Edit {
	src, lead := b.File.Native, source.TriviaOf(b)
	found, isLast := notices(src, lead.Lead, lead.Start)
	var edits []textedit.Edit
	for i, c := range found {
		switch {
		case want == "":
			mf.find(b, c.Start, "the comment is stale: no override file changes the block any more")
		case !isLast || i+1 < len(found):
			mf.find(b, c.Start, "the comment is not the last line above the block")
		case string(src[c.Start:c.End]) != want:
			mf.find(b, c.Start, "the comment is wrong; it should be: "+want)
			edits = append(edits, textedit.Replace(c.Start, c.End, want))
			continue
		default:
			continue
		}
		edits = append(edits, textedit.Replace(textedit.TextStart(src, c.Start), textedit.AfterLine(src, c.End), ""))
	}
	if want == "" || isLast {
		return edits
	}
	if len(found) == 0 {
		mf.find(b, b.Extent().Start.Byte, "the comment is missing: "+want)
	}
	at := textedit.TextStart(src, lead.Start)
	return append(edits, textedit.Replace(at, at, textedit.IndentAt(src, lead.Start)+want+b.File.LineEnd))
}

// find records a mistake at an offset above a block, or at its start.
func (mf *File) find(b *source.Block, at int, text string) {
	start := b.Extent().Start
	line := start.Line - bytes.Count(b.File.Native[at:start.Byte], []byte("\n"))
	mf.Findings = append(mf.Findings, finding{line, text})
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

// Without returns a difference whose new text has no notices above its blocks.
func Without(d *patch.File) *patch.File {
	if strings.HasSuffix(d.Name, ".json") {
		return d
	}
	text := d.New()
	if !bytes.Contains(text, []byte(noticeStart)) {
		return d
	}
	text = textedit.Apply(text, 0, len(text), noticesIn(text))
	changed := patch.Diff(d.Name, d.Old, []textedit.Edit{textedit.Replace(0, len(d.Old), string(text))})
	changed.IsNew = d.IsNew
	return changed
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
