package command

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// execOptions are what the flags of exec ask for.
type execOptions struct {
	ws        *workspace.Workspace
	search    workspace.Search
	mapping   string
	git, keep bool
	tool      []string // with its arguments
}

// NewExec returns the command that runs a tool on the effective configuration.
func NewExec(ws *workspace.Workspace, words complete.Words) *cobra.Command {
	o := &execOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "exec [DIR] -- TOOL [ARG...]",
		Short: "Run a tool on the effective configuration",
		Long: `exec runs a tool on a temporary copy in which the override files are merged, and
translates the file names and lines that the tool prints.

Use it for tools that read override files wrongly, or not at all. The copy includes the
whole Git repository around DIR; outside a repository, only DIR. The tool runs in the
directory of the copy that corresponds to DIR, and exec exits with the tool's status.

Without -r, only the module in DIR is flattened; with -r, all modules below DIR. If the tool's
arguments include {}, the tool runs once for each module, with {} replaced by its directory,
and the highest status is returned.

In the tool's output, FILE:LINE and "on FILE line N" are translated to the original files and
lines; lines that an override made map to the override file. Other forms, such as JSON, are
not translated yet.

New files that the tool writes are copied back. Changes to existing files aren't: exec names
them and fails. State files are not copied. Of terraform and tofu, only reading commands run.`,
		Example: `  tofumerge exec modules/web -- tflint --format compact
  tofumerge exec -r . -- trivy config .
  tofumerge exec -r . -- terraform-config-inspect {}`,
		RunE: o.run,

		ValidArgsFunction: words.Dirs,
	}
	flags := cmd.Flags()
	searchFlags(cmd, words, &o.search, "flatten all modules below DIR")
	flags.StringVar(&o.mapping, "map", "text", "translate locations in `FORM`: text or none")
	flags.BoolVar(&o.git, "git", false, "link .git into the copy")
	flags.BoolVar(&o.keep, "keep", false, "keep the copy, and print its path")
	words.ForFlag(cmd, "map", cobra.FixedCompletions([]cobra.Completion{"text", "none"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

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
	temp, err := replace.NewTempDir(o.keep, o.ws.Warn)
	if err != nil {
		return fmt.Errorf("can't make a temporary directory: %w", err)
	}
	t := newExecTree(o, r, temp)
	status := 0
	if err = t.build(); err == nil {
		if status, err = t.runTool(); err == nil {
			err = t.bringBack()
		}
	}
	if o.keep && err == nil {
		o.ws.Note("kept " + t.copy)
	} else if failed := temp.Remove(); failed != nil {
		o.ws.Warn(fmt.Sprintf("can't remove %s: %v; remove it", temp.Path, input.StripPath(failed)))
	}
	if err == nil && status != 0 {
		err = &workspace.StatusError{Status: status}
	}
	return err
}

// settle parts the tool from the directory, and refuses what makes no sense.
func (o *execOptions) settle(cmd *cobra.Command, args []string) (dirs []string, err error) {
	n := cmd.ArgsLenAtDash()
	switch {
	case n < 0 || n == len(args):
		return nil, errors.New("exec needs a tool behind --, as in: tofumerge exec modules/web -- tflint")
	case n > 1:
		return nil, errors.New("exec works on one directory; name one, and use -r for all modules below it")
	case o.mapping != "text" && o.mapping != "none":
		return nil, fmt.Errorf("--map %s is unknown; use text or none", diag.Escape(o.mapping))
	case o.ws.Tracked:
		return nil, errors.New("exec copies the working tree; leave --tracked out")
	}
	o.tool = slices.Clone(args[n:])
	path := o.tool[0]
	if strings.ContainsRune(path, filepath.Separator) {
		path = repo.Absolute(repo.In(o.ws.Base(), path))
	}
	if path, err = exec.LookPath(path); err != nil {
		return nil, fmt.Errorf("can't run %s: no such program; install it, or name its path", diag.Escape(o.tool[0]))
	}
	if o.tool[0] = repo.Absolute(path); !isReading(o.tool) {
		return nil, fmt.Errorf("%s would work without its state there, or write to a copy that is removed; "+
			"exec runs only commands of it that read: %s",
			diag.Escape(filepath.Base(path)), strings.Join(readingCommands, ", "))
	}
	if isEngine(o.tool[0]) {
		o.ws.Warn(filepath.Base(path) + " merges override files itself; on the copy it may accept what it refuses in the " +
			"original, such as an argument that only an override gives")
	}
	return args[:n], nil
}

// isEngine reports whether a tool is an engine.
func isEngine(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
	return name == "terraform" || name == "tofu"
}

// readingCommands are those of the engines that need no state and change nothing.
var readingCommands = []string{
	"validate", "fmt -check", "graph", "providers", "console", "show", "get", "init -backend=false", "version",
}

// isReading reports whether a tool is no engine, or a command of one that reads.
func isReading(tool []string) bool {
	if !isEngine(tool[0]) {
		return true
	}
	rest := slices.DeleteFunc(slices.Clone(tool[1:]), func(arg string) bool { return strings.HasPrefix(arg, "-chdir=") })
	if len(rest) == 0 {
		return true
	}
	return slices.ContainsFunc(readingCommands, func(command string) bool {
		name, flag, needsFlag := strings.Cut(command, " ")
		return rest[0] == name && (!needsFlag || slices.Contains(rest[1:], flag) || slices.Contains(rest[1:], "-"+flag))
	})
}
