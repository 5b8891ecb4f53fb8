package discover

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"golang.org/x/text/unicode/norm"
)

// Differences of file systems that compare letters of names in another way than Go, and of shells
// that don't expand patterns.

const isWindows = runtime.GOOS == "windows"

// expanded replaces the patterns among paths by their matches, which on Windows no shell does.
func (s *Search) expanded(paths []string) []string {
	return expandGlobs(paths, isWindows, func(path string) []string {
		if _, err := os.Lstat(repo.In(s.Base, path)); err == nil {
			return nil
		}
		found, _ := filepath.Glob(repo.In(s.Base, path)) // a bad pattern is reported as a path
		for i, name := range found {
			if rel, err := filepath.Rel(s.Base, name); err == nil && s.Base != "" && !filepath.IsAbs(path) {
				found[i] = rel
			}
		}
		return found
	})
}

// expandGlobs replaces patterns by their matches. A pattern without matches stays, as in the shells
// of Unix.
func expandGlobs(paths []string, isWindows bool, glob func(string) []string) []string {
	if !isWindows {
		return paths
	}
	var list []string
	for _, path := range paths {
		var found []string
		if isPattern(path) {
			found = glob(path)
		}
		if len(found) == 0 {
			found = []string{path}
		}
		list = append(list, found...)
	}
	return list
}

func isPattern(path string) bool { return strings.ContainsAny(strings.TrimPrefix(path, `\\?\`), "*?") }

// nameIn is the name that a directory has for a file: file systems that don't distinguish
// upper and lower case, or composed and decomposed letters, find it by others, too.
func nameIn(entries []string, name string, isSame func(entry string) bool) string {
	if slices.Contains(entries, name) {
		return name
	}
	for _, entry := range entries {
		if strings.EqualFold(norm.NFC.String(entry), norm.NFC.String(name)) && isSame(entry) {
			return entry
		}
	}
	return name
}
