package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/mirror"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/relocate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// execOptions holds the arguments and flags of exec.
type execOptions struct {
	ws      *workspace.Workspace
	search  workspace.Search
	mapping string // of --map
	keep    bool
	dir     string   // original of the directory that the tool runs in
	tool    []string // its path and its arguments
}

// mapForms are the values of --map.
var mapForms = []string{"auto", "sarif", "json", "text", "none"}

// formsByName holds the forms of --map, except for none.
var formsByName = map[string]relocate.Form{
	"auto": relocate.Auto, "sarif": relocate.JSON, "json": relocate.JSON, "text": relocate.Text,
}

// NewExec returns the command that runs a tool on the effective configuration.
func NewExec(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &execOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "exec [DIR] -- TOOL [ARG...]",
		Short: "Run a tool on the effective configuration",
		Long: `exec runs a tool on a temporary copy in which the override files are merged, and
maps the locations in its output to the original files and lines.

The copy contains the whole Git repository around DIR, or only DIR outside of one. The
tool runs in the directory that corresponds to DIR, and exec exits with its status.
Without -r, the module in DIR is merged; with -r, all modules below DIR are. With {} in
its arguments, the tool runs once for each module, with the module's directory for {},
and exec exits with the highest status.

Locations are mapped in SARIF, in the JSON of tflint, trivy, checkov and validate
-json, and in text such as FILE:LINE and "on FILE line N". At the end, exec prints how
many locations could not be mapped.

exec copies new files back to the original, and changes to files that were not merged.
A change to a merged file is an error that names the original lines.

For terraform and tofu, exec runs only commands that read no state and write nothing.
They merge override files themselves, and may accept the copy of a module that they
refuse in the original.`,
		Example: `  tofumerge exec modules/web -- tflint
  tofumerge exec -r -- trivy config --format sarif --output trivy.sarif .
  tofumerge exec -r . -- terraform-config-inspect {}`,
		RunE: o.run,

		ValidArgsFunction: words.Dirs,
	}
	flags := cmd.Flags()
	searchFlags(cmd, words, &o.search, "merge all modules below DIR")
	flags.StringVar(&o.mapping, "map", mapForms[0], "map locations in `FORM`: "+diag.Joined(mapForms, "or"))
	flags.BoolVar(&o.keep, "keep", false, "keep the copy, and print its path")
	words.ForFlag(cmd, "map", Fixed(mapForms))
	return cmd
}

// run makes a temporary copy with the overrides merged in, runs the tool there, and removes the copy. The tool's exit
// status becomes that of the program.
func (o *execOptions) run(cmd *cobra.Command, args []string) error {
	dirs, err := o.settle(cmd, args)
	if err != nil {
		return err
	}
	r, err := o.ws.Select(dirs, &o.search)
	if err != nil {
		return err
	}
	r.Done, r.Undone = "merged", "run"
	o.dir = repo.Real(repo.In(o.ws.Base(), r.Named[0]))
	// Make the copy, and run the tool in it.
	tree, err := mirror.New(o.dir, o.keep, o.ws.Warn)
	if err != nil {
		return err
	}
	e := &execution{execOptions: o, work: r, tree: tree, called: map[string]bool{}}
	status, err := e.run()
	// Keep or remove the copy, also after an error.
	if e.keepsCopy {
		e.ws.Note("kept " + e.tree.Keep(e.dir))
	} else if err := e.tree.Remove(); err != nil {
		e.ws.Warn(fmt.Sprintf("can't remove %s: %v; remove it", e.tree.Path(), input.StripPath(err)))
	}
	if err == nil && status != 0 {
		err = &workspace.StatusError{Status: status}
	}
	return err
}

// settle splits the arguments at --. It returns the directory before it, if there is one, and sets o.tool to the
// command line behind it, with the absolute path of the tool. It refuses what can't work, such as a tool that isn't
// installed.
func (o *execOptions) settle(cmd *cobra.Command, args []string) (dirs []string, err error) {
	n := cmd.ArgsLenAtDash()
	switch {
	case n < 0 || n == len(args):
		return nil, errors.New("exec needs a tool behind --, as in: tofumerge exec modules/web -- tflint")
	case n > 1:
		return nil, errors.New("exec works on one directory; name one, and use -r for all modules below it")
	case !slices.Contains(mapForms, o.mapping):
		return nil, fmt.Errorf("--map %s is unknown; use %s", diag.Escape(o.mapping), diag.Joined(mapForms, "or"))
	case o.ws.Tracked:
		return nil, errors.New("exec copies the working tree; leave --tracked out")
	}
	// Find the program: a path is relative to -C, a bare name is looked up in PATH.
	o.tool = slices.Clone(args[n:])
	name := o.tool[0] // without a separator, it is looked up in PATH
	if strings.ContainsRune(name, filepath.Separator) {
		name = repo.Absolute(repo.In(o.ws.Base(), name))
	}
	if name, err = exec.LookPath(name); err != nil {
		return nil, fmt.Errorf("can't run %s: no such program; install it, or name its path", diag.Escape(o.tool[0]))
	}
	o.tool[0] = repo.Absolute(name)
	return args[:n], o.settleEngine()
}

// The engines themselves as tools of exec.

// readingCommands lists the engines' commands that need no state and change nothing, with the word that makes
// them so.
var readingCommands = []string{
	"validate", "fmt -check", "graph", "providers", "console", "get", "init -backend=false", "version",
}

// settleEngine handles tofu and terraform as tools, and does nothing for others. It refuses their commands that may
// write a state, because exec removes the copy with it. It warns of those that merge override files themselves.
func (o *execOptions) settleEngine() error {
	name := toolName(o.tool[0])
	switch {
	case !slices.ContainsFunc(engine.Products(), func(p engine.Product) bool { return p.Command() == name }):
		return nil
	case !isReading(o.tool[1:]):
		return fmt.Errorf("%s may write a state, .terraform or configuration, and exec removes the copy; run it on the original. "+
			"Here it runs only: %s", diag.Escape(name), strings.Join(readingCommands, ", "))
	case isOneOf(o.tool[1:], []string{"fmt", "version", "-version"}): // merges nothing
		return nil
	}
	o.ws.Warn(name + " merges override files itself: in the copy it may accept what it refuses in the original, such as " +
		"an argument that only an override sets, or another required_version")
	return nil
}

// toolName returns the name of a program without its directory and .exe.
func toolName(path string) string {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
}

// isReading reports whether an engine with these arguments only reads: it runs one of readingCommands, or only prints
// its help or version.
func isReading(args []string) bool {
	rest := commandIn(args)
	hasNoCommand := len(rest) == 0 || strings.HasPrefix(rest[0], "-") // as for -help or -version
	return hasNoCommand || isOneOf(args, readingCommands)
}

// commandIn returns an engine's arguments without -chdir=DIR, which may precede the command.
func commandIn(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return strings.HasPrefix(arg, "-chdir=") })
}

// isOneOf reports whether an engine's arguments run a command of a list. An entry of two words, such as "fmt -check",
// also requires -check or --check among the arguments behind the command.
func isOneOf(args, list []string) bool {
	rest := commandIn(args)
	return len(rest) > 0 && slices.ContainsFunc(list, func(command string) bool {
		name, word, needsWord := strings.Cut(command, " ")
		return rest[0] == name && (!needsWord || slices.Contains(rest[1:], word) || slices.Contains(rest[1:], "-"+word))
	})
}

// An execution runs a tool in a copy of the modules.
type execution struct {
	*execOptions
	work      *workspace.Run
	tree      *mirror.Tree
	mapper    *relocate.Mapper
	bases     []string        // directories that relative names in the tool's output may start from, the likeliest first
	calls     []string        // directories of called modules outside of the copied part, each once
	called    map[string]bool // the same directories
	keepsCopy bool            // the copy stays after the run: for --keep, or for a state in it
}

// run fills the copy with the merged modules, runs the tool, and copies its files back to the original. It returns
// the tool's status, and notes how many locations in its output have no line in the original.
func (e *execution) run() (status int, err error) {
	err = e.tree.Fill(func(b *replace.Building) error {
		flatten := func(m *workspace.Module) flatModule { return newFlatModule(e.ws, m) }
		err := workspace.Each(e.work, flatten, func(m *workspace.Module, flat flatModule) error {
			if m.Diags.HasErrors() {
				return e.ws.Report(m.Source, m.Diags)
			}
			obstacles, _ := workspace.Part(shownDiagnostics(e.ws, m), isObstacle) // other warnings don't change the copy
			if err := e.work.ReportAll(m, obstacles); err != nil {
				return err
			}
			flat.noteCarried(e.ws, m)
			e.addCalls(repo.Real(m.Source.Dir), workspace.Calls(m.Module))
			return e.tree.Add(b, m.Module, flat.diffs)
		})
		e.linkCalled() // once all modules have added their calls
		return err
	})
	if err != nil {
		return 0, err
	}
	if err := e.ws.Flush(); err != nil { // messages about the modules come before the tool's output
		return 0, err
	}
	// Run the tool, and bring its files back.
	e.keepsCopy = e.keep
	e.mapper = &relocate.Mapper{Copy: e.tree.Path(), File: e.fileOf}
	if status, err = e.runTool(); err == nil {
		err = e.bringBack()
	}
	if unmapped := e.mapper.Unmapped(); unmapped > 0 {
		e.ws.Note("Note: " + wording.Count(unmapped, "location") + " in the tool's output could not be mapped: the merged files have no such lines")
	}
	return status, err
}

// addCalls adds to e.calls the local directories that a module's calls load and that are outside of the copied part.
// from is the directory of the module.
func (e *execution) addCalls(from string, calls []workspace.Call) {
	for _, c := range calls {
		if c.Local == "" {
			continue
		}
		dir := repo.Real(filepath.Join(from, c.Local))
		if !repo.IsWithin(dir, e.tree.Base) && !e.called[dir] {
			e.calls, e.called[dir] = append(e.calls, dir), true
		}
	}
}

// linkCalled links the called modules outside of the copied part into the copy: those in e.calls, and all that these
// call in turn. addCalls lengthens the list during the loop.
func (e *execution) linkCalled() {
	for i := 0; i < len(e.calls); i++ {
		calls, err := e.ws.CallsIn(e.calls[i])
		if err != nil {
			e.ws.Warn(fmt.Sprintf("the module call to %s can't be followed: %v", diag.Escape(e.calls[i]), input.StripPath(err)))
			continue
		}
		e.addCalls(e.calls[i], calls)
		e.tree.AddOutside(e.calls[i])
	}
}

// runTool runs the tool once or, if its arguments contain {}, once for each module, and returns the highest status.
// An error ends it: the tool can't run.
func (e *execution) runTool() (status int, err error) {
	modules := []string{""}
	if slices.ContainsFunc(e.tool[1:], func(arg string) bool { return strings.Contains(arg, "{}") }) {
		modules = e.tree.Modules
	}
	for _, module := range modules {
		ended, err := e.runOnce(module)
		if err != nil {
			return status, err
		}
		status = max(status, ended)
	}
	return status, nil
}

// runOnce runs the tool once, and maps the locations in its output to the original files. module is the directory
// that {} stands for; empty if no argument contains {}.
func (e *execution) runOnce(module string) (status int, err error) {
	cmd := &process.Command{Path: e.tool[0], Args: e.toolArguments(module), Dir: e.tree.Copied(e.dir), Env: e.environment(), In: e.ws.In}
	e.bases = e.basesOf(cmd)
	// The tool writes directly, not through the held result, so that its output appears at once.
	stdout, stderr := terminal.Beneath(e.ws.Out), terminal.Beneath(e.ws.Err)
	cmd.Out, cmd.Err = stdout, stderr
	// With --map none, the output passes unchanged. Otherwise a writer maps each stream.
	var writers []*relocate.Writer
	if form, isMapped := formsByName[e.mapping]; isMapped {
		mappedOut, mappedErr := e.mapper.NewWriter(stdout, form), e.mapper.NewWriter(stderr, relocate.Text)
		writers = []*relocate.Writer{mappedOut, mappedErr}
		cmd.Out, cmd.Err = mappedOut, mappedErr
		// With a terminal, the tool prints as it does without exec, in colour for example. JSON must stay plain.
		cmd.OutTerminal, cmd.ErrTerminal = terminalOf(stdout, form != relocate.JSON), terminalOf(stderr, true)
	}
	// Run the tool, and end the mapping.
	result, err := cmd.Run()
	for _, w := range writers {
		whyUnmapped, failed := w.Close()
		if whyUnmapped != nil {
			e.ws.Warn(fmt.Sprintf("the tool's output %s, so it isn't mapped: its locations are in the copy", whyUnmapped))
		}
		if !errors.Is(failed, syscall.EPIPE) { // the reader of our output may have read enough
			err = errors.Join(err, failed)
		}
	}
	// The tool has ended, or could not start.
	name := diag.Escape(filepath.Base(e.tool[0]))
	switch {
	case err != nil:
		return 0, fmt.Errorf("can't run %s: %w", name, input.StripPath(err))
	case result.Signal != "":
		e.ws.Warn(fmt.Sprintf("%s was ended by a signal (%s)", name, result.Signal))
	}
	if result.IsCut {
		e.ws.Warn(fmt.Sprintf("a program that %s started still has its output open; the rest of the output is lost", name))
	}
	return result.Status, nil
}

// terminalOf returns the terminal that w is; nil if it isn't one, or if isWanted is false.
func terminalOf(w io.Writer, isWanted bool) *os.File {
	f, isFile := w.(*os.File)
	if !isFile || !isWanted || !terminal.IsTerminal(f) {
		return nil
	}
	return f
}

// bringBack copies the files that the tool wrote back to the original, with their locations mapped. It prints an
// error for each file that can't be brought back, and keeps the copy if a state would be lost with it.
func (e *execution) bringBack() error {
	translate := func(name string, text []byte) []byte {
		if e.mapping == "none" {
			return text
		}
		text, whyUnmapped := e.mapper.Document(text)
		if whyUnmapped != nil {
			e.ws.Warn(fmt.Sprintf("%s %s, so it isn't mapped: its locations are in the copy", diag.FileName(name), whyUnmapped))
		}
		return text
	}
	back, err := e.tree.BringBack(replace.Options{Warn: e.ws.Warn, Step: e.ws.Interrupt}, translate, e.shownName)
	// Print what could not be brought back.
	for _, text := range back.Lost {
		e.ws.Message(term.ErrorHead, text)
	}
	if back.LostState {
		e.keepsCopy = true
		e.ws.Warn("the copy is kept because it contains a state; move the state to the original")
	}
	if back.Left > 0 && e.ws.Verbose {
		e.ws.Note(wording.Count(back.Left, "file") + " below .terraform or .git were not copied back")
	}
	if err == nil && len(back.Lost) > 0 {
		err = workspace.ErrReported
	}
	return err
}

// shownName returns how messages name a path of the original: relative to the directory that the command runs in, if
// possible.
func (e *execution) shownName(path string) string {
	here := repo.Real(repo.Absolute(repo.In(e.ws.Base(), ".")))
	return diag.Escape(repo.From(here, path))
}

// fileOf returns the flattened file that name means in the tool's output: a path of the copy, or relative to one of
// e.bases. It returns nil for any other file.
func (e *execution) fileOf(name string) *relocate.File {
	name = filepath.FromSlash(name)
	if f := e.tree.File(name); f != nil {
		return f
	}
	for _, base := range e.bases {
		// Join also turns /main.tf, as some tools print a file in the base, into its path.
		if f := e.tree.File(filepath.Join(base, name)); f != nil {
			return f
		}
	}
	return nil
}

// The input of a tool: arguments and variables, in which paths lead to the copy.

// toolArguments returns the arguments of the tool, with paths that lead to the copy. module, the original directory
// of a module, replaces {}, relative to the tool's directory.
func (e *execution) toolArguments(module string) []string {
	name, err := filepath.Rel(e.dir, module)
	if err != nil {
		name = module
	}
	if strings.HasPrefix(name, "-") {
		name = "." + string(filepath.Separator) + name // or the tool would read an option
	}
	args := slices.Clone(e.tool[1:])
	for i := range args {
		args[i] = strings.ReplaceAll(e.convertArgument(args[i]), "{}", name)
	}
	return args
}

// convertArgument applies convertPath to the path in an argument: PATH, --option=PATH or -option=PATH.
func (e *execution) convertArgument(arg string) string {
	if option, path, hasOption := strings.Cut(arg, "="); hasOption && strings.HasPrefix(option, "-") {
		return option + "=" + e.convertPath(path)
	}
	return e.convertPath(arg)
}

// convertPath adapts a path to the tool, which runs in the copy. An absolute path in the copied part becomes its path
// in the copy. A relative path that leaves the copied part, such as ../../other, becomes absolute, since nothing is
// there beside the copy. Anything else stays.
func (e *execution) convertPath(path string) string {
	switch {
	case filepath.IsAbs(path):
		cleaned := filepath.Clean(path)
		if copied := e.tree.Within(cleaned); copied != cleaned {
			return copied
		}
	// A relative path up, which may leave the copied part.
	case path == "..", strings.HasPrefix(filepath.ToSlash(path), "../"):
		if whole := filepath.Join(e.dir, path); e.tree.Within(whole) == whole { // outside of the copied part
			return whole
		}
	}
	return path
}

// gitVariables lists the variables that would point git to the repository of the original instead of the
// copy's.
var gitVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
}

// environment returns the environment of the tool: the variables of the process, with paths that lead to the copy. It
// replaces variables of git, so that git looks for a repository in the copy only and takes no optional locks.
func (e *execution) environment() []string {
	var list, all []string
	if e.ws.Environ != nil {
		all = e.ws.Environ()
	}
	for _, variable := range all {
		name, value, _ := strings.Cut(variable, "=")
		if slices.Contains(gitVariables, name) || name == "GIT_CEILING_DIRECTORIES" {
			continue
		}
		list = append(list, name+"="+e.convertValue(value))
	}
	dir := e.tree.Copied(e.dir)
	return append(list, "GIT_OPTIONAL_LOCKS=0", "GIT_CEILING_DIRECTORIES="+filepath.Dir(e.tree.Copied(e.tree.Base)), "PWD="+dir)
}

// paths matches the parts of a variable that can be paths.
var paths = lazyregexp.New("[^ =," + string(filepath.ListSeparator) + "]+")

// convertValue applies convertPath to each path in the value of a variable, which may be a list or hold options. It
// looks only into values with an absolute path in the copied part.
func (e *execution) convertValue(value string) string {
	if !strings.Contains(value, e.tree.Base) {
		return value
	}
	return paths().ReplaceAllStringFunc(value, e.convertPath)
}

// basesOf lists the directories from which relative names in the output of a tool may start: those among its
// arguments, its working directory, and the root of the copy.
func (e *execution) basesOf(cmd *process.Command) []string {
	var list []string
	for _, arg := range cmd.Args {
		// The value of an option, as in --dir=DIR, can be a directory, too.
		if _, value, hasOption := strings.Cut(arg, "="); hasOption && strings.HasPrefix(arg, "-") {
			arg = value
		}
		if strings.HasPrefix(arg, "-") || arg == "" {
			continue
		}
		path := repo.In(cmd.Dir, arg)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			list = append(list, filepath.Clean(path))
		}
	}
	return append(list, cmd.Dir, e.tree.Copied(e.tree.Base))
}
