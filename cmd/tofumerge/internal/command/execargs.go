package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/child"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
)

// What a tool is given: arguments and variables that lead into the copy.

// arguments are those of the tool, for a module if they ask for one.
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

// argument is an argument whose path, with or without an option before it, leads into the copy where the
// original leads into what is copied, and to the original where it leads out of that.
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

// path is one that leads into the copy.
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

// gitVariables lead git to the repository of the original, which is none of the copy's.
var gitVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
}

// environment is that of the process with paths that lead into the copy.
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

// basesOf are the directories that names in the output of a tool may begin from: those that its arguments
// name, the one that it runs in, and the one that is copied.
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
