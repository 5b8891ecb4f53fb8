package feature

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// cursorMark marks the cursor in a test file.
const cursorMark = "‸"

// Completion at each mark of an override file. The text has only that mark.
func TestCompletion(t *testing.T) {
	loadtest.Run(t, "testdata/completion", func(t *testing.T, c *loadtest.Case) map[string]string {
		var out strings.Builder
		for _, name := range []string{"main.tf", "x_override.tf"} {
			parts := strings.Split(string(c.Files[name]), cursorMark)
			for i := range len(parts) - 1 {
				before := strings.Join(parts[:i+1], "")
				c.Files[name] = []byte(before + strings.Join(parts[i+1:], ""))
				line := before[strings.LastIndexByte(before, '\n')+1:]
				fmt.Fprintf(&out, "==> %s:%d: %s%s\n", name, strings.Count(before, "\n")+1, strings.TrimSpace(line), cursorMark)
				writeCompletion(t, &out, c, name, len(before))
			}
		}
		return map[string]string{"completion": out.String()}
	})
}

func writeCompletion(t *testing.T, out *strings.Builder, c *loadtest.Case, name string, offset int) {
	t.Helper()
	v := caseView(t, c)
	text := v.Text(name)
	list := Completion(v, fullClient, name, text.Position(offset, v.Encoding))
	if list == nil {
		out.WriteString("nothing\n")
		return
	}
	for _, item := range list.Items {
		r := item.TextEdit.Range
		from, to := text.Offset(r.Start, v.Encoding), text.Offset(r.End, v.Encoding)
		if from > offset || to < offset || bytes.ContainsRune(text.Bytes()[from:to], '\n') {
			t.Errorf("%s replaces %q, but the cursor is elsewhere", item.Label, text.Bytes()[from:to])
		}
		fmt.Fprintf(out, "%s | %s | %q → %q\n", item.Label, item.Detail, text.Bytes()[from:to], item.TextEdit.NewText)
	}
}

// A cursor knows its context, even in incomplete text.
func TestCursor(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"‸", "name"},
		{"  ‸", "name"},
		{"res‸", "name res"},
		{"re‸s", "name res"},
		{"résu‸", "name résu"},
		{"\ufeffre‸", "name re"},
		{"resource ‸", "label of resource"},
		{"resource \"‸", "label of resource"},
		{"resource \"aws‸", "label of resource aws"},
		{"resource \"aws‸\"", "label of resource aws closed"},
		{"resource \"aws\" \"we‸b\" {", "label of resource,aws web closed"},
		{"resource \"aws‸ \"web\" {", "label of resource aws"},
		{"resource aws we‸", "label of resource,aws we"},
		{"resource \"a\" \"b\" {‸", "name in resource,a,b"},
		{"resource \"a\" \"b\" {\n  x = 1\n  ‸\n  y = 2\n  z {\n    w = 1\n  }\n}\nlocals {}", "name in resource,a,b with x,y,z"},
		{"resource \"a\" \"b\" { x‸ }", "name x in resource,a,b"},
		{"resource \"a\" \"b\" {\n  z {\n    ‸\n", "name in resource,a,b/z"},
		{"a {\n} ‸", ""},
		{"a {\n}\n‸", "name with a"},
		{"a {\n  x = ‸", ""},
		{"a {\n  x = [\n    ‸", ""},
		{"a {\n  x = {\n    y = 1\n    ‸", ""},
		{"a {\n  x = {\n    y = 1\n  }\n  ‸", "name in a with x"},
		{"a {\n  x = \"b {\n  ‸", "name in a with x"},
		{"a {\n  x = \"${\n  ‸", ""},
		{"a {\n  x = \"$${ %%{ \\\" }\"\n  ‸", "name in a with x"},
		{"a {\n  x = \"‸", ""},
		{"a {\n  x = <<E\nb {\n‸", ""},
		{"a {\n  x = <<-E\n  ${y} }\n  E\n  ‸", "name in a with x"},
		{"# a‸", ""},
		{"// a {\n‸", "name"},
		{"/* a ‸", ""},
		{"/* a\n‸ */", ""},
		{"/* a */ ‸", "name"},
		{"a { # b\n‸", "name in a"},
		{"}\n}\na {\n‸", "name in a"},
		{"12‸", ""},
		{"a.b‸", ""},
		{"a {\r\n  ‸\r\n}\r\n", "name in a"},
		{"x \"a\\\"b\" ‸", "label of x,a\\\"b"},
		{"x \"a${b}‸", ""},
	} {
		offset := strings.Index(test.text, cursorMark)
		src := []byte(strings.Replace(test.text, cursorMark, "", 1))
		if got := describe(src, cursorAt(src, offset)); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// describe words a cursor.
func describe(src []byte, c cursor) string {
	if c.at == atNothing {
		return ""
	}
	if c.at == atLabel {
		text := "label of " + strings.Join(append([]string{c.header.typ}, c.header.labels...), ",")
		if word := string(src[c.from:c.to]); word != "" {
			text += " " + word
		}
		if c.isClosed {
			text += " closed"
		}
		return text
	}
	text := "name"
	if word := string(src[c.from:c.to]); word != "" {
		text += " " + word
	}
	var around []string
	for _, w := range c.around[1:] {
		around = append(around, strings.Join(append([]string{w.typ}, w.labels...), ","))
	}
	if len(around) > 0 {
		text += " in " + strings.Join(around, "/")
	}
	if has := c.around[len(c.around)-1].has; len(has) > 0 {
		text += " with " + strings.Join(sortedKeys(has), ",")
	}
	return text
}

// Reading stops after many lines with an unterminated quote.
func TestCursorIsLinear(t *testing.T) {
	loadtest.Linear(t, "quotes", 50, func(size int) {
		src := bytes.Repeat([]byte("a = \"b\nc {\n"), size)
		if got := describe(src, cursorAt(src, len(src))); got != "" {
			t.Error(got)
		}
	})
}

// Complete blocks are skipped quickly.
func BenchmarkCursor(b *testing.B) {
	src := append(bytes.Repeat([]byte("resource \"a\" \"b\" {\n  x = <<E\n}\nE\n  y = [1]\n}\n"), 10_000), "resource \"a\" \"c\" {\n  x = "...)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		cursorAt(src, len(src))
	}
}

// A long list is cut and marked as incomplete.
func TestCompletionIsBounded(t *testing.T) {
	var main strings.Builder
	for i := range 2 * maxCompletions {
		fmt.Fprintf(&main, "resource \"a\" \"n%d\" {}\n", i)
	}
	files := map[string][]byte{"main.tf": []byte(main.String()), "x_override.tf": []byte("n599")}
	v := viewOf(t, files, engine.Default(), protocol.UTF16)
	if list := Completion(v, fullClient, "x_override.tf", protocol.Position{}); len(list.Items) != maxCompletions || !list.IsIncomplete {
		t.Errorf("%d items", len(list.Items))
	}
	list := Completion(v, fullClient, "x_override.tf", protocol.Position{Character: 4})
	if len(list.Items) != 1 || list.IsIncomplete {
		t.Errorf("%+v", list)
	}
}

func sortedKeys(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
