package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/mirror"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/relocate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/tree"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// An execution runs a tool in a copy.
type execution struct {
	*execOptions
	work   *workspace.Run
	tree   *mirror.Tree
	mapper *relocate.Mapper
	files  map[*mirror.Flat]*relocate.File
	bases  []string // directories of the copy that names may begin from, the likeliest first
	calls  []string // directories of called modules
	stays  bool     // the copy is not removed
}

// run makes the copy, runs the tool, and copies its files back.
func (e *execution) run() (status int, err error) {
	err = e.tree.Fill(func(b *replace.Building) error {
		err := workspace.Each(e.work, e.merge, func(m *workspace.Module, flat flatModule) error { return e.add(b, m, flat) })
		return errors.Join(err, e.follow())
	})
	if err != nil {
		return 0, err
	}
	if err := e.ws.Flush(); err != nil {
		return 0, err
	}
	e.stays = e.keep
	e.mapper = &relocate.Mapper{Copy: e.tree.Path(), File: e.fileOf}
	e.files = map[*mirror.Flat]*relocate.File{}
	if status, err = e.runTool(); err == nil {
		err = e.bringBack()
	}
	if unmapped := e.mapper.Unmapped(); unmapped > 0 {
		e.ws.Note("Note: " + wording.Count(unmapped, "location") + " in the tool's output could not be mapped: the merged files have no such lines")
	}
	return status, err
}

// end removes the copy, or names it.
func (e *execution) end() {
	if e.stays {
		e.ws.Note("kept " + e.tree.Keep(e.dir))
	} else if err := e.tree.Remove(); err != nil {
		e.ws.Warn(fmt.Sprintf("can't remove %s: %v; remove it", e.tree.Path(), input.StripPath(err)))
	}
}

// merge computes the files of a module.
func (e *execution) merge(m *workspace.Module) (flat flatModule) {
	if !m.Diags.HasErrors() {
		flat = newFlatModule(e.ws, m, true)
	}
	return flat
}

// add writes a module into the copy.
func (e *execution) add(b *replace.Building, m *workspace.Module, flat flatModule) error {
	if m.Diags.HasErrors() {
		return e.ws.Report(m.Source, m.Diags)
	}
	if err := e.work.ReportAll(m, flat.shown(e.ws, m)); err != nil {
		return err
	}
	flat.noteCarried(e.ws, m)
	for _, c := range tree.Calls(m.Module) {
		from := c.Local
		if from == "" {
			continue
		}
		if dir := repo.Real(filepath.Join(repo.Real(m.Source.Dir), filepath.FromSlash(from))); !repo.IsWithin(dir, e.tree.Base) {
			e.calls = append(e.calls, dir)
		}
	}
	return e.tree.Add(b, m.Source, flat.diffs, flat.lines)
}

// follow adds the modules that calls load from outside of the copied part.
func (e *execution) follow() error {
	slices.Sort(e.calls)
	for _, dir := range slices.Compact(e.calls) {
		called, err := e.ws.Follow([]string{dir}, merge.Options{})
		if err != nil {
			e.ws.Warn(fmt.Sprintf("the module call to %s can't be followed: %v", diag.Escape(dir), input.StripPath(err)))
			continue
		}
		for _, n := range called.Nodes {
			e.tree.AddOutside(n.Dir)
		}
	}
	return nil
}

// runTool runs the tool, for each module where its arguments name one, and returns the highest status.
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

// runOnce runs the tool on a module, if it is given one.
func (e *execution) runOnce(module string) (status int, err error) {
	cmd := &process.Command{Path: e.tool[0], Args: e.arguments(module), Dir: e.tree.Copied(e.dir), Env: e.environment(), In: e.ws.In}
	e.bases = e.basesOf(cmd)
	out, errs := terminal.Beneath(e.ws.Out), terminal.Beneath(e.ws.Err)
	cmd.Out, cmd.Err = out, errs
	var writers []*relocate.Writer
	if form, isMapped := formsByName[e.mapping]; isMapped {
		o, r := e.mapper.NewWriter(out, form), e.mapper.NewWriter(errs, relocate.Text)
		writers = []*relocate.Writer{o, r}
		cmd.Out, cmd.Err = o, r
		cmd.OutTerminal, cmd.ErrTerminal = terminalOf(out, form != relocate.JSON), terminalOf(errs, true)
	}
	result, err := cmd.Run()
	for _, w := range writers {
		unmapped, failed := w.Close()
		if unmapped != nil {
			e.ws.Warn(fmt.Sprintf("the tool's output %s, so it isn't mapped: its locations are in the copy", unmapped))
		}
		if !errors.Is(failed, syscall.EPIPE) { // the reader of our output may have read enough
			err = errors.Join(err, failed)
		}
	}
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

// terminalOf is the terminal that a stream writes to; nil if it isn't one, or not wanted.
func terminalOf(w io.Writer, isWanted bool) *os.File {
	f, isFile := w.(*os.File)
	if !isFile || !isWanted || !terminal.IsTerminal(f) {
		return nil
	}
	return f
}

// bringBack copies the tool's changes to the original.
func (e *execution) bringBack() error {
	translate := func(name string, text []byte) []byte {
		if e.mapping == "none" {
			return text
		}
		text, unmapped := e.mapper.Document(text)
		if unmapped != nil {
			e.ws.Warn(fmt.Sprintf("%s %s, so it isn't mapped: its locations are in the copy", diag.FileName(name), unmapped))
		}
		return text
	}
	back, err := e.tree.BringBack(replace.Options{Warn: e.ws.Warn, Step: e.ws.Interrupt}, translate, e.nameOf)
	for _, text := range back.Lost {
		e.ws.Message(term.ErrorHead, text)
	}
	if back.LostState {
		e.stays = true
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

// nameOf is a path of the original in messages.
func (e *execution) nameOf(path string) string {
	return diag.Escape(repo.From(repo.Real(repo.Absolute(repo.In(e.ws.Base(), "."))), path))
}

// fileOf is the flattened file that a name means as the tool prints it.
func (e *execution) fileOf(name string) *relocate.File {
	name = filepath.FromSlash(name)
	var paths []string
	if filepath.IsAbs(name) {
		paths = []string{name}
	}
	for _, base := range e.bases {
		paths = append(paths, filepath.Join(base, name)) // a slash at the front may mean such a base
	}
	for _, path := range paths {
		if original, isCopied := e.tree.Original(path); isCopied {
			if f := e.tree.Flat(original); f != nil {
				return e.mapped(f)
			}
		}
	}
	return nil
}

// mapped is the form of a flattened file for the mapper.
func (e *execution) mapped(f *mirror.Flat) *relocate.File {
	if known := e.files[f]; known != nil {
		return known
	}
	made := &relocate.File{Text: f.Text, Lines: f.Lines, Original: func(name string) []byte {
		text, err := input.Read(filepath.Join(f.Dir, name), e.ws.MaxFileSize)
		if err != nil {
			return nil // columns stay
		}
		return text
	}}
	e.files[f] = made
	return made
}

// The input of a tool: arguments and variables with paths in the copy.

// arguments returns the arguments of the tool, for one module if they contain its placeholder.
func (e *execution) arguments(module string) []string {
	name, err := filepath.Rel(e.dir, module)
	if err != nil {
		name = module
	}
	if strings.HasPrefix(name, "-") {
		name = "." + string(filepath.Separator) + name // and no option
	}
	args := slices.Clone(e.tool[1:])
	for i := range args {
		args[i] = strings.ReplaceAll(e.argument(args[i]), "{}", name)
	}
	return args
}

// argument converts a path, with or without an option before it: to the copy if the original path
// is in the copied part, and to the original if it points outside.
func (e *execution) argument(arg string) string {
	option, path, hasOption := strings.Cut(arg, "=")
	if !hasOption || !strings.HasPrefix(option, "-") {
		option, path, hasOption = "", arg, false
	}
	if e.isUnsafe && hasOption && slices.Contains(stateFlags, option) {
		return option + "=" + repo.In(e.dir, path) // the real one
	}
	path = e.path(path)
	if hasOption {
		return option + "=" + path
	}
	return path
}

// path is a path in the copy.
func (e *execution) path(path string) string {
	switch {
	case filepath.IsAbs(path):
		if inside := e.tree.Within(filepath.Clean(path)); inside != filepath.Clean(path) {
			return inside
		}
	case path == "..", strings.HasPrefix(filepath.ToSlash(path), "../"):
		whole := filepath.Join(e.dir, path)
		if e.tree.Within(whole) == whole {
			return whole
		}
	}
	return path
}

// gitVariables point git to the repository of the original, which isn't the copy's.
var gitVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
}

// environment is the environment of the process with paths in the copy.
func (e *execution) environment() []string {
	var list []string
	for _, variable := range e.environ() {
		name, value, _ := strings.Cut(variable, "=")
		if slices.Contains(gitVariables, name) || name == "GIT_CEILING_DIRECTORIES" {
			continue
		}
		list = append(list, name+"="+e.value(value))
	}
	dir := e.tree.Copied(e.dir)
	return append(list, "GIT_OPTIONAL_LOCKS=0", "GIT_CEILING_DIRECTORIES="+filepath.Dir(e.tree.Copied(e.tree.Base)), "PWD="+dir)
}

// value is the value of a variable: a path, or several with blanks or colons between them.
func (e *execution) value(value string) string {
	if !strings.Contains(value, e.tree.Base) {
		return value
	}
	var out strings.Builder
	for value != "" {
		end := strings.IndexAny(value, " =,"+string(filepath.ListSeparator))
		if end < 0 {
			end = len(value)
		}
		out.WriteString(e.path(value[:end]))
		if end < len(value) {
			out.WriteByte(value[end])
			end++
		}
		value = value[end:]
	}
	return out.String()
}

// basesOf lists the directories that names in the output of a tool may be relative to: those in its
// arguments, its working directory, and the copied one.
func (e *execution) basesOf(cmd *process.Command) []string {
	var list []string
	for _, arg := range cmd.Args {
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
