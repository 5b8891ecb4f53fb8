package jsontree

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// The first error of a text is explained where it is.
func TestErrors(t *testing.T) {
	for text, want := range map[string]struct {
		at   int
		what string
	}{
		"":                 {0, "The file is empty."},
		"\xef\xbb\xbf{}":   {0, "The file starts with a byte order mark"},
		"\xff\xfe{\x00":    {0, "The file is UTF-16."},
		"{} x":             {3, "The JSON value ends before this."},
		"{\"a\": 1,}":      {7, "No comma may follow the last value."},
		"[1, 2":            {0, "This bracket is never closed."},
		"{":                {0, "This bracket is never closed."},
		"[{]":              {2, "Expected the name of a property in double quotes."},
		"[1}":              {2, "Expected ] to close the innermost open bracket."},
		"[1 2]":            {3, "A comma is missing before this."},
		"[1 // c\n]":       {3, "A comma is missing before this. JSON doesn't allow comments"},
		"{'a': 1}":         {1, "Put the name of a property in double quotes."},
		"{a: 1}":           {1, "Expected the name of a property in double quotes."},
		"{\"a\" = 1}":      {5, "Expected a colon after the name of a property. JSON uses colons"},
		"\"a\nb\"":         {0, "This string is not closed on its line."},
		"\"a\x01\"":        {2, "A string can't hold a control character. Write \\u0001."},
		"\"\\x\"":          {1, "This is not an escape sequence of JSON."},
		"\"\\u12g4\"":      {1, "This is not an escape sequence of JSON."},
		"\"\\u12\"":        {1, "This is not an escape sequence of JSON."},
		"\"a":              {0, "This string is never closed."},
		"{\"a\":":          {5, "The file ends where a value is expected."},
		"[nul]":            {1, "Expected a value: an object, an array, a string, a number, true, false or null."},
		"['a']":            {1, "Expected a value: an object, an array, a string, a number, true, false or null. Put strings"},
		"[+1]":             {1, "Expected a value"},
		"[01]":             {1, "This is not a JSON number."},
		"[1.]":             {1, "This is not a JSON number."},
		"[1e]":             {1, "The exponent of this number has no digits."},
		"[1e999999999999]": {1, "OpenTofu and Terraform can't hold a number of this size."},
		"[\"\\u00e9\", -0.5e+7, true, false, null, {\"a\": {}, \"b\": []}]": {0, ""},
	} {
		_, diags := Parse(&source.File{Name: "main.tf.json", Raw: []byte(text)})
		if want.what == "" {
			if diags.HasErrors() {
				t.Errorf("%q: %s", text, diags)
			}
			continue
		}
		if len(diags) != 1 || !strings.HasPrefix(diags[0].Detail, want.what) || diags[0].Subject.Start.Byte != want.at {
			t.Errorf("%q: %s (at %d), want %q at %d", text, diags, diags[0].Subject.Start.Byte, want.what, want.at)
		}
	}
	for depth, isRefused := range map[int]bool{limits.MaxDepth: false, limits.MaxDepth + 1: true} {
		text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if _, diags := Parse(&source.File{Name: "main.tf.json", Raw: []byte(text)}); diags.HasErrors() != isRefused {
			t.Errorf("%d levels: %s", depth, diags)
		}
	}
}
