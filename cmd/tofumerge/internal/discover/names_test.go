package discover

import (
	"slices"
	"testing"
)

// Patterns among the arguments are expanded on Windows, whose shells leave them alone, and
// nowhere else.
func TestExpandGlobs(t *testing.T) {
	glob := func(pattern string) []string {
		return map[string][]string{"*.tf": {"a.tf", "b.tf"}, `m\?`: {`m\1`}}[pattern]
	}
	paths := []string{"dir", "*.tf", `m\?`, "none*", `\\?\C:\dir`}
	for _, c := range []struct {
		isWindows bool
		want      []string
	}{
		{false, paths},
		{true, []string{"dir", "a.tf", "b.tf", `m\1`, "none*", `\\?\C:\dir`}},
	} {
		if got := expandGlobs(paths, c.isWindows, glob); !slices.Equal(got, c.want) {
			t.Errorf("isWindows %v: %q, want %q", c.isWindows, got, c.want)
		}
	}
}

// A file has the name that its directory lists, by whichever name a file system finds it.
func TestNameIn(t *testing.T) {
	entries := []string{"Main.tf", "both.tf", "BOTH.tf", "u\u0308ber.tf"}
	for _, c := range []struct {
		name   string
		isSame bool
		want   string
	}{
		{"Main.tf", true, "Main.tf"},
		{"main.TF", true, "Main.tf"},
		{"main.tf", false, "main.tf"}, // another file, gone meanwhile
		{"BOTH.tf", true, "BOTH.tf"},
		{"\u00fcber.tf", true, "u\u0308ber.tf"},
		{"other.tf", true, "other.tf"},
	} {
		if got := nameIn(entries, c.name, func(string) bool { return c.isSame }); got != c.want {
			t.Errorf("NameIn(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}
