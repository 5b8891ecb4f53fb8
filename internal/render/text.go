package render

import (
	"bytes"
	"io"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A Text is a configuration in native syntax.
type Text struct {
	files []*printed
	texts texts
	parts []part // the blocks that were picked, where it is not the whole
	Selection
}

// nativeText returns the effective configuration in native syntax. By itself it is
// the merged primary files one after the other, in load order; a selection picks or
// sorts blocks, which then stand one blank line apart. Marks tell what overrides did
// if there is something to put them in.
//
// Diagnostics are about its wording: what JSON files hold that can't be said in
// native syntax, as errors, and names of which only their look says what they are,
// as warnings. A text with errors is not to be written.
func nativeText(m *merge.Module, s Selection, marks *annotator) (*Text, hcl.Diagnostics) {
	t := &Text{files: arrange(m), Selection: s}
	t.texts = textsOf(t.files)
	if marks != nil {
		t.texts.annotate(m, t.files, marks)
	}
	if !s.isWhole() {
		t.parts = pick(m, t.files, s, t.texts.lone)
	}
	return t, doubts(m.Source, t.said)
}

// said are the items that the text is made of.
func (t *Text) said() said {
	var list []*piece
	for _, p := range t.parts {
		list = append(list, p.piece)
	}
	if t.Selection.isWhole() {
		for _, f := range t.files {
			list = append(list, f.made()...)
		}
	}
	return saidIn(list, t.Selection.isWhole())
}

// Write writes the text. The error is ErrNothingPicked where nothing matches a filter.
func (t *Text) Write(w io.Writer) error {
	if !t.Selection.isWhole() {
		return t.writeParts(w)
	}
	for i, f := range t.files {
		text := t.texts.file(f)
		if i > 0 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		if i+1 < len(t.files) {
			text = withEnd(text, f.eol)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// writeParts writes the blocks that were picked, one blank line apart.
func (t *Text) writeParts(w io.Writer) error {
	if len(t.parts) == 0 && len(t.Selection.Filter) > 0 {
		return ErrNothingPicked
	}
	for i, p := range t.parts {
		text := withEnd(t.texts.lone(p.piece), p.eol)
		if i > 0 {
			text = append([]byte(p.eol), text...)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}
