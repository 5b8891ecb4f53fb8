package load_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"pgregory.net/rapid"
)

// The items of a JSON file are the items of its native text, which is formatted; each one keeps the
// range of the JSON text that it is from.
func TestJSONItems(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(rt, "seed"))
		g.EOL, g.Tidy, g.Engine = "\n", true, loadtest.DrawEngine(rt)
		files := map[string][]byte{}
		for name, text := range loadtest.Mixed(t, g, g.Module()) {
			files[name] = []byte(text)
		}
		src, diags := loadtest.Files(t, files, load.Options{Engine: g.Engine})
		if diags.HasErrors() {
			rt.Skip("refused")
		}
		for _, f := range src.Files {
			if f.Syntax == source.JSON {
				checkNativeText(rt, f)
			}
		}
	})
}

func checkNativeText(t *rapid.T, f *source.File) {
	if diff := cmp.Diff(string(hclwrite.Format(f.Native)), string(f.Native)); diff != "" {
		t.Errorf("%s is not clean (-formatted +got):\n%s", f.Name, diff)
	}
	parsed, diags := hclsyntax.ParseConfig(f.Native, f.Name, hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %s\n%s", f.Name, diags, f.Native)
	}
	blocks := parsed.Body.(*hclsyntax.Body).Blocks
	if len(blocks) != f.Len() {
		t.Fatalf("%s: %d blocks, want %d", f.Name, f.Len(), len(blocks))
	}
	for i, want := range blocks {
		checkBlock(t, f, f.Block(i), want)
	}
}

func checkBlock(t *rapid.T, f *source.File, b *source.Block, want *hclsyntax.Block) {
	if b.Type != want.Type || !slices.Equal(b.Labels, want.Labels) || !isAt(b.TypeAt(), want.TypeRange) || !isAt(b.Header(), want.DefRange()) || !isAt(b.CloseBrace(), want.CloseBraceRange) {
		t.Errorf("%s: block %s %q at %s, want that at %s", f.Name, b.Type, b.Labels, b.Extent(), want.TypeRange)
	}
	if at := given(f, f.Place(b.TypeAt())); at != "{" && !strings.HasPrefix(at, `"`) {
		t.Errorf("%s: block %s leads to %q", f.Name, b.Type, at)
	}
	for i, label := range b.Labels {
		if at := given(f, f.Place(b.LabelAt(i))); at != strconv.Quote(label) {
			t.Errorf("%s: the label %q leads to %q", f.Name, label, at)
		}
	}
	nested := 0
	for _, it := range b.Items() {
		switch it := it.(type) {
		case *source.Block:
			checkBlock(t, f, it, want.Body.Blocks[nested])
			nested++
		case *source.Attr:
			checkAttr(t, f, it, want.Body.Attributes[it.Name])
		}
	}
	if nested != len(want.Body.Blocks) || len(b.Items()) != nested+len(want.Body.Attributes) {
		t.Errorf("%s: block %s has %d items, want %d", f.Name, b.Type, len(b.Items()), nested+len(want.Body.Attributes))
	}
}

func checkAttr(t *rapid.T, f *source.File, a *source.Attr, want *hclsyntax.Attribute) {
	if want == nil || !isAt(a.Extent(), want.SrcRange) || !isAt(a.Header(), want.NameRange) || !isAt(a.Value(), want.Expr.Range()) {
		t.Errorf("%s: argument %s at %s, want %v", f.Name, a.Name, a.Extent(), want)
		return
	}
	if got := given(f, f.Place(a.Header())); got != strconv.Quote(a.Name) {
		t.Errorf("%s: the name %s leads to %q", f.Name, a.Name, got)
	}
	if obj, ok := want.Expr.(*hclsyntax.ObjectConsExpr); ok {
		for _, item := range obj.Items {
			if got := given(f, f.Place(item.KeyExpr.Range())); !strings.HasPrefix(got, `"`) {
				t.Errorf("%s: a key of %s leads to %q", f.Name, a.Name, got)
			}
		}
	}
	if got := given(f, f.Place(a.Value())); got != string(a.Raw()) {
		t.Errorf("%s: the value of %s leads to %q, want %q", f.Name, a.Name, got, a.Raw())
	}
}

// isAt reports whether two ranges cover the same bytes of the same lines. Columns
// in the native text of a JSON file are bytes.
func isAt(a, b hcl.Range) bool {
	return a.Start.Byte == b.Start.Byte && a.End.Byte == b.End.Byte && a.Start.Line == b.Start.Line && a.End.Line == b.End.Line
}

func given(f *source.File, r hcl.Range) string {
	return string(f.Raw[r.Start.Byte:r.End.Byte])
}
