package feature

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A cursor in JSON knows the objects around it, even if the text is incomplete.
func TestJSONCursor(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"‸", ""},
		{"{‸", "name"},
		{"{‸}", "name"},
		{"{\"‸", "name"},
		{"{\"re‸\"}", "name re"},
		{"{\"re‸s\": 1}", "name re with value"},
		{"{re‸", "name re"},
		{"{\"a\": ‸}", ""},
		{"{\"a\": \"‸\"}", ""},
		{"{\"a\"‸}", ""},
		{"{\"a\": 1‸}", ""},
		{"{\"a\": 1 ‸}", ""},
		{"{\"a\": 1\n ‸}", "name, comma at 7 has a"},
		{"{\"a\": 1,‸}", "name has a"},
		{"{\"a\": 1 \"b‸\"}", "name b, comma at 7 has a"},
		{"{‸\"b\": 1}", "name before has b"},
		{"{\"x‸\n\"b\": 1, \"c\": {\"d\": 2}}", "name x before has b,c"},
		{"{\"x‸: 1, \"b\": 1}", "name x with value has b"},
		{"[{\"a\": {\"b\": [{\"c\": 1, ‸}, {\"d\": 1}]}}]", "name in a/b has c"},
		{"{\"a\": {\"b\": [‸]}}", ""},
		{"{\"a\": {}, \"b\": {\"c\\u0022\": {‸}}}", "name in b/c\""},
		{"{\"a\": \"{\", \"b\\\"{\": \"\\\\\", ‸}", "name has a,b\"{"},
		{"}]{‸", "name"},
	} {
		offset := strings.Index(test.text, cursorMark)
		src := []byte(strings.Replace(test.text, cursorMark, "", 1))
		if got := describeJSON(jsonCursorAt(src, offset)); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

func describeJSON(c jsonCursor, ok bool) string {
	if !ok {
		return ""
	}
	text := "name"
	if c.word != "" {
		text += " " + c.word
	}
	if c.hasValue {
		text += " with value"
	}
	if c.isBefore {
		text += " before"
	}
	if c.comma >= 0 {
		text += fmt.Sprintf(", comma at %d", c.comma)
	}
	if path := c.path(); len(path) > 0 {
		text += " in " + strings.Join(path, "/")
	}
	if has := c.around[len(c.around)-1].has; len(has) > 0 {
		text += " has " + strings.Join(sortedKeys(has), ",")
	}
	return text
}

// The range that completion replaces contains the cursor, and a property that is written there
// leaves valid JSON valid.
func FuzzJSONCursor(f *testing.F) {
	for _, text := range []string{"{}", `{"a": {"b": [1, {"c": "d"}]}, "e": null}`, "{\"a\": 1\n}", `{"a`, `[{"\u0022": [}`} {
		for at := range text {
			f.Add([]byte(text), at)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, at int) {
		if at < 0 || at > len(src) || len(src) > 4<<10 {
			return
		}
		c, ok := jsonCursorAt(src, at)
		if !ok {
			return
		}
		if c.from > at || c.to < at || c.to > len(src) || c.comma > c.from {
			t.Fatalf("%q at %d: %+v", src, at, c)
		}
		made := `"made"`
		if !c.hasValue {
			made += ": 1"
			if c.isBefore {
				made += ","
			}
		}
		after := bytes.Join([][]byte{src[:c.from], src[c.to:]}, []byte(made))
		if c.comma >= 0 {
			after = bytes.Join([][]byte{after[:c.comma], after[c.comma:]}, []byte(","))
		}
		if json.Valid(src) && !json.Valid(after) {
			t.Errorf("%q at %d becomes %q", src, at, after)
		}
	})
}
