package load

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/guard"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// FuzzPieces checks that a file parsed in pieces is the same as one parsed as
// a whole.
func FuzzPieces(f *testing.F) {
	f.Add([]byte("a \"b\" {\n  c = 1\n}\n\n# note\nd {\n}\n"))
	f.Add([]byte("a {\n  b = <<E\n}\n\nE\n}\nc {}\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			t.Skip("one input is not worth that much time")
		}
		l := &loader{opts: Options{Engine: engine.Default()}}
		cuts, ok := guard.Cuts(src, 1)
		if !ok {
			return
		}
		pieces := &source.File{Name: "main.tf", Src: src, Engine: engine.Default()}
		whole := &source.File{Name: "main.tf", Src: src, Engine: engine.Default()}
		got, ok := l.native(pieces, cuts)
		want, _ := l.native(whole, nil)
		if !ok {
			return // the whole file is parsed then
		}
		if len(want) != len(got) || whole.Len() != pieces.Len() {
			t.Fatalf("%d blocks, %d diagnostics, want %d, %d\n%v\n%v", pieces.Len(), len(got), whole.Len(), len(want), want, got)
		}
		for i := range whole.Len() {
			want, got := whole.Block(i), pieces.Block(i)
			if got.Extent() != want.Extent() || got.Header() != want.Header() {
				t.Errorf("block %d is at %s, want %s", i, got.Extent(), want.Extent())
			}
		}
	})
}
