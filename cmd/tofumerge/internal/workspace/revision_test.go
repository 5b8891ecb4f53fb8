package workspace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The name of a revision ends at the first colon outside of braces.
func TestParseRev(t *testing.T) {
	for text, want := range map[string]Rev{
		"git:main":                      {Name: "main"},
		"git:main:":                     {Name: "main", HasDir: true},
		"git:main:a/b":                  {"main", "a/b", true},
		"git:main:a:b":                  {"main", "a:b", true},
		"git:":                          {},
		"git::a":                        {Dir: "a", HasDir: true},
		"git:main@{2024-05-01 10:00}":   {Name: "main@{2024-05-01 10:00}"},
		"git:main@{2024-05-01 10:00}:a": {"main@{2024-05-01 10:00}", "a", true},
		"git:HEAD^{/fix: it}:a":         {"HEAD^{/fix: it}", "a", true},
		"git:}:a":                       {"}", "a", true},
	} {
		got, ok := ParseRev(text)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{"", ".", "./git:main", "github:x", "Git:main"} {
		if _, ok := ParseRev(text); ok {
			t.Errorf("%q is taken for a revision", text)
		}
	}
}
