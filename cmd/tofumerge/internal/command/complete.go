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
	completionTime = 2 * time.Second // after which a shell gets no words
	completionSize = 16 << 20        // bytes of a file at most
	maxCandidates  = 500             // words that a shell gets
	maxNames       = 20000           // entries of a directory that are read
)

const (
	noFiles = cobra.ShellCompDirectiveNoFileComp
	noSpace = cobra.ShellCompDirectiveNoSpace
)

// Words completes words on the command line: its methods are the completion functions that cobra calls.
type Words struct {
	Workspace *workspace.Workspace
	// IsWanted is set if a shell asks for completions.
	IsWanted bool
}

// ForFlag makes a shell complete the value of a flag with complete. Cobra never frees registered functions, nor the
// run that they refer to, so ForFlag registers one only if a shell asks for completions.
func (w Words) ForFlag(cmd *cobra.Command, name string, complete cobra.CompletionFunc) {
	if w.IsWanted {
		_ = cmd.RegisterFlagCompletionFunc(name, complete)
	}
}

// isCompletable reports whether a word can be offered: it consists of printable characters, and the program would not
// read it as a flag.
func isCompletable(word string) bool {
	isOdd := func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	return !strings.HasPrefix(word, "-") && !strings.ContainsFunc(word, isOdd)
}

// undoSecondParse halves the lists that repeated flags fill. To complete a word, cobra parses the flags before it
// twice, so each list holds everything twice.
func (w Words) undoSecondParse() {
	for _, list := range []*[]string{&w.Workspace.Chdirs, &w.Workspace.Overlays, &w.Workspace.Excluded} {
		*list = (*list)[:len(*list)/2]
	}
}

// Dir completes the name of a directory, for a command that takes one.
func (w Words) Dir(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, noFiles
	}
	return w.Dirs(cmd, args, word)
}

// Dirs completes the name of a directory below the one that the command runs in, which --chdir may name.
func (w Words) Dirs(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	w.undoSecondParse()
	// With this directive, a single completion is the directory in which the shell looks for others.
	if base := w.Workspace.Base(); base != "" {
		return []cobra.Completion{base}, cobra.ShellCompDirectiveFilterDirs
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// Root completes the first word of a command line with directories; cobra itself adds the commands. A shell that is
// told to list directories would show no commands, so Root lists the directories, unless the word can't be a command.
func (w Words) Root(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 || strings.ContainsAny(word, `/\.~$`) {
		return w.Dir(cmd, args, word)
	}
	w.undoSecondParse() // before Base, because cobra has parsed --chdir twice; Dir, above, does this itself
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

// entriesOf returns entries of a directory, sorted by name. It reads no more than maxNames, and returns nil if the
// directory can't be read.
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

// ModuleDir returns the directory of the module that the first argument names: the directory itself, or a file in it.
// Without arguments it returns the working directory.
func ModuleDir(ws *workspace.Workspace, args []string) string {
	dir := ws.Dir(args)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return filepath.Dir(dir) // check takes files, too
	}
	return dir
}

// Addresses completes an address in the module that the arguments name. It gives up after completionTime. If more
// than maxCandidates addresses fit, it completes only up to the end of the next segment.
func (w Words) Addresses(
	_ *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	w.undoSecondParse()
	w.Workspace.Err, w.Workspace.MaxFileSize = io.Discard, min(w.Workspace.MaxFileSize, completionSize)
	// The overlay - would read standard input, which is the shell's.
	w.Workspace.Overlays = slices.DeleteFunc(w.Workspace.Overlays, func(name string) bool { return name == "-" })
	// The module is loaded beside the timer. A closed channel, for an error, yields no addresses.
	found := make(chan []address.Address, 1)
	go func() {
		mod, _, err := w.Workspace.Load(ModuleDir(w.Workspace, args), merge.Options{})
		if err != nil {
			close(found)
			return
		}
		found <- append(lookup.All(mod), lookup.Parts(mod, word)...) // Parts: keys inside the value that word leads to
	}()
	select {
	case addresses := <-found:
		var list, shortened []cobra.Completion
		for _, a := range addresses {
			if text := a.String(); strings.HasPrefix(text, word) && isCompletable(text) && isInert(text) {
				// shortened[i] is list[i] up to the end of its next segment.
				list, shortened = append(list, text), append(shortened, nextCompletion(text, word))
			}
		}
		if len(list) <= maxCandidates {
			return list, noFiles
		}
		list = slices.Compact(shortened) // neighbours often start with the same segment
		return list[:min(len(list), maxCandidates)], noFiles | noSpace
	case <-time.After(completionTime):
		return nil, noFiles
	}
}

// DirOrAddress completes the first word as a directory if it looks like a path, such as ./web. Any other word it
// completes as an address. The address is in the module of args[0] if isDir reports that this is a directory,
// otherwise in the one of the working directory.
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

// isInert reports whether a shell leaves a text as it is, apart from quotes. Keys of objects may contain anything,
// such as $(reboot), and a shell may put a completed word on the command line without quoting it.
func isInert(text string) bool { return !strings.ContainsAny(text, " `$\\;&|<>(){}'!*?~#=") }

// nextCompletion extends typed, the start of the address text, by one step: to the end of the next segment, with the
// dot that follows. For "aws_instance.web.ami" it turns "aws_" into "aws_instance.", and that into
// "aws_instance.web.".
func nextCompletion(text, typed string) string {
	parts, _ := spelling.ReadPath(text) // package address wrote it
	for _, p := range parts {
		isLast := p.End == len(text)
		// Skip a segment that is typed in full, even without the dot behind it: "aws_instance" becomes
		// "aws_instance.web.", not "aws_instance.". The last segment may be typed in full: then text is complete.
		isTyped := p.End < len(typed) || p.End == len(typed) && !isLast
		switch {
		case isTyped:
			continue
		// A dot follows; before a bracket, the completion ends with the segment.
		case !isLast && text[p.End] == '.':
			return text[:p.End+1]
		}
		return text[:p.End]
	}
	return text
}

// OverrideFiles completes the name of an override file of the module.
func (w Words) OverrideFiles(
	_ *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	w.undoSecondParse()
	var names []string
	for _, d := range entriesOf(ModuleDir(w.Workspace, args)) {
		names = append(names, d.Name())
	}
	engine := engine.Default() // OpenTofu also reads the file names of Terraform
	var list []cobra.Completion
	for _, e := range load.Classify(names, engine) {
		if e.Role == source.Override && strings.HasPrefix(e.Name, word) && isCompletable(e.Name) &&
			len(list) < maxCandidates {
			list = append(list, e.Name)
		}
	}
	return list, noFiles
}

// Rules completes the name of a rule of check.
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

// Nothing completes a word that has no known values.
func Nothing(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, noFiles
}

// Engines completes the name of an engine or of one of its releases.
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

// Revisions completes the name of a branch or tag of the repository.
func (w Words) Revisions(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	w.undoSecondParse()
	var list []cobra.Completion
	for _, name := range w.Workspace.RevisionNames(maxCandidates) {
		if strings.HasPrefix(name, word) && isCompletable(name) && isInert(name) {
			list = append(list, name)
		}
	}
	return list, noFiles
}

// Fixed returns a function that completes one of some words.
func Fixed(words []string) cobra.CompletionFunc { return cobra.FixedCompletions(words, noFiles) }
