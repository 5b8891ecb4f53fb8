package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/command"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// Flags that mean the same in every command that takes them. "help flags" describes them once; the
// help of a command names those that it takes.

// A flagGroup is a group of such flags.
type flagGroup struct {
	name, about string
	flags       []groupFlag
}

// A groupFlag is one of them: its name, its form, and its purpose. Arguments have no name.
type groupFlag struct{ name, written, usage string }

var flagGroups = []flagGroup{
	{"Selection", "which modules, and which parts", []groupFlag{
		{"", "DIR...", "the directories of modules; the current one by default"},
		{"recursive", "-r, --recursive", "go through all modules below each DIR"},
		{"exclude", "--exclude GLOB", "with -r, skip directories that GLOB matches; repeatable"},
		{"modules", "--modules", "follow module calls, as far as init has installed them"},
		{"tracked", "--tracked", "read the index of Git, not the working tree"},
		{"filter", "--filter GLOBS", "only addresses that GLOBS match, and the number of others"},
	}},
	{"Output", "format and destination", []groupFlag{
		{"format", "-f, --format FORMAT", "print in FORMAT; for a list, see the command's help"},
		{"json", "--json", "short for --format json"},
		{"output", "-o, --output PATH", "write to a file, or in flatten to a new directory"},
		{"redact", "--redact", "hide values that are not effective; in diff and list with --json"},
		{"full", "--full", "print long values whole, not just the lines that differ"},
		{"color", "--color WHEN", "colour the output: WHEN is auto (default), always or never"},
		{"quiet", "-q, --quiet", "print no warnings, only errors"},
		{"verbose", "-v, --verbose", "print the engine and a summary to standard error"},
	}},
	{"Comparison", "the other side", []groupFlag{
		{"", "DIR DIR2", "two directories (diff, extract)"},
		{"since", "--since REV[:DIR]", "a revision, such as main; for the commit where the branches parted: main..."},
		{"only-new", "--only-new REV[:DIR]", "only findings that the revision doesn't have"},
		{"var-files", "--var-files", "with --since, also compare the values of variables"},
		{"against-engine", "--against-engine ENGINE", "another engine"},
	}},
}

// isInGroup reports whether a group describes a flag.
func isInGroup(name string) bool {
	return slices.ContainsFunc(flagGroups, func(g flagGroup) bool {
		return slices.ContainsFunc(g.flags, func(f groupFlag) bool { return f.name == name })
	})
}

// taking lists the commands that take a flag of a group.
func taking(root *cobra.Command, name string) string {
	var with, without []string
	for _, c := range root.Commands() {
		switch {
		case !c.IsAvailableCommand() || c.Name() == "help" || c.Name() == "completion":
		case takes(c, name):
			with = append(with, c.Name())
		default:
			without = append(without, c.Name())
		}
	}
	switch isGlobal := root.PersistentFlags().Lookup(name) != nil; {
	case isGlobal && len(without) == 0:
		return "all commands"
	case isGlobal:
		return "all but " + strings.Join(without, ", ")
	}
	return strings.Join(with, ", ")
}

// takes reports whether a command takes a flag of a group, its own one or one of all commands.
func takes(cmd *cobra.Command, name string) bool {
	if name == "tracked" && slices.Contains(writers, cmd.Name()) {
		return false
	}
	return cmd.Root().PersistentFlags().Lookup(name) != nil || cmd.LocalNonPersistentFlags().Lookup(name) != nil
}

// namesFor lists the flags of a group that a command has itself, as they are written. A command that selects
// modules by its own flags also has --tracked, which belongs to most commands.
func (g flagGroup) namesFor(cmd *cobra.Command) []string {
	var names []string
	own, hasOwn := cmd.LocalNonPersistentFlags(), false
	for _, f := range g.flags {
		flag := own.Lookup(f.name)
		if hasOwn = hasOwn || flag != nil && !flag.Hidden; flag == nil && f.name == "tracked" && takes(cmd, f.name) {
			flag = cmd.Root().PersistentFlags().Lookup(f.name)
		}
		if flag != nil && !flag.Hidden {
			names = append(names, written(flag))
		}
	}
	if !hasOwn {
		return nil
	}
	return names
}

// most is how many columns the names of formats take; more are in the description of a command.
const most = 30

// written is a flag as it is typed, with its value.
func written(f *pflag.Flag) string {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand
	}
	value, _ := flagValue(f)
	if choices := strings.Join(f.Annotations[command.Choices], "|"); choices != "" && len(choices) <= most {
		value = " " + choices
	}
	return name + value
}

// columns writes texts beside heads, or below them where there is little room.
func columns(heads, texts []string, s screen.Screen) string {
	width := 0
	for _, head := range heads {
		width = max(width, len(head))
	}
	var out strings.Builder
	hang := strings.Repeat(" ", width+3)
	isNarrow := s.Width-len(hang) < leastText
	for i, head := range heads {
		if isNarrow {
			const indent = "          "
			out.WriteString(head + "\n" + screen.Wrap(indent+texts[i], s.Width, indent) + "\n")
			continue
		}
		out.WriteString(screen.Pad(head, len(hang)) + screen.WrapAfter(len(hang), texts[i], s.Width, hang) + "\n")
	}
	return out.String()
}

// What people type where a flag is expected.

// otherFlags are flags of other programs, and what to use here instead; behind the name of a command, what to use there.
var otherFlags = map[string]string{
	"out":          "use --output",
	"against":      "use --since REV for a revision, or name two directories: tofumerge diff DIR DIR2",
	"in-place":     "use --write",
	"dry-run":      "nothing is changed without --write; the patch shows the changes",
	"changed":      "use --since REV, or --only-changed in render",
	"diff":         "use check --fix for a patch of the fixes, or tofumerge diff",
	"w":            "use --write in extract, flatten and check --fix",
	"stat":         "for the number of values, see the last line of tofumerge changes; for lines, pipe tofumerge diff into diffstat",
	"summary":      "use -q or -v; the last line of a run is its summary",
	"name-only":    "use tofumerge list, or --json",
	"exit-code":    "use --detailed-exitcode in changes and diff; check exits with 2 if it finds anything",
	"ignore":       "use --disable RULES, or --filter for addresses",
	"skip":         "use --disable RULES, or --exclude for directories",
	"only":         "use --select RULES in check, or --filter for addresses",
	"copy-rest":    "flatten -o copies everything; --only-config leaves the rest out",
	"force-engine": "name your engine with --engine",
	"no-output":    "send the result to /dev/null",
	"U":            "a patch has 3 lines of context",

	"check since":     "to report only findings that are new since a revision, use --only-new REV",
	"check stat":      "the last line of check gives the number of findings",
	"check summary":   "the last line of check gives the number of findings; -q leaves out the notes",
	"check exit-code": "check exits with 2 if it finds anything; --fail-on sets from which severity on",
	"diff w":          "diff shows changes of layout, too; to ignore them, use tofumerge changes",
}

// flagError words an error of the flag parser, with a hint what to use instead.
func (a *app) flagError(cmd *cobra.Command, err error) error {
	if a.isWord(cmd, a.args) {
		if err := a.unknownWord(cmd, a.args[0]); err != nil {
			return err
		}
	}
	if missing := (*pflag.NotExistError)(nil); errors.As(err, &missing) {
		return unknownFlag(cmd, missing)
	}
	if own := (*command.FlagError)(nil); errors.As(err, &own) {
		return own
	}
	if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
		if errors.Is(err, command.ErrEmptyName) {
			return fmt.Errorf("--%s %s has a stray comma; remove it", invalid.GetFlag().Name, diag.Escape(invalid.GetValue()))
		}
	}
	return fmt.Errorf("%w; to list the flags, run: %s --help", err, cmd.CommandPath())
}

// unknownFlag is the error about a flag that a command doesn't have.
func unknownFlag(cmd *cobra.Command, missing *pflag.NotExistError) error {
	name, dashes := missing.GetSpecifiedName(), "--"
	if missing.GetSpecifiedShortnames() != "" {
		dashes = "-"
	}
	given := dashes + diag.Escape(name)
	if (!cmd.HasParent() || cmd.Name() == "render") && (given == "-r" || given == "--recursive") {
		return errors.New("several modules are not one configuration; to merge each, run: tofumerge flatten -r DIR -o NEWDIR")
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if hint := otherFlags[cmd.Name()+" "+name]; hint != "" {
		return fmt.Errorf("unknown flag %s; %s", given, hint)
	}
	if others := commandsWith(name, dashes == "-"); len(others) > 0 {
		verb := map[bool]string{true: "does", false: "do"}[len(others) == 1]
		return fmt.Errorf("%s has no flag %s; %s %s", cmd.CommandPath(), given, diag.Joined(others, "and"), verb)
	}
	if hint := otherFlags[name]; hint != "" {
		return fmt.Errorf("unknown flag %s; %s", given, hint)
	}
	if near := spelling.Nearest(name, names); dashes == "--" && near != "" {
		return fmt.Errorf("unknown flag %s; did you mean --%s?", given, near)
	}
	return fmt.Errorf("unknown flag %s; to list the flags, run: %s --help", given, cmd.CommandPath())
}

// commandsWith lists the commands that have a flag, by its name or its letter.
func commandsWith(name string, isShort bool) []string {
	whole := (&app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv)}}).rootCommand()
	var names []string
	for _, c := range whole.Commands() {
		f := c.Flags().Lookup(name)
		if isShort {
			f = c.Flags().ShorthandLookup(name)
		}
		if f != nil && !f.Hidden && c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// Long flags with a single dash, as tofu takes them. To the flag library each would be
// several short flags, or a short one with a value.

// takenFromTofu are the flags that are accepted with a single dash.
var takenFromTofu = []string{"chdir", "help", "json", "no-color", "var", "var-file", "version"}

// withTofuFlags returns arguments with two dashes before the flags that are taken from
// tofu. The error is about another long flag with a single dash.
func withTofuFlags(root *cobra.Command, args []string) ([]string, error) {
	known := knownFlags(root)
	list := slices.Clone(args)
	for i := 0; i < len(list); i++ {
		arg := list[i]
		name, rest := flagName(arg)
		isLong := strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && len(name) > 1
		f := known[name]
		switch {
		case arg == "--":
			return list, nil
		case isLong && slices.Contains(takenFromTofu, name):
			list[i] = "-" + arg
		case isLong && (f != nil || otherFlags[name] != ""):
			hint := otherFlags[name]
			if hint == "" {
				hint = "use --" + name
			}
			if flag, ok := strings.CutPrefix(hint, "use --"); ok && !strings.Contains(flag, " ") {
				hint += rest
			}
			return nil, fmt.Errorf("unknown flag -%s; %s", diag.Escape(name+rest), diag.Escape(hint))
		case isLong:
			f = lastOfCluster(known, name+rest)
		}
		if f != nil && rest == "" && f.NoOptDefVal == "" {
			i++ // the next one is its value
		}
	}
	return list, nil
}

// flagName splits an argument into the name of a flag, or "", and the rest from an equals sign on.
func flagName(arg string) (name, rest string) {
	if len(arg) < 2 || arg[0] != '-' {
		return "", ""
	}
	name = strings.TrimPrefix(arg[1:], "-")
	if at := strings.IndexByte(name, '='); at >= 0 {
		return name[:at], name[at:]
	}
	return name, ""
}

// lastOfCluster is the flag at the end of several short ones that are written together; nil if an
// earlier one takes the rest as its value.
func lastOfCluster(known map[string]*pflag.Flag, letters string) *pflag.Flag {
	for i := range len(letters) {
		f := known[letters[i:i+1]]
		if f == nil || f.NoOptDefVal == "" && i+1 < len(letters) {
			return nil
		}
		if i+1 == len(letters) {
			return f
		}
	}
	return nil
}

// knownFlags are the flags of all commands, by their names and letters.
func knownFlags(root *cobra.Command) map[string]*pflag.Flag {
	known := map[string]*pflag.Flag{}
	note := func(f *pflag.Flag) {
		known[f.Name] = f
		if f.Shorthand != "" {
			known[f.Shorthand] = f
		}
	}
	root.PersistentFlags().VisitAll(note)
	for _, cmd := range append(root.Commands(), root) {
		cmd.Flags().VisitAll(note)
	}
	return known
}

// What people type where a command, or a directory, is expected.

// synonyms are other programs' names for the commands.
var synonyms = map[string]string{
	"annotate": "render", "cat": "render", "effective": "render", "merge": "render", "print": "render", "show": "render", "view": "render",
	"blame": "explain", "history": "explain", "origin": "explain", "trace": "explain", "where": "explain",
	"why":     "explain",
	"compare": "diff", "patch": "diff",
	"files": "list", "inspect": "list", "ls": "list", "overrides": "list", "status": "list",
	"audit": "check", "lint": "check", "policy": "check", "scan": "check", "test": "check", "validate": "check",
	"verify": "check",
	"inline": "flatten", "squash": "flatten",
	"langserver": "lsp", "language-server": "lsp", "serve": "lsp", "server": "lsp",
	"completions": "completion",
}

// engineCommands are the engines' commands without a counterpart here.
var engineCommands = []string{
	"apply", "console", "destroy", "fmt", "force-unlock", "get", "graph", "import", "init", "login", "logout", "metadata", "output",
	"plan", "providers", "refresh", "state", "taint", "untaint", "workspace",
}

// engineHint explains that a word is a command of the engines; empty if it isn't. A user who types
// apply may mean the overrides.
func engineHint(root *cobra.Command, word string) string {
	if !slices.Contains(engineCommands, word) {
		return ""
	}
	var programs []string
	for _, p := range engine.Products() {
		programs = append(programs, p.Command())
	}
	text := fmt.Sprintf("%s is a command of %s, which %s doesn't run", word, strings.Join(programs, " and "), root.Name())
	if word == "apply" {
		text += fmt.Sprintf("; to write the overrides into the primary files, run: %s flatten", root.Name())
	}
	return text
}

// nearestCommand is the name of the command that a word may stand for, or "". Commands
// that help doesn't list are not among them.
func nearestCommand(root *cobra.Command, word string) string {
	if name := synonyms[word]; name != "" {
		return name
	}
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	return spelling.Nearest(word, names)
}

// unknownWord is the error about a word that is neither a command nor a directory; nil if it can't
// be a command and a flag names the directories.
func (a *app) unknownWord(root *cobra.Command, word string) error {
	if hint := engineHint(root, word); hint != "" {
		return fmt.Errorf("no such command or directory: %s; %s", word, hint)
	}
	if near := nearestCommand(root, word); near != "" {
		return fmt.Errorf(
			"no such command or directory: %s; did you mean \"%s %s\"?", diag.Escape(word), root.Name(), near,
		)
	}
	if a.ws.Base() != "" {
		return nil
	}
	return fmt.Errorf(
		"no such command or directory: %s; to list the commands, run: %s --help", diag.Escape(word), root.Name(),
	)
}
