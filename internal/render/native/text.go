// Package native writes a merged module in native syntax.
//
// All text is text of the source files, except for the texts at the end of block.go and for computed
// values (package computed). A block of a JSON file is written in the native text to which package
// load translated it. The rules of the output:
//
//   - An untouched block keeps every byte.
//   - In a touched block only the superseded items are replaced. If it was formatted as
//     by layout.Format, it is formatted again.
//   - Inserted text takes the indentation of its surroundings and the line ends of its file,
//     except for heredocs, whose bytes are values.
//   - Blocks printed apart from their files are one blank line apart.
package native

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// A Text is a configuration in native syntax.
type Text struct {
	files    []*plan.File
	texts    texts
	selected []plan.SelectedBlock // the blocks to print, unless the selection is everything
	plan.Selection

	// Apart puts a blank line between files whose texts would touch, for people.
	Apart bool
	// Colored, if not nil, colours the output, in whole blocks.
	Colored func([]byte) []byte
}

// New returns the effective configuration in native syntax. By default it is the merged primary
// files one after the other, in load order; a selection picks or sorts blocks, which are then one
// blank line apart. With marks, comments describe the effects of overrides.
//
// Diagnostics are about its wording: parts of JSON files that can't be expressed in native syntax,
// as errors, and names classified only by their form, as warnings. A text with errors must not be
// written.
func New(m *merge.Module, s plan.Selection, marks *annotate.Annotator) (*Text, hcl.Diagnostics) {
	t := &Text{files: plan.Arrange(m), Selection: s}
	t.texts = TextsOf(t.files)
	if marks != nil {
		t.texts.annotate(m, t.files, marks)
	}
	if !s.IsWhole() {
		t.selected = plan.Select(m, t.files, s)
	}
	return t, plan.Inexpressible(m.Source, t.printedItems)
}

// NewSorted returns the effective configuration as blocks in an order that does not depend on the
// files: sorted by kind and address, and with one address by their texts. Diagnostics are as for
// New.
func NewSorted(m *merge.Module) (*Text, hcl.Diagnostics) {
	t, diags := New(m, plan.Selection{Sort: true}, nil)
	slices.SortStableFunc(t.selected, func(a, b plan.SelectedBlock) int {
		if c := a.Compare(b); c != 0 {
			return c
		}
		return bytes.Compare(t.texts.trimmed(a.Block), t.texts.trimmed(b.Block))
	})
	return t, diags
}

// printedItems returns the items of which the text consists, for plan.Inexpressible.
func (text *Text) printedItems() plan.PrintedItems {
	if text.Selection.IsWhole() {
		return plan.PrintedWhole(text.files)
	}
	var list []*plan.Block
	for _, selected := range text.selected {
		list = append(list, selected.Block)
	}
	return plan.PrintedIn(list, false)
}

// Write writes the text to w. Whole files are put together by several goroutines, and written in order. The error is
// plan.ErrNoneSelected if nothing matches a filter, else the error of w.
func (text *Text) Write(w io.Writer) error {
	if !text.Selection.IsWhole() {
		return text.writePicked(w)
	}
	var err error
	var before []byte     // the last text that is not empty
	var buffers sync.Pool // of *[]byte, for reuse by later files
	contents := make([]*[]byte, len(text.files))
	// Called for several files at a time: puts the text of file i together.
	makeText := func(i int) {
		buffer, _ := buffers.Get().(*[]byte)
		if buffer == nil || text.Apart { // with Apart, the text before is still needed, so no buffer is reused
			buffer = new([]byte)
		}
		src := text.files[i].Source()
		*buffer = textedit.AppendApplied((*buffer)[:0], src, 0, len(src), text.texts.Edits(text.files[i]))
		contents[i] = buffer
	}
	// Called for one file after the other: writes file i, unless an earlier one failed.
	writeText := func(i int) {
		content := text.fileText(i, *contents[i])
		if text.Apart && touches(before, content) {
			content = append([]byte(text.files[i].LineEnd), content...)
		}
		if err == nil {
			err = text.write(w, content)
		}
		if len(content) > 0 {
			before = content
		}
		buffers.Put(contents[i])
		contents[i] = nil
	}
	parallel.OrderedAhead(len(contents), text.ahead(), makeText, writeText)
	return err
}

// maxBytesAhead is about how many bytes of finished files may wait to be written.
const maxBytesAhead = 8 << 20

// ahead returns how many finished files may wait to be written; 0 means one. Large files would take much memory and
// win no time, so fewer of them may wait.
func (text *Text) ahead() int {
	largest := 1
	for _, f := range text.files {
		if f.File != nil {
			largest = max(largest, len(f.File.Native))
		}
	}
	return maxBytesAhead / largest
}

// fileText returns the text of file i for its place in the output: only the first file may start with a byte order
// mark, and all but the last must end with a line end.
func (text *Text) fileText(i int, content []byte) []byte {
	if i > 0 {
		content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	}
	if i+1 < len(text.files) {
		content = textedit.WithLineEnd(content, text.files[i].LineEnd)
	}
	return content
}

// touches reports whether two texts would follow each other without a blank line between them. The first text ends
// with a line end.
func touches(before, after []byte) bool {
	isBlank := func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
	if len(before) == 0 || len(after) == 0 {
		return false
	}
	before = bytes.TrimSuffix(before, []byte("\n"))
	line, _, _ := bytes.Cut(after, []byte("\n"))
	return !isBlank(before[bytes.LastIndexByte(before, '\n')+1:]) && !isBlank(line)
}

// write writes content, which consists of whole blocks, to w, coloured if Colored is set.
func (text *Text) write(w io.Writer, content []byte) error {
	if text.Colored != nil {
		content = text.Colored(content)
	}
	_, err := w.Write(content)
	return err
}

// writePicked writes the blocks that were picked, one blank line apart.
func (text *Text) writePicked(w io.Writer) error {
	if len(text.selected) == 0 && len(text.Selection.Filter) > 0 {
		return plan.ErrNoneSelected
	}
	for i, selected := range text.selected {
		content := textedit.WithLineEnd(text.texts.trimmed(selected.Block), selected.LineEnd)
		if i > 0 {
			content = append([]byte(selected.LineEnd), content...)
		}
		if err := text.write(w, content); err != nil {
			return err
		}
	}
	return nil
}

// The merged form of one primary file, as edits to it.

// texts hold the native texts of the blocks that are printed otherwise than their files have them.
type texts map[*plan.Block]printedBlock

// A printedBlock is the text of one block, with the comments around it.
type printedBlock struct {
	text    []byte
	widened bool // the block was one line and is not any more
}

// TextsOf writes the blocks of files that overrides changed or added. Added blocks have
// the line ends of the file that they go to.
func TextsOf(files []*plan.File) texts {
	byFile := make([]texts, len(files))
	parallel.Each(len(files), func(i int) { byFile[i] = textsIn(files[i]) })
	all := texts{}
	for _, own := range byFile {
		maps.Copy(all, own)
	}
	return all
}

// textsIn writes the blocks of one file that overrides changed or added.
func textsIn(f *plan.File) texts {
	own := texts{}
	for _, block := range f.Extra() {
		own[block] = printedBlock{text: AddedText(block, f.LineEnd)}
	}
	for _, block := range f.Blocks {
		if block.Changed {
			text, widened := blockText(block.Content, block.Source)
			own[block] = printedBlock{text, widened}
		}
	}
	return own
}

// AddedText returns the text of a block that a file with line ends eol gets from elsewhere. A single item, such as a
// further version constraint, gets a block of its own.
func AddedText(block *plan.Block, eol string) []byte {
	if block.Item != nil {
		return []byte(terraformBlock(itemText(block.Entry, block.Item), eol))
	}
	text, _ := blockText(block.Content, block.Source)
	return []byte(textedit.Relocate(text, "", "", eol))
}

// annotate puts marks into the texts of all blocks that overrides affect.
func (t texts) annotate(m *merge.Module, files []*plan.File, marks *annotate.Annotator) {
	plan.AddMarked(m, files)
	for _, f := range files {
		for _, block := range f.All() {
			if block.Content != nil || block.Item != nil { // it has merged contents, or is made for one item
				t[block] = printedBlock{marks.Marked(block, t.textOf(block), f.LineEnd), t[block].widened}
			}
		}
	}
}

// textOf returns the text of a block as it is printed, changed or not.
func (t texts) textOf(block *plan.Block) []byte {
	if w, ok := t[block]; ok {
		return w.text
	}
	return unchangedText(block)
}

// unchangedText returns the text of a block in its file, with the comments around it.
func unchangedText(block *plan.Block) []byte {
	around := source.TriviaOf(block.Source)
	return block.Source.File.Native[around.Lead:around.End]
}

// OwnText returns the text of one block as it is printed, for callers that don't need the texts of all blocks. The
// block must be of the file itself, and not added by an override.
func OwnText(block *plan.Block) []byte {
	if !block.Changed {
		return unchangedText(block)
	}
	text, _ := blockText(block.Content, block.Source)
	return text
}

// trimmed returns the text of a block as it is printed, without line ends behind it.
func (t texts) trimmed(block *plan.Block) []byte { return bytes.TrimRight(t.textOf(block), "\r\n") }

// Edits returns the edits to the source of a native file that turn it into its merged form.
func (t texts) Edits(file *plan.File) []textedit.Edit {
	src := file.Source()
	edits := t.insertOpening(file, src)
	// The blocks of the file that change, and the new ones behind its blocks.
	for _, i := range file.Indexes() {
		block := file.Blocks[i]
		if w, ok := t[block]; ok {
			around := source.TriviaOf(block.Source)
			text := string(w.text)
			// A one-line block became several lines: at the end of a file, they end with a line end.
			if w.widened && around.End == len(src) {
				text += file.LineEnd
			}
			if text != string(src[around.Lead:around.End]) {
				edits = append(edits, textedit.Replace(around.Lead, around.End, text))
			}
		}
		if len(block.Behind) > 0 {
			edits = append(edits, t.insertFollowing(file, src, i))
		}
	}
	if len(file.After) > 0 {
		edits = append(edits, t.insertClosing(file, src, edits))
	}
	return edits
}

// insertOpening returns the edit that inserts the blocks of file.Before, before the contents of the file; none if
// there are no such blocks.
func (t texts) insertOpening(file *plan.File, src []byte) []textedit.Edit {
	if len(file.Before) == 0 {
		return nil
	}
	at := textedit.TextStart(src, 0) // behind a byte order mark
	text := t.joinBlocks(file.Before, file.LineEnd)
	if len(bytes.TrimSpace(src[at:])) > 0 {
		text += file.LineEnd
	}
	return []textedit.Edit{textedit.Replace(at, at, text)}
}

// joinBlocks returns the texts of blocks, and of those behind each, one blank line apart.
func (t texts) joinBlocks(blocks []*plan.Block, eol string) string {
	var out strings.Builder
	for i, block := range blocks {
		for j, each := range append([]*plan.Block{block}, block.Behind...) {
			if i+j > 0 { // not the very first one
				out.WriteString(eol)
			}
			out.Write(textedit.WithLineEnd(t[each].text, eol))
		}
	}
	return out.String()
}

// insertFollowing returns the edit that inserts the blocks behind the file's block i on lines of their own, after its
// trailing comments. They get a blank line before them if block i has one before or behind it.
func (t texts) insertFollowing(file *plan.File, src []byte, i int) textedit.Edit {
	block := file.Blocks[i]
	around := source.TriviaOf(block.Source)
	// Whether block i has a blank line before it, and behind it.
	isBlankBefore := textedit.IsBlankBefore(src, textedit.LineStart(src, around.Lead))
	// Behind the last block, a blank line only ends the file.
	isBlankBehind := textedit.IsBlankLine(src, textedit.AfterLine(src, around.End)) && i+1 < file.Size()
	var out strings.Builder
	for _, a := range block.Behind {
		out.WriteString(file.LineEnd)
		if isBlankBefore || isBlankBehind {
			out.WriteString(file.LineEnd)
		}
		out.Write(bytes.TrimRight(t[a].text, "\r\n"))
	}
	if around.End == len(src) { // the file lacks a line end there
		out.WriteString(file.LineEnd)
	}
	return textedit.Replace(around.End, around.End, out.String())
}

// insertClosing returns the edit that inserts the blocks of file.After behind the contents of the file, after a blank
// line if the file's last block has one before it. edits are those made so far: with them, the contents may already
// end with a line end, or no longer.
func (t texts) insertClosing(file *plan.File, src []byte, edits []textedit.Edit) textedit.Edit {
	// What precedes the blocks: the line end that the contents may lack, and the blank line.
	text := ""
	if before := textedit.Apply(src, 0, len(src), edits); len(before) > 0 && !bytes.HasSuffix(before, []byte("\n")) {
		text = file.LineEnd
	}
	if n := file.Size(); n > 0 {
		last := file.File.Block(n - 1)
		if textedit.IsBlankBefore(src, textedit.LineStart(src, source.TriviaOf(last).Lead)) {
			text += file.LineEnd
		}
	}
	return textedit.Replace(len(src), len(src), text+t.joinBlocks(file.After, file.LineEnd))
}

// Formatting a block costs as much as parsing it several times. If a replacement certainly doesn't change how
// the lines around it are formatted, the block isn't formatted, and needn't be checked for having been so.

// replaceInPlace replaces item i of a block if the lines around it certainly stay formatted, so that the block
// needn't be formatted again. It reports whether it did. indent is the indentation of the item.
func (ed *editor) replaceInPlace(a plan.ItemAction, around []source.Trivia, i int, indent string) bool {
	isLaidOut := ed.eol == "\n" && a.Entry.Value == nil // text with CRLF, or computed, is never known to be formatted
	if !isLaidOut {
		return false
	}
	if old, ok := a.Item.(*source.Attr); ok {
		return ed.replaceValueInPlace(a.Entry, old, around, i)
	}
	return ed.replaceBlocksInPlace(a, around[i], indent)
}

// replaceValueInPlace replaces the value of old, item i of a block, by that of e, and reports whether it did. It is
// safe if both values are on one line, or both end their first line with an open bracket: the equals sign keeps its
// column. Comments behind the values are aligned with those of the neighbours, which therefore must have none.
func (ed *editor) replaceValueInPlace(e *merge.MergedItem, old *source.Attr, around []source.Trivia, i int) bool {
	attr, ok := e.Live[0].(*source.Attr) // the argument in effect
	if !ok || len(e.Live) > 1 {
		return false
	}
	oldAround, newAround := around[i], source.TriviaOf(attr)
	if hasCommentBeforeValue(old, oldAround) || hasCommentBeforeValue(attr, newAround) || newAround.HasLead() {
		return false
	}
	if lead, _ := earlierLead(e, attr); len(lead) > 0 {
		return false // these comments stay
	}
	// The values with the comments behind them.
	newValue := attr.File.Native[attr.Value().Start.Byte:newAround.End]
	oldValue := ed.file.Native[old.Value().Start.Byte:oldAround.End]
	// Whether both end their first line with an open bracket, or both are on one line.
	areWide := isWide(newValue) && isWide(oldValue)
	areOneLine := bytes.IndexByte(newValue, '\n') < 0 && bytes.IndexByte(oldValue, '\n') < 0
	if !areWide && !areOneLine {
		return false
	}
	// If a comment is behind the new or the old value, the items before and behind (i-1, i+1) must have none.
	isOneTrailed := newAround.End > attr.Value().End.Byte || oldAround.End > old.Value().End.Byte
	if isOneTrailed && (ed.isTrailed(old.Within(), around, i-1) || ed.isTrailed(old.Within(), around, i+1)) {
		return false
	}
	// The new value must be formatted itself.
	from := textedit.IndentAt(attr.File.Native, newAround.Start)
	if !layout.IsClean([]byte("x = " + textedit.Relocate(newValue, from, "", ed.eol) + ed.eol)) {
		return false
	}
	end := textedit.LineBlanks(ed.file.Native, oldAround.End)
	indent := textedit.IndentAt(ed.file.Native, oldAround.Start)
	ed.edits = append(
		ed.edits, textedit.Replace(old.Value().Start.Byte, end, textedit.Relocate(newValue, from, indent, ed.eol)),
	)
	return true
}

// isWide reports whether a value has several lines, of which the first ends with an open bracket. layout.Format
// leaves such an argument out of the columns of its neighbours.
func isWide(value []byte) bool {
	first, _, more := bytes.Cut(value, []byte("\n"))
	return more && len(first) > 0 && bytes.IndexByte([]byte("{[("), first[len(first)-1]) >= 0
}

// isTrailed reports whether item i of block b has a comment behind it. Index -1 is the opening brace, and the one
// behind the last item is the closing brace.
func (ed *editor) isTrailed(b *source.Block, around []source.Trivia, i int) bool {
	switch {
	case i < 0:
		return endOfOpeningLine(b) > b.OpenBrace().End.Byte
	case i == len(around):
		return source.TriviaOf(b).End > b.Extent().End.Byte
	}
	return around[i].End > b.Items()[i].Extent().End.Byte
}

// replaceBlocksInPlace replaces nested blocks by others if the block around them certainly stays formatted, and
// reports whether it did. Blocks share no columns with their neighbours. So that is certain if the new blocks are
// formatted themselves, no comment is behind an old or a new one, and the first new one has no comment above it or
// before it on its line. On false, the caller replaces them, and has all of the block around them formatted.
func (ed *editor) replaceBlocksInPlace(a plan.ItemAction, around source.Trivia, indent string) bool {
	for _, it := range a.Entry.Live {
		if b, ok := it.(*source.Block); !ok || b.File.Native[source.TriviaOf(b).End-1] != '}' { // a comment follows it
			return false
		}
	}
	if ed.file.Native[around.End-1] != '}' { // a comment follows the old block
		return false
	}
	if c := itemText(a.Entry, a.Entry.Live[0]); c.Lead > 0 || hasInlineLead(a.Entry.Live[0]) {
		return false // it brings comments that replace those above the old block
	}
	// The new blocks must be formatted themselves.
	if !layout.IsClean([]byte(ed.effectiveText(a.Entry, "") + "\n")) {
		return false
	}
	end := textedit.LineBlanks(ed.file.Native, around.End)
	ed.edits = append(ed.edits, textedit.Replace(a.Item.Header().Start.Byte, end, ed.effectiveText(a.Entry, indent)))
	return true
}

// areFormatted reports whether the texts of blocks are formatted, so that they can be put at the end of a body
// without formatting that. indent is their indentation. Blocks with CRLF line ends never count as formatted.
func (ed *editor) areFormatted(blocks []string, indent string) bool {
	for _, text := range blocks {
		if ed.eol != "\n" || !layout.IsClean([]byte(textedit.Relocate([]byte(text), indent, "", "\n")+"\n")) {
			return false
		}
	}
	return true
}
