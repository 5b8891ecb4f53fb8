package load_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"pgregory.net/rapid"
)

// built is a native file with its blocks, whose trees are kept or not.
func built(t testing.TB, text string, keep bool) *source.File {
	t.Helper()
	f := &source.File{Name: "main.tf", Raw: []byte(text), Native: []byte(text), LineEnd: "\n"}
	parsed, diags := hclsyntax.ParseConfig(f.Native, f.Name, hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	build := new(source.Builder).For(f)
	for _, nb := range parsed.Body.(*hclsyntax.Body).Blocks {
		b, _ := build.Block(&source.Description{Tree: parse.Outline(nb)}, func(uint64, string) bool { return keep })
		if !keep {
			f.AddNames(b)
		}
		build.Add(b)
	}
	return f
}

// written writes an item from its spans: the text before each part, and the part.
func written(out *bytes.Buffer, it source.Item, at int) int {
	src := it.Source().Native
	upTo := func(r hcl.Range) {
		out.Write(src[at:r.Start.Byte])
		out.Write(it.Source().Text(r))
		at = r.End.Byte
	}
	switch it := it.(type) {
	case *source.Attr:
		upTo(it.Header())
		upTo(it.Value())
	case *source.Block:
		upTo(it.TypeAt())
		for i := range it.Labels {
			upTo(it.LabelAt(i))
		}
		upTo(it.OpenBrace())
		for _, inner := range it.Items() {
			at = written(out, inner, at)
		}
		upTo(it.CloseBrace())
	}
	return at
}

// The spans of a file's items and the text between them, in order, make up the file; the trivia of
// neighbours do not overlap, and enclose the item. This holds whether trees are kept or built
// again.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(rt, "seed"))
		for name, text := range g.Module() {
			for _, keep := range []bool{true, false} {
				f := built(t, text, keep)
				var out bytes.Buffer
				at := 0
				for i := range f.Len() {
					b := f.Block(i)
					at = written(&out, b, at)
					checkTrivia(rt, b)
				}
				out.Write(f.Native[at:])
				if diff := cmp.Diff(text, out.String()); diff != "" {
					rt.Errorf("%s, trees kept: %t (-want +got):\n%s", name, keep, diff)
				}
			}
		}
	})
}

func checkTrivia(t *rapid.T, b *source.Block) {
	around := source.AllTrivia(b)
	last := b.OpenBrace().End.Byte
	for i, it := range b.Items() {
		tr, at := around[i], it.Extent()
		if tr != source.TriviaOf(it) {
			t.Errorf("%s: %v, asked alone %v", at, tr, source.TriviaOf(it))
		}
		if tr.Lead < last || tr.Start < tr.Lead || at.Start.Byte < tr.Start || tr.End < at.End.Byte || tr.End > b.CloseBrace().Start.Byte {
			t.Errorf("%s: trivia %v, the item before ends at %d", at, tr, last)
		}
		last = tr.End
		if inner, ok := it.(*source.Block); ok {
			checkTrivia(t, inner)
		}
	}
}

// Blocks made from stubs are those that were kept.
func TestStubs(t *testing.T) {
	const text = "a \"b\" {\n  c = 1\n}\n\nd e \"f\" \"g\" {\n}\n\nlocals {\n  x = 1\n  y = 2\n}\n\nq \"a\\tb\" {}\n"
	kept, stubs := built(t, text, true), built(t, text, false)
	for i := range kept.Len() {
		want, got := kept.Block(i), stubs.Block(i)
		if got.Extent() != want.Extent() || got.Header() != want.Header() || got.Address() != want.Address() || kept.Key(i) != stubs.Key(i) {
			t.Errorf("block %d is %q at %s, want %q at %s", i, got.Address(), got.Extent(), want.Address(), want.Extent())
		}
		if stubs.TypeOf(i) != want.Type || !bytes.Equal(stubs.TextOf(i), kept.Text(want.Extent())) {
			t.Errorf("block %d is a %s: %s", i, stubs.TypeOf(i), stubs.TextOf(i))
		}
		if stubs.Block(i) != got {
			t.Errorf("block %d is another one when asked for again", i)
		}
		for n, it := range want.Items() {
			if other := got.Items()[n]; other.Extent() != it.Extent() || other.Within() != got || other != got.Items()[n] {
				t.Errorf("item %d of block %d is at %s in %v, want %s", n, i, other.Extent(), other.Within(), it.Extent())
			}
		}
	}
	names := map[uint64]int{}
	stubs.Names(func(key uint64, block int) { names[key] = block })
	if len(names) != 3 {
		t.Errorf("%d names are remembered, want c, x and y", len(names))
	}
	stubs.Forget()
	if stubs.Len() != 0 {
		t.Errorf("%d blocks are left", stubs.Len())
	}
}

// The item at each offset of a file is the innermost one that covers it, here identified by the
// first letter of its name. The holder of an inexpressible part is the same item, but never nil.
func TestItemAt(t *testing.T) {
	for _, c := range []struct{ name, text, at, holders string }{
		{
			"main.tf", "a \"b\" {\n  c = [1]\n  d {\n    e = 2\n  }\n}\nf {}\n",
			"aaaaaaaaaacccccccaaaddddddddeeeeeddddaa.ffff.", "",
		},
		{
			"main.tf.json", `{"locals": {"a": [1], "b": 2}, "check": {"d": {"assert": [{"condition": 3}, {}], "data": {"e": {"f": {}}}}}}`,
			`.lllllllllllaaaaaaaallbbbbbbl..ccccccccccccccccaaaaaaaaaaaaccccccccccccccaaaaacccddddddddddddddddddddddccc..`,
			`llllllllllllllllllllllllllllllllllllllllllllllcaaaaaaaaaaaaccccccccccccccaaaaacccddddddddddddddddddddddccccc`,
		},
	} {
		m, _ := loadtest.Files(t, map[string][]byte{c.name: []byte(c.text)}, load.Options{})
		f := m.File(c.name)
		var got, holders strings.Builder
		for i := range c.text {
			mark := byte('.')
			if it := f.ItemAt(i); it != nil {
				mark = it.Called()[0]
			}
			got.WriteByte(mark)
			if f.Syntax == source.JSON {
				holders.WriteByte(f.HolderOf(uint32(i)).Called()[0])
			}
		}
		if got.String() != c.at || holders.String() != c.holders {
			t.Errorf("%s:\n%s\n%s\n%s, want\n%s\n%s", c.name, strings.ReplaceAll(c.text, "\n", "~"), &got, &holders, c.at, c.holders)
		}
	}
}

// The ranges that a JSON file gives an item: its whole text, its value, and the property around it;
// and text that belongs to no item.
func TestOrigins(t *testing.T) {
	m, _ := loadtest.Files(t, map[string][]byte{
		"main.tf.json":     []byte(`{"//": "root", "resource": {"t": {"a": {"x": 1, "disk": [{"//": "one", "s": 1}, {"s": 2}], "void": [], "bad": "${", "guess": {"y": 1}}}}}`),
		"override.tf.json": []byte(`{"resource": {"t": {"a": {"lifecycle": [], "void": null}}}}`),
	}, load.Options{})
	var got []string
	note := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
	for _, f := range m.Files {
		for _, at := range f.Remarks {
			note("%s: comment %s", f.Name, f.Raw[at[0]:at[1]])
		}
		b := f.Block(0)
		note("%s: block %s at %s", f.Name, f.Raw[b.From.Value[0]:b.From.Value[1]], source.Where(b))
		for _, idle := range b.Idle() {
			note("%s: nothing %s at %s", f.Name, idle.Name, source.Where(idle))
		}
		for name, text := range b.Voids() {
			note("%s: void %s %s", f.Name, name, text)
		}
		for _, it := range b.Items() {
			from, to := source.Spread(it)
			line := fmt.Sprintf("%s: %s", f.Name, f.Raw[from:to])
			switch it := it.(type) {
			case *source.Attr:
				line += fmt.Sprintf(" gives %s, told %s, guess %t, void %t", it.Raw(), it.Display(), source.IsGuess(it), it.IsVoid())
			case *source.Block:
				at := it.From.Property
				line += fmt.Sprintf(" in %s at %d, guess %t, comments %v", f.Raw[at[0]:at[1]], at[0], source.IsGuess(it), it.Remarks())
			}
			got = append(got, line)
		}
		f.EachInexpressible(func(it source.Item, d *hcl.Diagnostic) {
			note("%s: doubt about %s: %s", f.Name, it.Called(), d.Summary)
		})
	}
	want := []string{
		`main.tf.json: comment "root"`,
		`main.tf.json: block {"x": 1, "disk": [{"//": "one", "s": 1}, {"s": 2}], "void": [], "bad": "${", "guess": {"y": 1}} at main.tf.json:1,35-38`,
		`main.tf.json: "x": 1 gives 1, told 1, guess false, void false`,
		`main.tf.json: "disk": [{"//": "one", "s": 1} in [{"//": "one", "s": 1}, {"s": 2}] at 56, guess true, comments [[64 69]]`,
		`main.tf.json: "disk": [{"//": "one", "s": 1}, {"s": 2} in [{"//": "one", "s": 1}, {"s": 2}] at 56, guess true, comments []`,
		`main.tf.json: "void": [] gives [], told [], guess true, void true`,
		`main.tf.json: "bad": "${" gives "${", told "${", guess false, void false`,
		"main.tf.json: \"guess\": {\"y\": 1} gives {\"y\": 1}, told {\n    y = 1\n  }, guess true, void false",
		"main.tf.json: doubt about bad: Invalid template",
		`override.tf.json: block {"lifecycle": [], "void": null} at override.tf.json:1,21-24`,
		"override.tf.json: nothing lifecycle at override.tf.json:1,27-38",
		`override.tf.json: "void": null gives null, told null, guess true, void true`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Lines and columns equal the parser's, whatever characters a line contains, and whichever position
// is computed first.
func TestRawRange(t *testing.T) {
	text := strings.Repeat("# é🚀e\u0301👨\u200d👩\r\n", 100) + strings.Repeat("é", 2000) + "\nx"
	tokens, _ := hclsyntax.LexConfig([]byte(text), "main.tf", hcl.InitialPos)
	for _, step := range []int{1, -1} {
		f := &source.File{Name: "main.tf", Raw: []byte(text)}
		for n := range tokens {
			i := n
			if step < 0 {
				i = len(tokens) - 1 - n
			}
			at := tokens[i].Range
			if got := f.RawRange([2]uint32{uint32(at.Start.Byte), uint32(at.End.Byte)}); got != at {
				t.Fatalf("%d bytes are at %s, want %s", at.Start.Byte, got, at)
			}
		}
	}
}

// Comments directly above an item are its lead comments; comments behind it on its line trail it.
func TestTrivia(t *testing.T) {
	const text = "# head\n\n# lead\n# more\na {} # tail\n# apart\n\n/* in */ b {\n} /* t */ # u\n// last\n"
	f := built(t, text, true)
	var got []string
	for i := range f.Len() {
		b := f.Block(i)
		tr := source.TriviaOf(b)
		got = append(got, fmt.Sprintf("%s: %q %q lead: %t", b.Type, text[tr.Lead:tr.Start], text[tr.Start:tr.End], tr.HasLead()))
	}
	want := []string{
		`a: "# lead\n# more\n" "a {} # tail" lead: true`,
		`b: "" "/* in */ b {\n} /* t */ # u" lead: false`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The expression of a value equals the one in the parser's tree of the whole file.
func TestExpr(t *testing.T) {
	const text = "a {\n  b = [1, \"x${c}\"]\n  d = <<-E\n    x\n  E\n  e = f(\n    1)\n  g = h ? 1 : <<E\nx\nE\n}\n"
	parsed, _ := hclsyntax.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	body := parsed.Body.(*hclsyntax.Body).Blocks[0].Body
	for _, it := range built(t, text, true).Block(0).Items() {
		a := it.(*source.Attr)
		want := body.Attributes[a.Name].Expr
		if got := a.Expr(); got.Range() != want.Range() || loadtest.Structure(got) != loadtest.Structure(want) {
			t.Errorf("%s is %s at %s, want %s at %s", a.Name, loadtest.Structure(got), got.Range(), loadtest.Structure(want), want.Range())
		}
		if changed := a.With(want); changed.Expr() != want || changed.Name != a.Name {
			t.Errorf("%s has another expression than the one given to it", a.Name)
		}
	}
}

// The contents of a block are the same for several readers at once, and as long as one of them
// holds an item.
func TestItemsStay(t *testing.T) {
	f := built(t, "a \"x\" {\n  b = 1\n  c {\n    d = 2\n  }\n}\n", false)
	found := make([]source.Item, 8)
	var wg sync.WaitGroup
	for i := range found {
		wg.Go(func() { found[i] = f.Block(0).Blocks("c")[0].Attr("d") })
	}
	wg.Wait()
	for range 3 {
		runtime.GC()
		for i, it := range found {
			if it != found[0] || it != f.Block(0).Items()[1].(*source.Block).Attr("d") || source.Top(it) != f.Block(0) {
				t.Fatalf("reader %d has another item", i)
			}
		}
	}
}

// Items know their block.
func TestWithin(t *testing.T) {
	f := built(t, "a \"x\" {\n  dynamic \"b\" {\n    content {\n      c = 1\n    }\n  }\n  dynamic {}\n}\n", true)
	a := f.Block(0)
	dynamic := a.Blocks("dynamic")
	content := source.ContentOf(dynamic[0])
	c := content.Attr("c")
	if dynamic[0].Called() != "b" || dynamic[1].Called() != "dynamic" || source.ContentOf(dynamic[1]) != dynamic[1] || content.Type != "content" {
		t.Errorf("dynamic blocks are called %s and %s", dynamic[0].Called(), dynamic[1].Called())
	}
	if source.Top(c) != a || source.Top(a) != a || c.Within() != content || a.Within() != nil || source.IsOverride(c) || source.Where(c) != c.Header() {
		t.Errorf("c is in %v of %v", c.Within(), source.Top(c))
	}
	if a.Attr("c") != nil || new(source.Block).Attr("c") != nil || new(source.Block).Blocks("b") != nil {
		t.Error("there is an argument where there is none")
	}
}
