package workspace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The name of a revision ends at the first colon outside of braces.
func TestParseRev(t *testing.T) {
	for text, want := range map[string]Rev{
		"main":                      {Name: "main"},
		"main:":                     {Name: "main", HasDir: true},
		"main:a/b":                  {"main", "a/b", true},
		"main:a:b":                  {"main", "a:b", true},
		"main...":                   {Name: "main..."},
		"main@{2024-05-01 10:00}":   {Name: "main@{2024-05-01 10:00}"},
		"main@{2024-05-01 10:00}:a": {"main@{2024-05-01 10:00}", "a", true},
		"HEAD^{/fix: it}:a":         {"HEAD^{/fix: it}", "a", true},
		"}:a":                       {"}", "a", true},
	} {
		got, err := ParseRev("since", text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v (-want +got):\n%s", text, err, diff)
		}
		if got.String() != text {
			t.Errorf("%q is written as %q", text, got.String())
		}
	}
	for text, want := range map[string]string{
		"":         "--since needs the name of a revision, such as main or HEAD~1",
		":a":       "--since needs the name of a revision, such as main or HEAD~1",
		"git:":     "--since needs the name of a revision, such as main or HEAD~1",
		"git:main": "--since takes the bare name of a revision; use --since main",
	} {
		if _, err := ParseRev("since", text); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
