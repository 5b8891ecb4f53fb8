package equal

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func jsonTokens(text string, leftOut map[int]bool) (list []string) {
	eachJSONToken([]byte(text), leftOut, func(_ kind, text []byte) { list = append(list, string(text)) })
	return list
}

// A property is left out by the range of its value, whatever the value.
func TestJSONTokens(t *testing.T) {
	for _, value := range []string{`"a\"}"`, `[1, {"b": ["]"]}, []]`, `{"c": {}}`, "null", "-1.5e3"} {
		text := `{"a": 1, "//" : ` + value + ` , "b": "//", "//": 2}`
		at := map[int]bool{strings.Index(text, value): true}
		want := []string{"{", `"a"`, ":", "1", `"b"`, ":", `"//"`, `"//"`, ":", "2", "}"}
		if got := jsonTokens(text, at); !slices.Equal(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// Blanks between tokens are ignored, and nothing else.
func FuzzJSONTokens(f *testing.F) {
	f.Add(`{"a": [1, "\"", null]}`, 5)
	f.Add(`[[`, 1)
	f.Add(`"\`, 0)
	f.Add(`{"//":`, 6)
	f.Fuzz(func(t *testing.T, text string, at int) {
		jsonTokens(text, map[int]bool{at: true}) // any text, without an end
		var compact bytes.Buffer
		if json.Compact(&compact, []byte(text)) != nil {
			return
		}
		got := jsonTokens(text, nil)
		if !slices.Equal(got, jsonTokens(compact.String(), nil)) {
			t.Errorf("%q and %q have other tokens", text, compact.String())
		}
		if joined, want := strings.Join(got, ""), strings.ReplaceAll(compact.String(), ",", ""); strings.ReplaceAll(joined, ",", "") != want {
			t.Errorf("%q has the tokens %q", text, got)
		}
	})
}
