package gitrev

import (
	"strings"
	"testing"
)

// A tree with names that git refuses to write, or that is cut off, is malformed.
func TestOddTrees(t *testing.T) {
	id := strings.Repeat("i", 20)
	for text, want := range map[string]bool{
		"":                                       true,
		"100644 a.tf\x00" + id:                   true,
		"100644 a\x00" + id + "40000 b\x00" + id: true,
		"40000 ..\x00" + id:                      false,
		"40000 .\x00" + id:                       false,
		"40000 a/b\x00" + id:                     false,
		"40000 \x00" + id:                        false,
		"40000\x00" + id:                         false,
		"100644 a.tf\x00" + id[1:]:               false,
		"100644 a.tf":                            false,
	} {
		if _, err := parseTree([]byte(text), 20); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
