package rewrite

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/comments"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// An editor turns a JSON file into its merged form.
type editor struct {
	*jsonout.Writer
	given   []byte // the text of the file
	eol     string
	unit    string // one level of indentation
	lines   []int  // where they start
	edits   []textedit.Edit
	wrapped map[int]*arrayWrap   // by where the bodies start
	known   map[[2]int]jsonParts // by where they start and end
}

// Edits returns the edits to a JSON file's text that make the merge's changes in it. Diagnostics
// are warnings of changes that JSON can't express.
func Edits(m *merge.Module, file *plan.File) ([]textedit.Edit, hcl.Diagnostics) {
	ed := newEditor(file.File.Raw, file.File.LineEnd)
	ed.all(file)
	diags := ed.Diags
	for _, it := range lostComments(file) {
		diags = append(diags, commentLost(it, file.File.Name))
	}
	m.Source.Places(diags)
	return ed.edits, diags
}

func newEditor(given []byte, eol string) *editor {
	return &editor{
		Writer:  &jsonout.Writer{},
		given:   given,
		eol:     eol,
		unit:    unitOf(given),
		lines:   textedit.LineStarts(given),
		wrapped: map[int]*arrayWrap{},
		known:   map[[2]int]jsonParts{},
	}
}

// all makes the edits to a file.
func (ed *editor) all(file *plan.File) {
	if len(partsOf(bytes.TrimSpace(file.File.Raw))) == 0 {
		ed.addAll(slices.Concat(file.Before, file.After), spot{})
		return // there is nothing else
	}
	ed.addAll(file.Before, spot{first: true})
	for _, i := range file.Indexes() {
		behind, _ := source.Spread(file.Blocks[i].Source)
		ed.addAll(file.Blocks[i].Behind, spot{behind: behind})
	}
	ed.addAll(file.After, spot{behind: -1})
	ed.endWrappings()
	for _, i := range file.Indexes() {
		if b := file.Blocks[i]; b.Changed {
			ed.block(b)
		}
	}
}

// unitOf is the indentation of a file's first indented line.
func unitOf(src []byte) string {
	for line := range bytes.Lines(src) {
		rest := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(rest); n > 0 && len(bytes.TrimSpace(rest)) > 0 {
			return string(line[:n])
		}
	}
	return textedit.IndentUnit
}

// block replaces the body of a block that overrides changed.
func (ed *editor) block(b *plan.Block) {
	from, to := int(b.Source.From.Value[0]), int(b.Source.From.Value[1])
	old := ed.given[from:to]
	text := ed.patched(old, ed.Body(b), bodyScope{content: b.Content}, ed.indentAt(from))
	if text != string(old) {
		ed.put(from, to, text)
	}
}

// indentAt is the blanks that start the line of an offset. A file may be one line, in which the start
// would be searched for each offset.
func (ed *editor) indentAt(at int) string {
	start := ed.lines[sort.SearchInts(ed.lines, at+1)-1]
	rest := bytes.TrimLeft(ed.given[start:at], " \t")
	return string(ed.given[start : at-len(rest)])
}

// A jsonPart is a member of a JSON object, or an element of an array, which has
// no key.
type jsonPart struct {
	name            string
	key, start, end int // offsets in the text around it
}

// partsOf takes an object or an array apart.
func partsOf(text []byte) []jsonPart {
	var list []jsonPart
	for v := range jsontree.NewReader(text).Root().Children() {
		at, key := v.Span(), v.Key()
		part := jsonPart{key: int(at[0]), start: int(at[0]), end: int(at[1])}
		if key[1] > key[0] {
			part.name, part.key = v.Name(), int(key[0])
		}
		list = append(list, part)
	}
	return list
}

// CommentLost is the code of warnings about comments that JSON can't hold.
const CommentLost diag.Code = "comment-lost"

// commentLost warns of a comment that a JSON file can't hold.
func commentLost(it source.Item, name string) *hcl.Diagnostic {
	return diag.WithCode(CommentLost, diag.Warning(
		it.Header(), "Comment is lost", "JSON doesn't allow comments, so %s is written to %s without its comment.",
		diag.Escape(it.Called()), diag.FileName(name),
	))
}

// CommentsLeftOut warns of comments that a file which is made of parts can't have: a JSON file those
// of native parts, and a native file the comment properties of JSON.
func CommentsLeftOut(parts []*merge.Part, name string) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, m := range parts {
		if isJSON := strings.HasSuffix(name, ".json"); isJSON == (m.Item.Source().Syntax == source.JSON) {
			continue
		}
		if hasComments(m) {
			d := commentLost(m.Item, name)
			d.Summary = "Comment is left out"
			if m.Item.Source().Syntax == source.JSON {
				d.Detail = fmt.Sprintf("Native syntax doesn't allow comment properties, so %s is written to %s without them.", diag.Escape(m.Item.Called()), diag.FileName(name))
			}
			diags = append(diags, d)
		}
		if m.IsPartial {
			diags = append(diags, CommentsLeftOut(m.Held, name)...)
		}
	}
	return diags
}

// lostComments lists the items of native override files with comments that a JSON
// file can't keep.
func lostComments(file *plan.File) []source.Item {
	var list []source.Item
	for _, b := range file.Made() {
		if b.Content != nil {
			list = append(list, commentedIn(b.Content)...)
		}
	}
	return list
}

func commentedIn(c *merge.MergedBody) []source.Item {
	var list []source.Item
	for _, e := range c.Items {
		for _, it := range e.Live {
			f := it.Source()
			if f.Role != source.Override || f.Syntax != source.Native || e.Inner() != nil && e.Place != nil {
				continue
			}
			around := source.TriviaOf(it)
			if len(comments.Texts(f.Native[around.Lead:around.End])) > 0 {
				list = append(list, it)
			}
		}
		if e.Inner() != nil && e.Place != nil {
			list = append(list, commentedIn(e.Inner())...)
		}
	}
	return list
}

// hasComments reports whether comments belong to a part: around it, if those are wanted, or in it,
// unless only its contents are written.
func hasComments(m *merge.Part) bool {
	f, isWhole := m.Item.Source(), !m.IsPartial && m.Void == ""
	if f.Syntax == source.JSON {
		found := false
		if b, isBlock := m.Item.(*source.Block); isBlock && isWhole {
			b.EachRemark(func([2]uint32) { found = true })
		}
		return found
	}
	count := func(from, to int) int { return len(comments.Texts(f.Native[from:max(from, to)])) }
	around, at := source.TriviaOf(m.Item), m.Item.Extent()
	return m.HasLead && count(around.Lead, at.Start.Byte) > 0 || m.HasTail && count(at.End.Byte, around.End) > 0 ||
		isWhole && count(at.Start.Byte, at.End.Byte) > 0
}
