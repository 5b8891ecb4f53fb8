package phrases

import (
	"strings"

	"github.com/tofumerge/tofumerge/internal/render/wording"
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
		{s.Ignored, "directory skipped by .gitignore", "directories skipped by .gitignore"},
		{s.Excluded, "directory skipped by --exclude", "directories skipped by --exclude"},
		{s.Caches, ".terraform or .terragrunt-cache directory skipped", ".terraform or .terragrunt-cache directories skipped"},
		{s.Links, "link to a directory elsewhere not followed", "links to directories elsewhere not followed"},
		{s.Submodules, "submodule not checked out", "submodules not checked out"},
	} {
		if c.n > 0 {
			parts = append(parts, wording.Number(c.n, c.one, c.more))
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
