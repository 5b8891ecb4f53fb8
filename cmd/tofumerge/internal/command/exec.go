package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/mirror"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/relocate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// execOptions hold the flags of exec.
type execOptions struct {
	ws                  *workspace.Workspace
	search              workspace.Search
	mapping             string
	git, keep, isUnsafe bool
	dir                 string   // that the tool runs in, of the original
	tool                []string // with its arguments
}

// mapForms are the values of --map.
var mapForms = []string{"auto", "sarif", "json", "text", "none"}

// formsByName are what those mean that map anything.
var formsByName = map[string]relocate.Form{
	"auto": relocate.Auto, "sarif": relocate.JSON, "json": relocate.JSON, "text": relocate.Text,
}

// NewExec returns the command that runs a tool on the effective configuration.
func NewExec(ws *workspace.Workspace, words complete.Words) *cobra.Command {
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

For terraform and tofu, exec runs only reading commands, unless you use --allow-writes.
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
	flags.BoolVar(&o.git, "git", false, "give the copy a .git with its own index and branches")
	flags.BoolVar(&o.keep, "keep", false, "keep the copy, and print its path")
	flags.BoolVar(&o.isUnsafe, "allow-writes", false, "let terraform and tofu write to the real state")
	words.ForFlag(cmd, "map", complete.Fixed(mapForms))
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
	r.Done, r.Undone, r.CountsIdle = "merged", "run", true
	o.dir = repo.Real(repo.In(o.ws.Base(), r.Named[0]))
	tree, err := mirror.New(o.dir, mirror.Options{
		IsKept: o.keep, HasGit: o.git, HasStates: o.isEngine(), MakesStates: o.isUnsafe, States: o.ownStates(), Warn: o.ws.Warn,
	})
	if err != nil {
		return err
	}
	e := &execution{execOptions: o, work: r, tree: tree}
	status, err := e.run()
	e.end()
	if err == nil && status != 0 {
		err = &workspace.StatusError{Status: status}
	}
	return err
}

// settle separates the tool from the directory, and refuses meaningless combinations.
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
	o.tool = slices.Clone(args[n:])
	if o.tool[0], err = programPath(o.ws, o.tool[0]); err != nil {
		return nil, err
	}
	return args[:n], o.settleEngine()
}

// programPath is the absolute path of a program that a command line names. A name without a
// separator is looked up in PATH.
func programPath(ws *workspace.Workspace, name string) (string, error) {
	path := name
	if strings.ContainsRune(path, filepath.Separator) {
		path = repo.Absolute(repo.In(ws.Base(), path))
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return "", fmt.Errorf("can't run %s: no such program; install it, or name its path", diag.Escape(name))
	}
	return repo.Absolute(path), nil
}

// The engines themselves as tools of exec.

// readingCommands are the engines' commands that need no state and change nothing.
var readingCommands = []string{
	"validate", "fmt -check", "graph", "providers", "console", "show", "get", "init -backend=false", "version",
}

// settleEngine warns of an engine, and refuses what could lose a state.
func (o *execOptions) settleEngine() error {
	name, isEngine := toolName(o.tool[0]), o.isEngine()
	switch {
	case !isEngine && o.isUnsafe:
		return errors.New("--allow-writes is for terraform and tofu; leave it out for other tools")
	case !isEngine:
		return nil
	case isOneOf(o.tool[1:], originalCommands) && !isReading(o.tool[1:]):
		return fmt.Errorf("%s %s writes to .terraform, which is not copied back; run it on the original",
			diag.Escape(name), diag.Escape(o.tool[1]))
	case !o.isUnsafe && !isReading(o.tool[1:]):
		return fmt.Errorf("%s may write a state or configuration, and exec removes the copy; exec runs only: %s. "+
			"To run it on the real state, use --allow-writes", diag.Escape(name), strings.Join(readingCommands, ", "))
	case o.isUnsafe && runtime.GOOS == "windows":
		return errors.New("--allow-writes needs symbolic links, which this system does not have; run the engine on the original")
	case o.isUnsafe && slices.ContainsFunc(o.environ(), namesState):
		return errors.New("a TF_CLI_ARGS variable names a state; name the state on the command line instead")
	}
	o.ws.Warn(name + " merges override files itself: in the copy it may accept what it refuses in the original, such as " +
		"an argument that only an override sets, or another required_version")
	return nil
}

// isEngine reports whether the tool is an engine.
func (o *execOptions) isEngine() bool {
	return slices.ContainsFunc(engine.Products(), func(p engine.Product) bool { return p.Command() == toolName(o.tool[0]) })
}

// toolName is the name of a program without its directory and ending.
func toolName(path string) string {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
}

// isReading reports whether arguments of an engine are a command that reads.
func isReading(args []string) bool {
	rest := commandIn(args)
	return len(rest) == 0 || strings.HasPrefix(rest[0], "-") || isOneOf(args, readingCommands) // help and the version
}

// commandIn are arguments from the command on.
func commandIn(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return strings.HasPrefix(arg, "-chdir=") })
}

// isOneOf reports whether arguments are a command of a list, with the required word behind it.
func isOneOf(args, list []string) bool {
	rest := commandIn(args)
	return len(rest) > 0 && slices.ContainsFunc(list, func(command string) bool {
		name, word, needsWord := strings.Cut(command, " ")
		return rest[0] == name && (!needsWord || slices.Contains(rest[1:], word) || slices.Contains(rest[1:], "-"+word))
	})
}

// originalCommands are the engines' commands that write files to keep in the directory of the
// original.
var originalCommands = []string{"init", "workspace new", "workspace select", "workspace delete"}

// stateFlags are the arguments of engines that name a state.
var stateFlags = []string{"-state", "-state-out", "-backup"}

// namesState reports whether a variable adds one of them to the arguments of an engine.
func namesState(variable string) bool {
	return strings.HasPrefix(variable, "TF_CLI_ARGS") && slices.ContainsFunc(stateFlags, func(flag string) bool { return strings.Contains(variable, flag) })
}

// ownStates are the paths of states that the local backend keeps under custom names.
func (o *execOptions) ownStates() []string {
	if !o.isUnsafe {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(repo.In(o.dir, o.ws.DataDir()), "terraform.tfstate"))
	if err != nil {
		return nil // no backend was set up
	}
	var known struct {
		Backend struct {
			Type   string
			Config struct{ Path string }
		}
	}
	path := ""
	if json.Unmarshal(text, &known) == nil && known.Backend.Type == "local" {
		path = known.Backend.Config.Path
	}
	if path == "" || filepath.IsAbs(path) {
		return nil
	}
	path = filepath.Join(o.dir, path)
	if filepath.Base(path) == "terraform.tfstate" && filepath.Dir(path) == o.dir {
		return nil
	}
	return []string{path, path + ".backup"}
}

func (o *execOptions) environ() []string {
	if o.ws.Environ == nil {
		return nil
	}
	return slices.Clone(o.ws.Environ())
}
