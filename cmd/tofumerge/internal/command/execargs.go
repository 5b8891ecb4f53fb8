package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/child"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
)

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
func (e *execution) basesOf(cmd *child.Command) []string {
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
