package wording

import (
	"fmt"
	"strings"
)

// SkipCounts holds the numbers of directories that a search skipped.
type SkipCounts struct {
	Ignored  int // by .gitignore files
	Excluded int // by --exclude
	Caches   int // where init and Terragrunt keep copies of modules
	Links    int // to directories elsewhere
	// Submodules aren't checked out.
	Submodules int
}

// String words the numbers; empty if nothing was skipped.
func (s SkipCounts) String() string {
	var parts []string
	for _, c := range []struct {
		n         int
		one, more string
	}{
		{s.Ignored, "1 directory skipped by .gitignore", "%d directories skipped by .gitignore"},
		{s.Excluded, "1 directory skipped by --exclude", "%d directories skipped by --exclude"},
		{s.Caches, "1 .terraform or .terragrunt-cache directory skipped", "%d .terraform or .terragrunt-cache directories skipped"},
		{s.Links, "1 link to a directory elsewhere not followed", "%d links to directories elsewhere not followed"},
		{s.Submodules, "1 submodule not checked out", "%d submodules not checked out"},
	} {
		switch {
		case c.n == 1:
			parts = append(parts, c.one)
		case c.n > 1:
			parts = append(parts, fmt.Sprintf(c.more, c.n))
		}
	}
	return strings.Join(parts, "; ")
}

// Behind words the numbers behind a summary; empty if nothing was skipped.
func (s SkipCounts) Behind() string {
	if text := s.String(); text != "" {
		return "; " + text
	}
	return ""
}
