package feature

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

func TestHover(t *testing.T) {
	loadtest.Run(t, "testdata/hover", func(t *testing.T, c *loadtest.Case) map[string]string {
		v := caseView(t, c)
		return map[string]string{"hover": hovers(v, protocol.Markdown)}
	})
}

// A client that shows plain text only gets no markup.
func TestHoverPlain(t *testing.T) {
	v := viewOf(t, map[string][]byte{
		"main.tf":     []byte("resource \"x_y\" \"z\" {\n  a = \"*1*\"\n}\n"),
		"override.tf": []byte("resource \"x_y\" \"z\" {\n  a = \"`2`\"\n}\n"),
	}, engine.Default(), protocol.UTF8)
	for _, kind := range []protocol.MarkupKind{protocol.PlainText, ""} {
		h := Hover(v, "main.tf", protocol.Position{Line: 1, Character: 7}, kind)
		const want = `x_y.z.a = "` + "`2`" + `"

- effective override.tf:2 "` + "`2`" + `"
- replaced main.tf:2 "*1*"

Replaced as a whole.`
		if h == nil || h.Contents.Kind != protocol.PlainText || h.Contents.Value != want {
			t.Errorf("%q: %+v", kind, h)
		}
	}
}

// There is a hover on the name, on the value, and right behind either.
func TestHoverRange(t *testing.T) {
	for name, text := range map[string]string{
		"override.tf":      "resource \"x_y\" \"é😀\" {\n  /* 😀 */ ab = \"😀\" # x\n}\n",
		"override.tf.json": "{\"resource\": {\"x_y\": {\"é😀\": {\n  \"😀\": 1, \"ab\": \"😀\" \n}}}}\n",
	} {
		for _, crlf := range []bool{false, true} {
			if crlf {
				text = strings.ReplaceAll(text, "\n", "\r\n")
			}
			files := map[string][]byte{"main.tf": []byte("resource \"x_y\" \"é😀\" {\n}\n"), name: []byte(text)}
			for _, enc := range []protocol.PositionEncodingKind{protocol.UTF8, protocol.UTF16, protocol.UTF32} {
				checkHovers(t, viewOf(t, files, engine.Default(), enc), name, text)
			}
		}
	}
}

func checkHovers(t *testing.T, v *view.View, name, text string) {
	t.Helper()
	doc := v.Text(name)
	for _, c := range []struct{ at, want string }{
		{"ab", "ab"}, {"\"😀\" ", ""}, {"é😀", "é😀"}, {"x_y", ""}, {"# x", "-"}, {"}", "-"}, {"/*", "-"},
	} {
		at := strings.LastIndex(text, c.at)
		if at < 0 {
			continue
		}
		h := Hover(v, name, doc.Position(at, v.Encoding), protocol.Markdown)
		switch {
		case h == nil && c.want != "-" && !(c.at == "x_y" && strings.HasSuffix(name, ".json")):
			t.Errorf("%s: no hover at %q", name, c.at)
		case h != nil && c.want == "-":
			t.Errorf("%s: a hover at %q: %s", name, c.at, h.Contents.Value)
		case h != nil && c.want != "":
			from, to := doc.Offset(h.Range.Start, v.Encoding), doc.Offset(h.Range.End, v.Encoding)
			if got := text[from:to]; !strings.Contains(got, c.want) || strings.Contains(got, "\n") {
				t.Errorf("%s: the hover at %q is on %q", name, c.at, got)
			}
		}
	}
}

// hovers writes the hovers on the names of all items of a module.
func hovers(v *view.View, kind protocol.MarkupKind) string {
	var out strings.Builder
	everyItem(v, func(it source.Item) {
		at := v.Range(source.Where(it))
		fmt.Fprintf(&out, "### %s %s\n", wording.Place(it), wording.Name(it))
		if h := Hover(v, it.Source().Name, at.Start, kind); h != nil {
			out.WriteString(h.Contents.Value + "\n\n")
		}
	})
	return strings.ReplaceAll(out.String(), "(https://github.com/tofumerge/tofumerge/blob/main/", "(")
}

// everyItem visits all items of all files.
func everyItem(v *view.View, visit func(source.Item)) {
	var inside func(source.Item)
	inside = func(it source.Item) {
		visit(it)
		if b, ok := it.(*source.Block); ok {
			for _, inner := range b.Items() {
				inside(inner)
			}
		}
	}
	for _, f := range v.Merged.Source.Files {
		for i := range f.Len() {
			inside(f.Block(i))
		}
	}
}

// A hover is short and has no control characters, whatever the files contain.
func TestHoverOfOddTexts(t *testing.T) {
	long := strings.Repeat("ä", 100_000)
	var lines strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&lines, "    %d\n", i)
	}
	heredoc := "<<-EOT\n" + lines.String() + "  EOT"
	native := func(a, b string) []byte {
		return fmt.Appendf(nil, "resource \"x_y\" \"%s\" {\n  a = \"%s\"\n  b = %s\n  c = [%s]\n}\n", long, a, b, strings.Repeat("\n    1,", 10_000))
	}
	odd := `{"resource":{"x_y":{"\u001b[31m\u202e\n# h":{"a\u0000\r\n- b":%s,"\n":["\u0007"]}}}}`
	v := viewOf(t, map[string][]byte{
		"main.tf": native(long, heredoc), "override.tf": native(long+"x", strings.Replace(heredoc, "7", "8", 1)),
		"odd.tf.json": fmt.Appendf(nil, odd, "1"), "odd_override.tf.json": fmt.Appendf(nil, odd, `"\u0085\u2028"`),
	}, engine.Default(), protocol.UTF16)
	n := 0
	everyItem(v, func(it source.Item) {
		h := Hover(v, it.Source().Name, v.Range(source.Where(it)).Start, protocol.Markdown)
		if h == nil {
			t.Fatalf("%s: no hover", wording.Place(it))
		}
		n++
		text := h.Contents.Value
		if len(text) > 8_000 || strings.Count(text, "\n") > 40 {
			t.Errorf("%s: the hover has %d bytes in %d lines", wording.Place(it), len(text), strings.Count(text, "\n"))
		}
		if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
			t.Errorf("%s: %q", wording.Place(it), text)
		}
	})
	if n != 14 {
		t.Errorf("%d hovers", n)
	}
}
