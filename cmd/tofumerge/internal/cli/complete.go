package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// What a shell gets when a word is completed. Whatever goes wrong, it gets
// nothing: there is no place for messages. The module may be anybody's, so that time,
// memory and the number of words have bounds.

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

// isForShell reports whether a command line is that of a shell that asks for words.
func isForShell(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// completeFlag has the shell complete the value of a flag. The library keeps the function
// for good, with the flag and the whole run behind it, so it gets the function only if a
// shell asks.
func (a *app) completeFlag(cmd *cobra.Command, name string, complete cobra.CompletionFunc) {
	if a.forShell {
		_ = cmd.RegisterFlagCompletionFunc(name, complete)
	}
}

// plainUsages takes the quotes out of what flags are for, which name their values to help. A
// shell shows them as they are.
func plainUsages(cmd *cobra.Command) {
	plain := func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") }
	cmd.PersistentFlags().VisitAll(plain)
	cmd.Flags().VisitAll(plain)
	for _, c := range cmd.Commands() {
		plainUsages(c)
	}
}

// isCompletable reports whether a shell can show a word and put it on a command line.
func isCompletable(word string) bool {
	isOdd := func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	return !strings.HasPrefix(word, "-") && !strings.ContainsFunc(word, isOdd)
}

// parsedOnce takes back that, to complete a word, the flags before it are parsed twice.
func (a *app) parsedOnce() {
	for _, list := range []*[]string{&a.ws.Chdirs, &a.ws.Overlays, &a.ws.Excluded} {
		*list = (*list)[:len(*list)/2]
	}
}

// completeDir has the shell complete the name of one directory.
func (a *app) completeDir(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, noFiles
	}
	return a.completeDirFlag(cmd, args, word)
}

// completeDirFlag has the shell complete the name of a directory, as seen from where
// the command runs.
func (a *app) completeDirFlag(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	a.parsedOnce()
	if base := a.ws.Base(); base != "" {
		return []cobra.Completion{base}, cobra.ShellCompDirectiveFilterDirs
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeRoot adds directories to the commands, which cobra has listed. A shell that
// is asked to list directories shows nothing else, so that they are listed here, unless
// the word can be that of no command.
func (a *app) completeRoot(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 || strings.ContainsAny(word, `/\.~$`) {
		return a.completeDir(cmd, args, word)
	}
	a.parsedOnce()
	base := a.ws.Base()
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

// entriesOf lists what is in a directory, in order.
func entriesOf(dir string) []os.DirEntry {
	if dir == "" {
		dir = "."
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxNames)
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// dirOf is the directory of the module that the arguments name so far.
func (a *app) dirOf(args []string) string {
	dir := a.ws.Dir(args)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return filepath.Dir(dir) // check takes files, too
	}
	return dir
}

// completeAddress lists the addresses of the module that a word may become.
func (a *app) completeAddress(
	_ *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	a.parsedOnce()
	a.ws.Err, a.ws.MaxFileSize = io.Discard, min(a.ws.MaxFileSize, completionSize)
	// standard input is the shell's
	a.ws.Overlays = slices.DeleteFunc(a.ws.Overlays, func(name string) bool { return name == "-" })
	found := make(chan []address.Address, 1)
	go func() {
		mod, _, err := a.ws.Load(a.dirOf(args), load.AllTrees, merge.Options{})
		if err != nil {
			close(found)
			return
		}
		found <- append(address.All(mod), address.Parts(mod, word)...)
	}()
	select {
	case addresses := <-found:
		return someOf(addresses, word)
	case <-time.After(completionTime):
		return nil, noFiles
	}
}

// complete has the shell complete what explain takes: a directory first, or an address, of the
// module of the directory if there is one.
func (x *explainCommand) complete(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 && (strings.HasPrefix(word, ".") || strings.Contains(word, "/")) {
		return x.app.completeDirFlag(cmd, nil, word)
	}
	if len(args) > 0 && !x.isDir(args[0]) {
		args = nil
	}
	return x.app.completeAddress(cmd, args, word)
}

// isInert reports whether a shell does nothing with the text of an address but take its quotes
// away. The keys of objects may hold anything, and a shell puts a word on the command line as it is.
func isInert(text string) bool { return !strings.ContainsAny(text, " `$\\;&|<>(){}'!*?~#=") }

// someOf lists the addresses that start with a word; of very many, only how they go on
// up to the next dot.
func someOf(addresses []address.Address, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list, starts []cobra.Completion
	for _, a := range addresses {
		if text := a.String(); strings.HasPrefix(text, word) && isCompletable(text) && isInert(text) {
			list, starts = append(list, text), append(starts, a.Next(word))
		}
	}
	if len(list) <= maxCandidates {
		return list, noFiles
	}
	list = slices.Compact(starts)
	return list[:min(len(list), maxCandidates)], noFiles | noSpace
}

// completeOverrideFile lists the names of the module's override files.
func (a *app) completeOverrideFile(
	_ *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	a.parsedOnce()
	var names []string
	for _, d := range entriesOf(a.dirOf(args)) {
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

// completeRule lists the rules of check.
func completeRule(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	for _, r := range check.Rules {
		if !strings.HasPrefix(r.ID, word) {
			continue
		}
		list = append(list, cobra.CompletionWithDesc(r.ID, r.Title))
	}
	return list, noFiles
}

// completeNothing is for what nobody can guess.
func completeNothing(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, noFiles
}

// bashCompletion writes the script for bash. Cobra's takes an at sign for the end of a
// word, which it is to bash, but not in the name of an engine.
func bashCompletion(root *cobra.Command, w io.Writer, withDescriptions bool) error {
	var script bytes.Buffer
	if err := root.GenBashCompletionV2(&script, withDescriptions); err != nil {
		return err
	}
	const special = `_handle_special_char "$cur" `
	text := strings.ReplaceAll(script.String(), "_init_completion -n =: ", "_init_completion -n =:@ ")
	text = strings.Replace(
		text, "    __tofumerge"+special+"=\n", "    __tofumerge"+special+"=\n    __tofumerge"+special+"@\n", 1,
	)
	_, err := io.WriteString(w, text)
	return err
}

// repairCompletion makes the command that prints the scripts say what is wrong, and
// print the script for bash as it should be.
func repairCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	completion.Short = "Print a completion script for a shell"
	completion.Long = `completion prints a script that completes commands, flags, addresses and rules in bash,
zsh, fish or powershell. The help of each says how to load it.`
	completion.Example = "  source <(tofumerge completion bash)\n  tofumerge completion fish > ~/.config/fish/completions/tofumerge.fish"
	for _, c := range completion.Commands() {
		c.Short = "Print the completion script for " + c.Name()
	}
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(*cobra.Command, []string) error {
		return errors.New("completion needs the name of a shell: bash, zsh, fish or powershell")
	}
	if bash, _, err := root.Find([]string{"completion", "bash"}); err == nil {
		bash.RunE = func(cmd *cobra.Command, _ []string) error {
			withoutDescriptions, err := cmd.Flags().GetBool("no-descriptions")
			return errors.Join(err, bashCompletion(root, cmd.OutOrStdout(), !withoutDescriptions))
		}
	}
}

// completeEngine gives the shell the names of the known engines.
func completeEngine(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
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
