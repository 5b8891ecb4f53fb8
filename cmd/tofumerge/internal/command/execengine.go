package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

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
	case o.isUnsafe && slices.ContainsFunc(o.variables("TF_CLI_ARGS"), namesState):
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

// namesState reports whether a text has one of them.
func namesState(text string) bool {
	return slices.ContainsFunc(stateFlags, func(flag string) bool { return strings.Contains(text, flag) })
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

// variables are the environment variables with a prefix.
func (o *execOptions) variables(prefix string) []string {
	return slices.DeleteFunc(o.environ(), func(v string) bool { return !strings.HasPrefix(v, prefix) })
}

func (o *execOptions) environ() []string {
	if o.ws.Environ == nil {
		return nil
	}
	return slices.Clone(o.ws.Environ())
}
