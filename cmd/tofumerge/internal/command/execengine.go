package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// The engines themselves as tools of exec.

// readingCommands are those of the engines that need no state and change nothing.
var readingCommands = []string{
	"validate", "fmt -check", "graph", "providers", "console", "show", "get", "init -backend=false", "version",
}

// settleEngine warns of an engine, and refuses what could lose a state.
func (o *execOptions) settleEngine() error {
	name := toolName(o.tool[0])
	isEngine := slices.ContainsFunc(engine.Products(), func(p engine.Product) bool { return p.Command() == name })
	switch {
	case !isEngine && o.isUnsafe:
		return errors.New("--allow-writes is for terraform and tofu; leave it out for other tools")
	case !isEngine:
		return nil
	case !o.isUnsafe && !isReading(o.tool[1:]):
		return fmt.Errorf("%s may write a state, and exec removes the copy; exec runs only: %s. "+
			"To run it on the real state, use --allow-writes", diag.Escape(name), strings.Join(readingCommands, ", "))
	case o.isUnsafe && runtime.GOOS == "windows":
		return errors.New("--allow-writes needs symbolic links, which this system does not have; run the engine on the original")
	case o.isUnsafe && slices.ContainsFunc(o.variables("TF_CLI_ARGS"), namesState):
		return errors.New("a variable TF_CLI_ARGS names a state; write that on the command line")
	}
	o.ws.Warn(name + " merges override files itself: in the copy it may accept what it refuses in the original, such as " +
		"an argument that only an override gives, or another required_version")
	return nil
}

// toolName is the name of a program without its directory and ending.
func toolName(path string) string {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
}

// isReading reports whether arguments of an engine are a command that reads.
func isReading(args []string) bool {
	rest := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return strings.HasPrefix(arg, "-chdir=") })
	if len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return true // help and the version
	}
	return slices.ContainsFunc(readingCommands, func(command string) bool {
		name, flag, needsFlag := strings.Cut(command, " ")
		return rest[0] == name && (!needsFlag || slices.Contains(rest[1:], flag) || slices.Contains(rest[1:], "-"+flag))
	})
}

// stateFlags are the arguments of engines that name a state.
var stateFlags = []string{"-state", "-state-out", "-backup"}

// namesState reports whether a text has one of them.
func namesState(text string) bool {
	return slices.ContainsFunc(stateFlags, func(flag string) bool { return strings.Contains(text, flag) })
}

// variables are those of the environment whose names begin so.
func (o *execOptions) variables(prefix string) []string {
	return slices.DeleteFunc(o.environ(), func(v string) bool { return !strings.HasPrefix(v, prefix) })
}

func (o *execOptions) environ() []string {
	if o.ws.Environ == nil {
		return nil
	}
	return slices.Clone(o.ws.Environ())
}
