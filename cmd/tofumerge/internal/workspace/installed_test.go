package workspace

import "testing"

// Sources in init's manifest are recognised, whatever short form the configuration uses.
func TestIsSameSource(t *testing.T) {
	for _, test := range []struct {
		recorded, source string
		want             bool
	}{
		{"registry.terraform.io/a/b/c", "a/b/c", true},
		{"registry.opentofu.org/a/b/c", "a/b/c", true},
		{"registry.opentofu.org/a/b/c//sub", "a/b/c//sub", true},
		{"registry.opentofu.org/a/b/c", "a/b/d", false},
		{"registry.opentofu.org/a/b/c//sub", "a/b/c", false},
		{"example.com/a/b/c", "example.com/a/b/c", true},
		{"example.com/a/b/c", "a/b/c", false},
		{"a/b/c", "a/b/c", true},
		{"git::https://github.com/a/b.git", "github.com/a/b", true},
		{"git::https://github.com/a/b.git//sub?ref=v1", "github.com/a/b//sub?ref=v1", true},
		{"git::https://github.com/a/b.git?ref=v1", "github.com/a/b?ref=v2", false},
		{"git::ssh://git@github.com/a/b.git", "git@github.com:a/b.git", true},
		{"git::https://github.com/a/b.git", "github.com/a/c", false},
		{"git::https://example.com/b.git", "git::https://example.com/b.git", true},
		{"git::https://example.com/b.git", "./b", false},
		{"https://example.com/b.zip", "https://example.com/b.zip", true},
		{"", "a/b/c", false},
	} {
		if got := isSameSource(test.recorded, test.source); got != test.want {
			t.Errorf("%q is %q: %v", test.recorded, test.source, got)
		}
	}
}

func TestMeets(t *testing.T) {
	for _, test := range []struct {
		installed, constraint string
		want                  bool
	}{
		{"5.1.0", "~> 5.0", true}, {"4.9.0", "~> 5.0", false}, {"5.1.0", "", true}, {"", "~> 5.0", true}, {"odd", "~> 5.0", true},
	} {
		if got := meets(test.installed, test.constraint); got != test.want {
			t.Errorf("%q meets %q: %v", test.installed, test.constraint, got)
		}
	}
}
