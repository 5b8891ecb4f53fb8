package workspace_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// The name of a revision ends at the first colon outside of braces.
func TestParseRev(t *testing.T) {
	for text, want := range map[string]workspace.Rev{
		"main":                      {Name: "main"},
		"main:":                     {Name: "main", HasDir: true},
		"main:a/b":                  {Name: "main", Dir: "a/b", HasDir: true},
		"main:a:b":                  {Name: "main", Dir: "a:b", HasDir: true},
		"main...":                   {Name: "main..."},
		"main@{2024-05-01 10:00}":   {Name: "main@{2024-05-01 10:00}"},
		"main@{2024-05-01 10:00}:a": {Name: "main@{2024-05-01 10:00}", Dir: "a", HasDir: true},
		"HEAD^{/fix: it}:a":         {Name: "HEAD^{/fix: it}", Dir: "a", HasDir: true},
		"}:a":                       {Name: "}", Dir: "a", HasDir: true},
		"a..b":                      {Name: "a", Right: "b"},
		"a...b":                     {Name: "a...b", Right: "b"},
		"a:d..b":                    {Name: "a", Dir: "d", HasDir: true, Right: "b"},
		"a:d...b":                   {Name: "a...b", Dir: "d", HasDir: true, Right: "b"},
		"a:d...":                    {Name: "a...", Dir: "d", HasDir: true},
		"a:../d":                    {Name: "a", Dir: "../d", HasDir: true},
		"a:..":                      {Name: "a", Dir: "..", HasDir: true},
		"a:../d..b":                 {Name: "a", Dir: "../d", HasDir: true, Right: "b"},
		"a:../d...b/c":              {Name: "a...b/c", Dir: "../d", HasDir: true, Right: "b/c"},
		"a:..b":                     {Name: "a", HasDir: true, Right: "b"},
		"a@{0..1}..b^{/x..y: z}":    {Name: "a@{0..1}", Right: "b^{/x..y: z}"},
	} {
		got, err := workspace.ParseRev("since", text)
		want.Text, want.Left = got.Text, got.Left
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
		"..b":      "--since needs the name of a revision, such as main or HEAD~1",
		"a..b:d":   "--since takes a directory behind the left revision; use --since a:d..b",
		"a...b:d":  "--since takes a directory behind the left revision; use --since a:d...b",
		"a...:d":   "--since takes a directory behind the left revision; use --since a:d...",
		"a..b..c":  "--since takes two revisions at most, not a..b..c",
		"git:main": "--since takes the bare name of a revision; use --since main",
	} {
		if _, err := workspace.ParseRev("since", text); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
