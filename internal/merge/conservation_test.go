package merge_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Every item of every file is found in the histories, exactly once.

// Item conservation: each item of a loaded file is the item of exactly one
// step of one history.
func TestItemConservation(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		m := mergeFiles(t, files, e)
		seen, merged := map[source.Item]int{}, map[source.Item]bool{}
		eachStep(m.All(), func(item *merge.MergedItem, s merge.Step) {
			if s.Item != nil {
				seen[s.Item]++
				// The contents of a block have separate histories if the rule goes into the block
				// and the block takes part in the merge.
				goesIn := item.Rule.Do == rules.Merge || item.Rule.Do == rules.Flatten
				merged[s.Item] = goesIn && (item.Inner() != nil || item.Rule.Do == rules.Flatten)
			}
		})
		for _, f := range m.Source.Files {
			for i := range f.Len() {
				conserved(t, seen, merged, f.Block(i))
			}
		}
	})
}

// conserved checks an item and, if it is merged item by item, its contents. An item that is
// replaced as a whole is one item.
func conserved(t *rapid.T, seen map[source.Item]int, merged map[source.Item]bool, it source.Item) {
	if n := seen[it]; n != 1 {
		t.Errorf("%s at %s is the item of %d steps, want 1", it.Called(), it.Header(), n)
	}
	b, ok := it.(*source.Block)
	if !ok || !merged[it] {
		return
	}
	for _, inner := range b.Items() {
		conserved(t, seen, merged, inner)
	}
}

// Byte conservation: the items of a native file, with their trivia, and the
// gaps between them, which hold only blanks and comments, are the file.
func TestByteConservation(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		src := loadFiles(t, files, e)
		for _, f := range src.Files {
			at := 0
			for i := range f.Len() {
				b := f.Block(i)
				blankGap(t, f, at, b.Extent().Start.Byte)
				whole := b
				inside(t, f, whole)
				at = b.Extent().End.Byte
			}
			blankGap(t, f, at, len(f.Native))
		}
	})
}

func inside(t *rapid.T, f *source.File, b *source.Block) {
	at := b.OpenBrace().End.Byte
	for i, tr := range source.AllTrivia(b) {
		r := b.Items()[i].Extent()
		blankGap(t, f, at, r.Start.Byte)
		if tr.Lead > tr.Start || tr.Start > r.Start.Byte || tr.End < r.End.Byte {
			t.Errorf("%s: trivia %+v do not enclose the item %s", f.Name, tr, r)
		}
		if nested, ok := b.Items()[i].(*source.Block); ok {
			inside(t, f, nested)
		}
		at = r.End.Byte
	}
	blankGap(t, f, at, b.CloseBrace().Start.Byte)
}

// blankGap checks that a stretch holds blanks and comments only.
func blankGap(t *rapid.T, f *source.File, from, to int) {
	if from > to {
		t.Errorf("%s: items overlap at %d", f.Name, to)
		return
	}
	left := bytes.Clone(f.Native[from:to])
	for _, c := range parse.CommentsBetween(f.Native, from, to) {
		copy(left[c.Start-from:], bytes.Repeat([]byte(" "), c.End-c.Start))
	}
	left = bytes.TrimPrefix(left, []byte("\xef\xbb\xbf"))
	if rest := bytes.TrimSpace(left); len(rest) > 0 {
		t.Errorf("%s: %q is between items", f.Name, rest)
	}
}

// eachStep calls visit with every step of every history. Items that no override addressed have one step, in
// which a primary file defined them.
func eachStep(items []*merge.MergedItem, visit func(*merge.MergedItem, merge.Step)) {
	for _, e := range items {
		for _, s := range e.Steps {
			visit(e, s)
		}
		if e.Inner() != nil {
			eachStep(e.Inner().All(), visit)
		}
	}
}
