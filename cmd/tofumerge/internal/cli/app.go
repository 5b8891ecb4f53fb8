// Package cli is the program: its commands and their flags, over the packages that find, load,
// merge and print modules.
//
// Run takes the arguments and the streams of a process and returns the exit status. It refuses
// arguments without a meaning, with a hint.
package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/command"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// The rules of the user interface.
//
//   - Standard output carries the result and nothing else; it is opened late,
//     so that a failing run leaves it empty.
//   - Everything for people is printed to standard error: errors, warnings, summaries.
//   - Every misuse gets a hint of what to write instead.
//   - Status 0: done. 1: could not do it. 2: found something that the flags report.

// The exit statuses.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitFound  = 2
	ExitClosed = 141 // nobody reads the rest of the result; shells report this status for SIGPIPE
)

// Streams connect a run with its environment.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	Env func(string) string
	// Environ is terminal.Console.Environ.
	Environ func() []string
	// FlagsParsed, if set, is called with the flags of a command before they are used. Tests reset flags
	// there.
	FlagsParsed func(command string, flags *pflag.FlagSet)
	workspace.Seams
}

// An app is one run of the program.
type app struct {
	ws    *workspace.Workspace
	words command.Words
	args  []string // the arguments as they were given

	flagsParsed func(command string, flags *pflag.FlagSet) // Streams.FlagsParsed
}

// Main runs the program with the arguments and streams of its process, and returns the exit status. Tests pass
// functions that adjust the streams.
func Main(adjust ...func(*Streams)) int {
	return process.Guard(func() int {
		report.LinkTo(func() string { return process.ThisBuild().Version })
		s := Streams{
			In: os.Stdin, Out: terminal.OpenConsole(os.Stdout), Err: terminal.OpenConsole(os.Stderr), Env: os.Getenv, Environ: os.Environ,
			Seams: workspace.Seams{Heap: process.TuneHeap()},
		}
		for _, f := range adjust {
			f(&s)
		}
		return Run(os.Args[1:], s)
	})
}

// Run executes the command in args, and returns the exit status. By then the result and the messages are written,
// even after a panic, which drops the rest of the result. The error of a failed command comes first, then one of
// writing the result, then findings.
func Run(args []string, s Streams) (status int) {
	a := &app{
		ws:   &workspace.Workspace{Console: terminal.New(s.In, s.Out, s.Err, s.Env), Seams: s.Seams, MaxFileSize: input.MaxFileSize},
		args: args, flagsParsed: s.FlagsParsed,
	}
	a.ws.Environ = s.Environ
	a.words = command.Words{Workspace: a.ws, IsWanted: len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)}
	// A panic becomes a message and the status of a failure.
	defer func() {
		if r := recover(); r != nil {
			a.ws.Drop()
			a.ws.Crashed(parallel.Crashed(r))
			status = ExitFailed
		}
		_ = a.ws.Flush() // messages about the end of the run
	}()
	defer a.ws.Revisions.Close()
	// Run the command.
	root := a.rootWith(commandsFor(args))
	args, err := withTofuFlags(root, args)
	if err == nil {
		root.SetArgs(args)
		root.SetIn(a.ws.In)
		root.SetOut(a.ws.Out)
		root.SetErr(a.ws.Err)
		err = root.Execute()
	}
	// Write the result, and choose the error that the status is for.
	a.ws.NoteIgnored()
	isFound := errors.Is(err, workspace.ErrFound)
	flushErr := a.ws.Flush()
	if isFound && errors.Is(flushErr, syscall.EPIPE) {
		flushErr = nil // findings count even if nobody reads them all
	}
	if err == nil || isFound { // the error of a command that failed is worth more than that of writing its result
		err = cmp.Or(flushErr, err)
	}
	var ended *workspace.StatusError
	// Turn the error into the status. ErrReported has been printed already.
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &ended):
		return ended.Status
	case errors.Is(err, syscall.EPIPE):
		return ExitClosed
	case errors.Is(err, workspace.ErrFound):
		return ExitFound
	case !errors.Is(err, workspace.ErrReported):
		a.ws.Error(err)
	}
	return ExitFailed
}

const rootLong = `tofumerge prints the effective configuration of a module: its primary files with the
override files merged in, as OpenTofu or Terraform merges them.`

// rootCommand builds the command tree. The root takes the flags of render.
func (a *app) rootCommand() *cobra.Command { return a.rootWith(commands) }

// rootWith builds the command tree with the commands in makers only, because building all of them takes longer than
// merging a small module (see commandsFor). Help, completion and the root need the whole tree: use rootCommand.
func (a *app) rootWith(makers []commandMaker) *cobra.Command {
	r := command.NewRenderOptions(a.ws)
	version := false
	root := &cobra.Command{
		Use:   "tofumerge [DIR]",
		Short: "Print the effective configuration of a module with override files",
		Long:  rootLong,
		Example: `  tofumerge                                      print the module here, merged
  tofumerge modules/web --only-changed           blocks that overrides change
  tofumerge explain aws_instance.web.ami         show where a value comes from
  tofumerge check -r .                           check every module below`,
		Args: func(cmd *cobra.Command, args []string) error { return a.checkArguments(cmd, args, r) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				return a.printVersion(r.IsJSON())
			}
			return r.Run(cmd, args)
		},

		ValidArgsFunction: a.words.Root,

		SilenceErrors: true,
		SilenceUsage:  true,
	}
	// The flags that all commands have, and the completion of their values.
	flags := root.PersistentFlags()
	command.RepeatedVar(flags, &a.ws.Chdirs, "chdir", "C", "run as if started in `DIR`; repeatable")
	flags.StringVar(&a.ws.Engines.Flag, "engine", "", "follow `ENGINE`, such as opentofu or terraform@1.9")
	flags.StringVar(&a.ws.Color, "color", "auto", "colour the output: `WHEN` is auto, always or never")
	flags.BoolVar(&a.ws.NoColor, "no-color", false, "never colour; short for --color never")
	flags.BoolVarP(&a.ws.Verbose, "verbose", "v", false, "print the engine and a summary to standard error")
	flags.BoolVarP(&a.ws.Quiet, "quiet", "q", false, "print no warnings, only errors")
	flags.BoolVar(&a.ws.NoIgnore, "no-ignore", false, "print findings that tofumerge:ignore comments silence")
	flags.StringVar(&a.ws.Schema, "provider-schema", "", "distinguish arguments and blocks by the schema in `FILE`")
	command.RepeatedVar(flags, &a.ws.Overlays, "overlay", "", "apply `FILE` as one more override file, last; repeatable")
	command.RepeatedVar(flags, &a.ws.Excluded, "exclude-override", "", "leave out override files `GLOB`; to compare, use --without")
	flags.BoolVar(&a.ws.Tracked, "tracked", false, "read the index of Git, not the working tree")
	flags.BoolVar(&a.ws.ShowSource, "show-source", false, "show lines of files that can't be parsed; may hold secrets")
	_ = flags.MarkHidden("no-color") // for people who know it from other programs
	a.words.ForFlag(root, "engine", command.Engines)
	a.words.ForFlag(root, "chdir", a.words.Dirs)
	a.words.ForFlag(root, "exclude-override", a.words.OverrideFiles)
	a.words.ForFlag(root, "color", command.Fixed([]string{"auto", "always", "never"}))
	// Every command checks these flags before it runs.
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if a.flagsParsed != nil {
			a.flagsParsed(cmd.Name(), cmd.Flags())
		}
		return a.checkGlobalFlags(cmd)
	}
	root.SetFlagErrorFunc(a.flagError)
	// The root takes the flags of render, since without a command the program renders.
	r.Define(root, a.words)
	root.Flags().BoolVar(&version, "version", false, "print the version")
	for _, c := range makers {
		root.AddCommand(c.make(a))
	}
	// Replace the help of cobra, and adapt its completion command.
	root.SetHelpCommand(a.helpCommand(root))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { _ = a.writeHelp(a.ws.Out, cmd, false) }) // Flush returns the error
	if len(makers) == len(commands) {
		repairCompletion(root)
	} else {
		root.CompletionOptions.DisableDefaultCmd = true
	}
	if a.words.IsWanted {
		removeBackquotes(root)
	}
	return root
}

// checkGlobalFlags refuses wrong values of the flags that all commands have, and flags that don't go together.
func (a *app) checkGlobalFlags(cmd *cobra.Command) error {
	isChanged := cmd.Root().PersistentFlags().Changed
	switch {
	case isChanged("engine") && a.ws.Engines.Flag == "":
		return errors.New("--engine needs opentofu or terraform, optionally with a version")
	case a.ws.Color != "auto" && a.ws.Color != "always" && a.ws.Color != "never":
		return fmt.Errorf("--color takes auto, always or never, not %q", a.ws.Color)
	case a.ws.NoColor && a.ws.Color == "always":
		return errors.New("--no-color contradicts --color always; use only one of them")
	case isChanged("provider-schema") && a.ws.Schema == "":
		return errors.New("--provider-schema needs the name of a file")
	}
	return a.checkTracked(cmd)
}

// checkArguments refuses a word that is neither a command nor a directory, and more than one directory. A first word
// that looks like a command gets the hint about commands, unless render's own check finds an error about a flag or
// about the only argument.
func (a *app) checkArguments(cmd *cobra.Command, args []string, r *command.RenderOptions) error {
	err := r.Arguments(cmd, args)
	isAboutFlag := errors.As(err, new(*command.FlagError))
	if isAboutFlag || err != nil && len(args) == 1 || !a.looksLikeCommand(cmd, args) {
		return err
	}
	return cmp.Or(a.unknownWord(cmd, args[0]), err)
}

// looksLikeCommand reports whether the first argument was probably meant as a command: it doesn't look like a path or
// a flag, and no file or directory has this name. Only the root takes commands, so for other commands it returns false.
func (a *app) looksLikeCommand(cmd *cobra.Command, args []string) bool {
	if cmd.HasParent() || len(args) == 0 || args[0] == "" {
		return false
	}
	isPath, isFlag := strings.ContainsAny(args[0], `/\.`), strings.HasPrefix(args[0], "-")
	if isPath || isFlag {
		return false
	}
	if _, err := os.Stat(a.ws.Dir(args)); !os.IsNotExist(err) {
		return false
	}
	_, isTracked := a.ws.IsTracked(args[0])
	return !isTracked
}

// With --tracked, modules consist of the files in git's index, regardless of the working tree.

// writers lists the commands that change files or look at unsaved ones.
var writers = []string{"exec", "extract", "flatten", "lsp"}

// checkTracked handles --tracked: it makes modules be read from git's index, and refuses the flag for commands that
// work on the working tree.
func (a *app) checkTracked(cmd *cobra.Command) error {
	if !a.ws.Tracked {
		return nil
	}
	if slices.Contains(writers, cmd.Name()) {
		return fmt.Errorf("--tracked reads the index, but %s works on the working tree; leave out --tracked", cmd.Name())
	}
	for _, name := range []string{"fix", "write"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--tracked reads the index, but --%s changes the working tree; use only one of them", name)
		}
	}
	a.ws.UseRevision("")
	return nil
}

// A commandMaker makes the command with a name.
type commandMaker struct {
	name string
	make func(*app) *cobra.Command
}

// commands lists all commands but the library's, in the order of help: those that answer questions come
// first.
var commands = []commandMaker{
	{"render", withWorkspace(command.NewRender)},
	{"explain", withWorkspace(command.NewExplain)},
	{"changes", withWorkspace(command.NewChanges)},
	{"list", withWorkspace(command.NewList)},
	{"check", withWorkspace(command.NewCheck)},
	{"diff", withWorkspace(command.NewDiff)},
	{"report", withWorkspace(command.NewReport)},
	{"flatten", withWorkspace(command.NewFlatten)},
	{"extract", withWorkspace(command.NewExtract)},
	{"exec", withWorkspace(command.NewExec)},
	{"lsp", withWorkspace(command.NewLSP)},
	{"version", newVersionCommand},
	{"write-completions", newCompletionsCommand},
}

// withWorkspace adapts the constructor of a command, which takes a workspace, to the type of commandMaker.make.
func withWorkspace(make func(*workspace.Workspace, command.Words) *cobra.Command) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command { return make(a.ws, a.words) }
}

// commandsFor returns the commands that a run with these arguments can need: the named one, or none if all words are
// directories. It returns all commands if the arguments request help, or may be wrong, because an error suggests
// commands.
func commandsFor(args []string) []commandMaker {
	if slices.ContainsFunc(args, needsAllCommands) {
		return commands
	}
	if len(args) > 0 {
		if i := slices.IndexFunc(commands, func(c commandMaker) bool { return c.name == args[0] }); i >= 0 {
			return commands[i : i+1]
		}
	}
	// Without a command, all words should be directories. One that may be none is perhaps a misspelt command.
	if slices.ContainsFunc(args, mayBeNoDirectory) {
		return commands
	}
	return nil
}

// needsAllCommands reports whether an argument asks for help or completion, or is so unusual that it may be a
// mistake: empty, a single dash, or a dash with several characters. For these, the output can mention any command.
func needsAllCommands(arg string) bool {
	letters, isFlag := strings.CutPrefix(arg, "-")
	name, isLong := strings.CutPrefix(arg, "--")
	switch {
	case isLong:
		return name == "" || strings.HasPrefix(name, "help")
	case isFlag:
		return len(letters) != 1 || letters == "h"
	}
	return arg == "" || strings.HasPrefix(arg, cobra.ShellCompRequestCmd) ||
		arg == "help" || arg == "completion" || arg == "write-completions"
}

// mayBeNoDirectory reports whether a word may be something other than an existing directory: nothing there has this
// name, or it is also a command. Flags don't count.
func mayBeNoDirectory(arg string) bool {
	if strings.HasPrefix(arg, "-") {
		return false
	}
	info, err := os.Stat(arg)
	return err != nil || !info.IsDir() || slices.ContainsFunc(commands, func(c commandMaker) bool { return c.name == arg })
}

// A versionInfo is what version --json prints.
type versionInfo struct {
	FormatVersion string `json:"format_version"`
	Version       string `json:"version"`
	Commit        string `json:"commit,omitempty"`
	Date          string `json:"date,omitempty"` // of the commit
	Engine        string `json:"engine"`
	// EngineFrom is what chose the engine; Engines lists all known releases.
	EngineFrom string   `json:"engine_from"`
	Engines    []string `json:"engines"`
	// EnginesDate is the day of the newest known release.
	EnginesDate string `json:"engines_date"`
	GoVersion   string `json:"go_version"`
	Platform    string `json:"platform"`
}

// newVersionCommand returns the command version, which prints the same as --version or, with --json, a JSON object.
func newVersionCommand(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and the engine",
		Args:  command.NoArguments,

		ValidArgsFunction: command.Nothing,

		RunE: func(*cobra.Command, []string) error { return a.printVersion(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// printVersion prints the version of the program, and the engine whose rules it follows in the working directory.
func (a *app) printVersion(asJSON bool) error {
	build := process.ThisBuild()
	// The output names the engine, so no note does.
	a.ws.Engines.Printed = true
	chosen, err := a.ws.Engine(a.ws.Dir(nil))
	if err != nil {
		return err
	}
	// Text names the commit only if the build knows it.
	if !asJSON {
		text := fmt.Sprintf("tofumerge %s\n", build.Version)
		if build.Commit != "" {
			text += strings.TrimRight(fmt.Sprintf("commit %s %s", build.Commit, build.Date), " ") + "\n"
		}
		text += fmt.Sprintf("rules of %s\nengines as of %s\n%s %s\n", chosen, engine.TablesDate, build.GoVersion, build.Platform)
		_, err := io.WriteString(a.ws.Out, text)
		return err
	}
	// JSON also lists the engine releases whose behaviour was observed.
	info := versionInfo{
		FormatVersion: report.FormatVersion, Version: build.Version, Commit: build.Commit, Date: build.Date,
		Engine: chosen.Release.String(), EngineFrom: chosen.From,
		EnginesDate: engine.TablesDate, GoVersion: build.GoVersion, Platform: build.Platform,
	}
	for _, e := range engine.Observed() {
		info.Engines = append(info.Engines, e.String())
	}
	enc := json.NewEncoder(a.ws.Out)
	enc.SetIndent("", "  ")
	return enc.Encode(info)
}

// removeBackquotes removes the backquotes from the descriptions of all flags of a command and the commands below it.
// They mark the names of values for help, but a shell would show them.
func removeBackquotes(cmd *cobra.Command) {
	plain := func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") }
	cmd.PersistentFlags().VisitAll(plain)
	cmd.Flags().VisitAll(plain)
	for _, c := range cmd.Commands() {
		removeBackquotes(c)
	}
}

// bashCompletion writes the completion script for bash to w. To bash, and so to cobra's script, an at sign ends a
// word, but names of engines contain one. So bashCompletion changes the script.
func bashCompletion(root *cobra.Command, w io.Writer, withDescriptions bool) error {
	var script bytes.Buffer
	if err := root.GenBashCompletionV2(&script, withDescriptions); err != nil {
		return err
	}
	// The characters behind -n don't end a word.
	text := strings.ReplaceAll(script.String(), "_init_completion -n =: ", "_init_completion -n =:@ ")
	// For each of them, the script has a line such as forEquals. Add the one for the at sign.
	const forEquals = `    __tofumerge_handle_special_char "$cur" =` + "\n"
	const forAt = `    __tofumerge_handle_special_char "$cur" @` + "\n"
	text = strings.Replace(text, forEquals, forEquals+forAt, 1)
	_, err := io.WriteString(w, text)
	return err
}

// repairCompletion changes cobra's completion command: without the name of a shell it fails instead of printing help,
// and for bash it prints the script of bashCompletion.
func repairCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	completion.Short = "Print a completion script for a shell"
	completion.Long = `completion prints a script that completes commands, flags, addresses and rules in bash,
zsh, fish or powershell. The help of each explains how.`
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
