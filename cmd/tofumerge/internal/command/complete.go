package command

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
)

const (
	completionTime = 2 * time.Second
	completionSize = 16 << 20 // of a file
	maxCandidates  = 500
	maxNames       = 20000 // of a directory that are looked at
)

const (
	noFiles = cobra.ShellCompDirectiveNoFileComp
	noSpace = cobra.ShellCompDirectiveNoSpace
)

// Words completes words for a run of the program.
type Words struct {
	Workspace *workspace.Workspace
	// IsWanted is set if a shell completes words.
	IsWanted bool
}

// ForFlag makes the shell complete the value of a flag. The library keeps the function for good,
// with the flag and the whole run behind it, so the function is registered only for completion.
func (w Words) ForFlag(cmd *cobra.Command, name string, complete cobra.CompletionFunc) {
	if w.IsWanted {
		_ = cmd.RegisterFlagCompletionFunc(name, complete)
	}
}

// isCompletable reports whether a shell can show a word and put it on a command line.
func isCompletable(word string) bool {
	isOdd := func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	return !strings.HasPrefix(word, "-") && !strings.ContainsFunc(word, isOdd)
}

// parsedOnce takes back that, to complete a word, the flags before it are parsed twice.
func (w Words) parsedOnce() {
	for _, list := range []*[]string{&w.Workspace.Chdirs, &w.Workspace.Overlays, &w.Workspace.Excluded} {
		*list = (*list)[:len(*list)/2]
	}
}

// Dir has the shell complete the name of one directory.
func (w Words) Dir(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, noFiles
	}
	return w.Dirs(cmd, args, word)
}

// Dirs has the shell complete the name of a directory, as seen from where
// the command runs.
func (w Words) Dirs(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	w.parsedOnce()
	if base := w.Workspace.Base(); base != "" {
		return []cobra.Completion{base}, cobra.ShellCompDirectiveFilterDirs
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// Root adds directories to the commands, which cobra has listed. A shell that lists directories
// itself shows nothing else, so they are listed here, unless the word can't be a command.
func (w Words) Root(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 || strings.ContainsAny(word, `/\.~$`) {
		return w.Dir(cmd, args, word)
	}
	w.parsedOnce()
	base := w.Workspace.Base()
	var dirs []cobra.Completion
	for _, d := range entriesOf(base) {
		name := d.Name()
		if strings.HasPrefix(name, ".") || !strings.HasPrefix(name, word) || !isCompletable(name) {
			continue
		}
		if info, err := os.Stat(repo.In(base, name)); err == nil && info.IsDir() && len(dirs) < maxCandidates {
			dirs = append(dirs, name+"/")
		}
	}
	if len(dirs) > 0 {
		return dirs, noSpace | noFiles
	}
	return nil, noFiles
}

// entriesOf lists the entries of a directory, in order.
func entriesOf(dir string) []os.DirEntry {
	f, err := os.Open(cmp.Or(dir, "."))
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxNames)
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// ModuleDir is the directory of the module that the arguments name so far.
func ModuleDir(ws *workspace.Workspace, args []string) string {
	dir := ws.Dir(args)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return filepath.Dir(dir) // check takes files, too
	}
	return dir
}

// Addresses lists the addresses of the module that a word may become.
func (w Words) Addresses(
	_ *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	w.parsedOnce()
	w.Workspace.Err, w.Workspace.MaxFileSize = io.Discard, min(w.Workspace.MaxFileSize, completionSize)
	// standard input is the shell's
	w.Workspace.Overlays = slices.DeleteFunc(w.Workspace.Overlays, func(name string) bool { return name == "-" })
	found := make(chan []address.Address, 1)
	go func() {
		mod, _, err := w.Workspace.Load(ModuleDir(w.Workspace, args), merge.Options{})
		if err != nil {
			close(found)
			return
		}
		found <- append(lookup.All(mod), lookup.Parts(mod, word)...)
	}()
	select {
	case addresses := <-found:
		var list, starts []cobra.Completion
		for _, a := range addresses {
			if text := a.String(); strings.HasPrefix(text, word) && isCompletable(text) && isInert(text) {
				list, starts = append(list, text), append(starts, nextEnd(text, word))
			}
		}
		if len(list) <= maxCandidates {
			return list, noFiles
		}
		list = slices.Compact(starts)
		return list[:min(len(list), maxCandidates)], noFiles | noSpace
	case <-time.After(completionTime):
		return nil, noFiles
	}
}

// DirOrAddress has a shell complete a directory first, and then addresses, of the module in the directory
// if there is one.
func (w Words) DirOrAddress(
	cmd *cobra.Command, args []string, word string, isDir func(string) bool,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 && (strings.HasPrefix(word, ".") || strings.Contains(word, "/")) {
		return w.Dirs(cmd, nil, word)
	}
	if len(args) > 0 && !isDir(args[0]) {
		args = nil
	}
	return w.Addresses(cmd, args, word)
}

// isInert reports whether a shell does nothing with the text of an address but take its quotes
// away. The keys of objects may hold anything, and a shell puts a word on the command line as it is.
func isInert(text string) bool { return !strings.ContainsAny(text, " `$\\;&|<>(){}'!*?~#=") }

// nextEnd returns an address up to the next completion after start: through the current segment and
// the dot behind it.
func nextEnd(text, start string) string {
	parts, _ := spelling.ReadPath(text) // package address wrote it
	for _, p := range parts {
		switch {
		case p.End < len(start) || p.End == len(start) && p.End < len(text):
		case p.End < len(text) && text[p.End] == '.':
			return text[:p.End+1]
		default:
			return text[:p.End]
		}
	}
	return text
}

// OverrideFiles lists the names of the module's override files.
func (w Words) OverrideFiles(
	_ *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	w.parsedOnce()
	var names []string
	for _, d := range entriesOf(ModuleDir(w.Workspace, args)) {
		names = append(names, d.Name())
	}
	engine := engine.Default() // OpenTofu knows the names of all
	var list []cobra.Completion
	for _, e := range load.Classify(names, engine) {
		if e.Role == source.Override && strings.HasPrefix(e.Name, word) && isCompletable(e.Name) &&
			len(list) < maxCandidates {
			list = append(list, e.Name)
		}
	}
	return list, noFiles
}

// Rules lists the rules of check.
func Rules(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	for _, r := range check.Rules {
		if !strings.HasPrefix(r.ID, word) {
			continue
		}
		list = append(list, cobra.CompletionWithDesc(r.ID, r.Title))
	}
	return list, noFiles
}

// Nothing is for what nobody can guess.
func Nothing(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, noFiles
}

// Engines gives the shell the names of the known engines.
func Engines(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, product := range engine.Products() {
		names = append(names, string(product))
	}
	for _, e := range engine.Observed() {
		names = append(names, fmt.Sprintf("%s@%s", e.Product, e.Minor()))
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, word) })
	return names, noFiles
}

// Revisions lists the branches and tags of the repository.
func (w Words) Revisions(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	w.parsedOnce()
	var list []cobra.Completion
	for _, name := range w.Workspace.RevisionNames(maxCandidates) {
		if strings.HasPrefix(name, word) && isCompletable(name) && isInert(name) {
			list = append(list, name)
		}
	}
	return list, noFiles
}

// Fixed completes the value of a flag that takes one of some words.
func Fixed(words []string) cobra.CompletionFunc { return cobra.FixedCompletions(words, noFiles) }
