package native

import (
	"bytes"
	"io"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// A Text is a configuration in native syntax.
type Text struct {
	files    []*plan.File
	texts    texts
	selected []plan.SelectedBlock // where it is not the whole
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
	return t, plan.Inexpressible(m.Source, t.printed)
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
		return bytes.Compare(t.texts.blockText(a.Block), t.texts.blockText(b.Block))
	})
	return t, diags
}

// printed are the items of which the text consists.
func (text *Text) printed() plan.PrintedItems {
	if text.Selection.IsWhole() {
		return plan.PrintedWhole(text.files)
	}
	var list []*plan.Block
	for _, selected := range text.selected {
		list = append(list, selected.Block)
	}
	return plan.PrintedIn(list, false)
}

// Write writes the text to w. The error is plan.ErrNoneSelected if nothing matches a filter, else
// the error of w.
func (text *Text) Write(w io.Writer) error {
	if !text.Selection.IsWhole() {
		return text.writePicked(w)
	}
	var err error
	var before []byte     // the last text that is not empty
	var buffers sync.Pool // of *[]byte, which the next text takes over
	contents := make([]*[]byte, len(text.files))
	parallel.OrderedAhead(len(contents), text.ahead(), func(i int) {
		buffer, _ := buffers.Get().(*[]byte)
		if buffer == nil || text.Apart { // two of them are looked at
			buffer = new([]byte)
		}
		src := text.files[i].Source()
		*buffer = textedit.AppendApplied((*buffer)[:0], src, 0, len(src), text.texts.Edits(text.files[i]))
		contents[i] = buffer
	}, func(i int) {
		content := text.joined(i, *contents[i])
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
	})
	return err
}

// maxAhead is about how many bytes of files may be put together before they are written.
const maxAhead = 8 << 20

// ahead is how many files may be put together at the same time: for large ones, more would
// take much memory and win no time.
func (text *Text) ahead() int {
	largest := 1
	for _, f := range text.files {
		if f.File != nil {
			largest = max(largest, len(f.File.Native))
		}
	}
	return maxAhead / largest
}

// joined is the text of a file as one of several in a row.
func (text *Text) joined(i int, content []byte) []byte {
	if i > 0 {
		content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	}
	if i+1 < len(text.files) {
		content = textedit.WithLineEnd(content, text.files[i].LineEnd)
	}
	return content
}

// touches reports whether no blank line is between two texts, where the first ends a line.
func touches(before, after []byte) bool {
	isBlank := func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
	if len(before) == 0 || len(after) == 0 {
		return false
	}
	before = bytes.TrimSuffix(before, []byte("\n"))
	line, _, _ := bytes.Cut(after, []byte("\n"))
	return !isBlank(before[bytes.LastIndexByte(before, '\n')+1:]) && !isBlank(line)
}

// write writes whole blocks to w.
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
		content := textedit.WithLineEnd(text.texts.blockText(selected.Block), selected.LineEnd)
		if i > 0 {
			content = append([]byte(selected.LineEnd), content...)
		}
		if err := text.write(w, content); err != nil {
			return err
		}
	}
	return nil
}
