package feature

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// manyIn is a module with n overridden arguments in one resource, n nested blocks that n others
// replace, and n locals blocks, of which one is overridden.
func manyIn(n int) map[string][]byte {
	var args, blocks, locals strings.Builder
	for i := range n {
		fmt.Fprintf(&args, "  a%d = %d\n", i, i)
		fmt.Fprintf(&blocks, "  b {\n    c = %d\n  }\n", i)
		fmt.Fprintf(&locals, "locals {\n  l%d = %d\n}\n", i, i)
	}
	resource := "resource \"x_y\" \"z\" {\n" + args.String() + blocks.String() + "}\n"
	return map[string][]byte{
		"main.tf":     []byte(resource + locals.String()),
		"override.tf": []byte(resource + "locals {\n  l1 = 2\n}\n"),
	}
}

// Requests on a large module take time in proportion to it.
func TestLarge(t *testing.T) {
	loadtest.Linear(t, "requests", 1_000, func(n int) { askLarge(t, n) })
}

func askLarge(t *testing.T, n int) {
	v := viewOf(t, manyIn(n), engine.Default(), protocol.UTF16)
	text := string(v.Text("main.tf").Bytes())
	for _, c := range []struct {
		needle     string
		references int
	}{{"resource", 2}, {"a7 =", 2}, {"b {", 2 * n}, {"c = 7", n + 1}, {"l1 =", 2}, {"locals {\n  l1 =", 2}, {"locals {\n  l2 =", 0}} {
		p := v.Text("main.tf").Position(strings.Index(text, c.needle), v.Encoding)
		if got := References(v, "main.tf", p, true); len(got) != c.references && c.needle != "c = 7" {
			t.Errorf("%d references of %q, want %d", len(got), c.needle, c.references)
		}
		if h := Hover(v, "main.tf", p, protocol.Markdown); (h != nil) != (c.references > 0) {
			t.Errorf("the hover on %q is %+v", c.needle, h)
		}
		Definition(v, "main.tf", p)
		Implementation(v, "main.tf", p)
	}
	for _, name := range []string{"main.tf", "override.tf"} {
		if hints := InlayHints(v, name, everything(v, name).Range); len(hints) < n {
			t.Errorf("%d hints in %s", len(hints), name)
		}
		if lenses := CodeLenses(v, fullClient, name); len(lenses) != 2 {
			t.Errorf("%d lenses in %s", len(lenses), name)
		}
		CodeActions(v, fullClient, name, everything(v, name))
		Completion(v, fullClient, name, protocol.Position{Line: 1})
	}
	if found := Diagnostics(v); len(found["override.tf"]) == 0 {
		t.Error("no diagnostics")
	}
}

func BenchmarkHover(b *testing.B) {
	v, at := benchmarked(b)
	for b.Loop() {
		Hover(v, "main.tf", at, protocol.Markdown)
	}
}

func BenchmarkReferences(b *testing.B) {
	v, at := benchmarked(b)
	for b.Loop() {
		References(v, "main.tf", at, true)
	}
}

func BenchmarkDiagnostics(b *testing.B) {
	v, _ := benchmarked(b)
	for b.Loop() {
		Diagnostics(v)
	}
}

// benchmarked is a module with many overrides, and the position of one. Everything that is computed
// once for each view has been computed.
func benchmarked(b *testing.B) (*view.View, protocol.Position) {
	v := viewOf(b, manyIn(5_000), engine.Default(), protocol.UTF16)
	it := v.Merged.Source.File("main.tf").Block(0).Items()[99]
	at := v.Range(source.Where(it)).Start
	Hover(v, "main.tf", at, protocol.Markdown)
	return v, at
}
