package discover

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// gitignore is the name of the files with git's ignore patterns.
const gitignore = ".gitignore"

// ruleAbove is the rule in the root, from the files in it and above it, up to the top of the
// repository.
func (w *walker) ruleAbove() rule {
	if w.SeesIgnored {
		return rule{}
	}
	top := repo.Root(w.base)
	in := rule{patterns: NewScope(w.patternsOf(excludeFile(top)))}
	if repo.IsRoot(top) {
		in.repositories = []string{top}
	}
	rel, err := filepath.Rel(top, w.base)
	if err != nil || rel == "." {
		rel = ""
	}
	at := ""
	in.patterns = in.patterns.Within(at, w.patternsOf(filepath.Join(top, gitignore)))
	for name := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if name == "" {
			continue
		}
		at = path.Join(at, name)
		in.patterns = in.patterns.Within(at, w.patternsOf(filepath.Join(top, filepath.FromSlash(at), gitignore)))
	}
	if at != "" {
		w.above = at + "/"
	}
	return in
}

// ruleIn is the rule in a directory with these entries. A nested repository, such as a submodule,
// has no patterns from the one around it.
func (w *walker) ruleIn(rel string, entries []fs.DirEntry, in rule) rule {
	if in.patterns == nil {
		return in
	}
	has := func(name string) bool {
		_, found := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int {
			return strings.Compare(e.Name(), name)
		})
		return found
	}
	dir := filepath.Join(w.base, filepath.FromSlash(rel))
	if has(".git") {
		in.patterns, in.isIgnored = in.patterns.Apart(w.above+rel, w.patternsOf(excludeFile(dir))), false
		in.repositories = append(slices.Clip(in.repositories), dir)
	}
	if has(gitignore) {
		in.patterns = in.patterns.Within(w.above+rel, w.patternsOf(filepath.Join(dir, gitignore)))
	}
	return in
}

// patternsOf reads the patterns of a file, which need not be there. As to git, a link is
// none.
func (w *walker) patternsOf(name string) []Pattern {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := input.Read(name, input.MaxSettingsSize)
	if err != nil {
		w.Warn(fmt.Sprintf("%s is ignored: %v", diag.Escape(repo.FromHere(name)), input.StripPath(err)))
		return nil
	}
	return Parse(text)
}

// excludeFile is the file with a repository's ignore patterns for this checkout alone.
func excludeFile(top string) string {
	_, shared := repo.GitDirs(top)
	return filepath.Join(shared, "info", "exclude")
}
