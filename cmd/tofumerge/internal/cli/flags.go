package cli

import (
	"cmp"
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
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// Flags that mean the same in every command that takes them. "help flags" describes them once; the
// help of a command names those that it takes.

// A flagGroup is a group of flags that mean the same in several commands.
type flagGroup struct {
	name, about string
	flags       []groupFlag
}

// A groupFlag is a flag of a group: its name, how it is written, and its purpose. An argument has no name.
type groupFlag struct{ name, written, usage string }

var flagGroups = []flagGroup{
	{"Selection", "which modules, and which parts", []groupFlag{
		{"", "DIR...", "the directories of modules; the current one by default"},
		{"recursive", "-r, --recursive", "go through all modules below each DIR"},
		{"exclude", "--exclude GLOB", "with -r, skip directories that GLOB matches; repeatable"},
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
	{"Comparison", "with what", []groupFlag{
		{"since", "--since REV[:DIR]", "a revision, such as main, or for where the branches parted main...; two: A..B, A...B"},
		{"from", "--from DIR", "another directory; with -r, modules with the same path below it"},
		{"without", "--without GLOBS", "the module without override files"},
		{"only-new", "--only-new REV[:DIR]", "only findings that the revision doesn't have"},
		{"against-engine", "--against-engine ENGINE", "another engine"},
	}},
}

// isInGroup reports whether flagGroups describes the flag of this name.
func isInGroup(name string) bool {
	return slices.ContainsFunc(flagGroups, func(g flagGroup) bool {
		return slices.ContainsFunc(g.flags, func(f groupFlag) bool { return f.name == name })
	})
}

// commandsTaking lists the commands that have the flag of this name, for people: "changes, diff", or "all commands".
func commandsTaking(root *cobra.Command, name string) string {
	var with []string
	isAll := true
	for _, c := range root.Commands() {
		switch {
		// Hidden commands, help and completion don't count.
		case !c.IsAvailableCommand() || c.Name() == "help" || c.Name() == "completion":
		case hasFlag(c, name):
			with = append(with, c.Name())
		default:
			isAll = false
		}
	}
	if isAll {
		return "all commands"
	}
	return strings.Join(with, ", ")
}

// hasFlag reports whether a command has a flag, its own or one that all commands have. Commands that work on the
// working tree refuse --tracked, so for them it doesn't count.
func hasFlag(cmd *cobra.Command, name string) bool {
	if name == "tracked" && slices.Contains(writers, cmd.Name()) {
		return false
	}
	return cmd.Root().PersistentFlags().Lookup(name) != nil || cmd.LocalNonPersistentFlags().Lookup(name) != nil
}

// namesFor lists the flags of a group that a command defines itself, as people type them: "-f text|json".
func (g flagGroup) namesFor(cmd *cobra.Command) (names []string) {
	for _, f := range g.flags {
		if flag := cmd.LocalNonPersistentFlags().Lookup(f.name); flag != nil && !flag.Hidden {
			names = append(names, asTyped(flag))
		}
	}
	return names
}

// globalNames lists the flags that all commands have and that cmd accepts: the letter, or else the name, without
// values, so that all fit on one line.
func globalNames(cmd *cobra.Command) (names []string) {
	cmd.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) {
		switch {
		// Leave out hidden flags, and those that cmd doesn't accept.
		case f.Hidden || !hasFlag(cmd, f.Name):
		case f.Shorthand != "":
			names = append(names, "-"+f.Shorthand)
		default:
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// maxChoices is the maximum number of columns for the values of --format. If they need more, only the help of the
// command lists them.
const maxChoices = 30

// asTyped returns a flag as people type it, with its value: "-f text|json" or "--exclude GLOB".
func asTyped(f *pflag.Flag) string {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand
	}
	value, _ := flagValue(f)
	if choices := strings.Join(f.Annotations[command.Choices], "|"); choices != "" && len(choices) <= maxChoices {
		value = " " + choices
	}
	return name + value
}

// columns writes each text beside its head, in two columns, or below it if the screen is too narrow.
func columns(heads, texts []string, s screen.Screen) string {
	width := 0
	for _, head := range heads {
		width = max(width, len(head))
	}
	var out strings.Builder
	hang := strings.Repeat(" ", width+3) // in front of a text's further lines, which start below its first
	isNarrow := s.Width-len(hang) < minTextWidth
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

// What people type from the habits of other programs.

// guesses lists words and flags that other programs have, and what to use here instead. COMMAND:FLAG gives
// the answer for one command. The answer to a word is a command or a hint.
var guesses = []struct{ typed, answer string }{
	{"annotate cat effective merge print show view", "render"},
	{"blame history log origin trace where why", "explain"},
	{"delta effects impact what-if", "changes"},
	{"compare patch", "diff"},
	{"files inspect ls overrides status", "list"},
	{"audit lint policy scan test validate verify", "check"},
	{"html page", "report"},
	{"inline squash", "flatten"},
	{"langserver language-server serve server", "lsp"},
	{"completions", "completion"},
	{"apply", "it is a command of tofu and terraform; to write the overrides into the primary files, run: tofumerge flatten"},
	{"console destroy fmt force-unlock get graph import init login logout metadata output", "it is a command of tofu and terraform; to run one on the merged configuration: tofumerge exec -- tofu validate"},
	{"plan providers refresh state taint untaint workspace", "it is a command of tofu and terraform; to run one on the merged configuration: tofumerge exec -- tofu validate"},
	{"restore revert rollback undo", "for the values that come back without an override file, run: tofumerge changes --without FILE; git restores files"},

	{"check:--new-only check:--new check:--since check:--against check:--base check:--branch check:--ref", "to report only findings that are new since a revision, use --only-new REV"},
	{"--against --base --branch --compare --ref --rev", "use --since REV for a revision, or --from DIR for a directory"},
	{"--changed", "use --since REV or, in render, --only-changed"},
	{"explain:--filter", "name the address itself: tofumerge explain ADDRESS, or a pattern in quotes"},
	{"--to --until", "to compare two revisions, use --since A..B"},
	{"--file --files", "for the effects of a file, run: tofumerge explain FILE, or tofumerge changes --without FILE"},
	{"render:--without tofumerge:--without", "use --exclude-override FILE"},
	{"--cached --index --staged", "use --tracked, which reads the index of Git"},
	{"--dir --directory --path -d", "name the directory after the command, or use -C DIR"},
	{"--without-overrides --ignore-overrides --skip-overrides --base-only --primary-only", "use --no-overrides in render, or --without FILE in changes to see what an override file does"},
	{"--override --with", "use --overlay FILE"},
	{"--force-engine --opentofu --terraform --tofu", "use --engine, such as --engine terraform@1.9"},
	{"--show-origin --origin --blame --source --history --comments", "use --annotate in render, or run: tofumerge explain ADDRESS"},
	{"--env --var --var-file", "no values of variables are read; to see what a run gets, run: tofu console -var NAME=VALUE"},
	{"--address --resource --target", "use --filter GLOBS, or run: tofumerge explain ADDRESS"},

	{"--severity --level --errors-only --fail-on-warning --strict --warnings-as-errors --werror", "use --min-severity in check or, for the exit status alone, --fail-on"},
	{"--exit-zero --no-fail --soft-fail", "use --fail-on never in check; the others exit with 0 unless you use --detailed-exitcode"},
	{"--exit-code --fail", "use --detailed-exitcode in changes and diff; check exits with 2 if it finds anything"},
	{"check:--exit-code check:--fail", "check exits with 2 if it finds anything; --fail-on sets from which severity on"},
	{"list-rules check:--list --rules", "use --list-rules in check"},
	{"--list", "run: tofumerge list"},
	{"check:--explain", "for a rule, run: tofumerge help RULE"},
	{"--ignore", "use --exclude-override for files, --disable for rules of check, or --filter for addresses"},
	{"--skip", "use --disable RULES, or --exclude for directories"},
	{"--only --rule", "use --select RULES in check, --filter for addresses, or run: tofumerge explain FILE"},

	{"--out", "use --output"},
	{"--out-dir --output-dir", "to write all files, run: tofumerge flatten -o NEWDIR"},
	{"--output-format --json-output --type", "use --format"},
	{"--ci --github --gitlab --html --junit --markdown --md --sarif", "use --format: github, gitlab, junit or sarif in check, markdown in changes; tofumerge report makes a page of HTML"},
	{"--in-place", "use --write"},
	{"render:--full tofumerge:--full", "use --annotate=full with --json"},
	{"-w", "use --write in extract, flatten and check --fix"},
	{"diff:-w", "diff shows changes of layout, too; to ignore them, use tofumerge changes"},
	{"-U -u --unified --side-by-side --word-diff", "a patch has 3 lines of context; for single values, use tofumerge changes"},
	{"--dry-run", "nothing is changed without --write; the patch shows the changes"},
	{"--diff", "use check --fix for a patch of the fixes, or tofumerge diff"},
	{"check:--stat check:--summary", "the last line of check gives the number of findings; -q leaves out the notes"},
	{"--summary", "use -q or -v; the last line of a run is its summary"},
	{"--name-only", "use tofumerge list, or --json"},
	{"--no-output", "send the result to /dev/null"},
	{"--debug --silent --trace", "use --verbose or --quiet"},
	{"-R --modules", "use -r"},
	{"-V", "use --version, or -v for the engine and a summary"},
	{"-j --jobs --parallel --parallelism", "modules are read in parallel without a flag; for JSON, use --json"},
}

// answerTo looks up in guesses what to use instead of typed, a word or a flag that doesn't exist. An answer for the
// command cmd comes before a general one. It returns "" if there is none.
func answerTo(cmd, typed string) string {
	for _, key := range []string{cmd + ":" + typed, typed} {
		for _, g := range guesses {
			if slices.Contains(strings.Fields(g.typed), key) {
				return g.answer
			}
		}
	}
	return ""
}

// flagError improves an error of the flag parser: it says what to use instead. If the first argument is a misspelt
// command, that is the error, because the flags are meant for that command.
func (a *app) flagError(cmd *cobra.Command, err error) error {
	if a.looksLikeCommand(cmd, a.args) {
		if err := a.unknownWord(cmd, a.args[0]); err != nil {
			return err
		}
	}
	// A flag that cmd lacks.
	if missing := (*pflag.NotExistError)(nil); errors.As(err, &missing) {
		return unknownFlag(cmd, missing)
	}
	// An error from a flag's own parser is complete.
	if own := (*command.FlagError)(nil); errors.As(err, &own) {
		return own
	}
	// A list with an empty name in it. For all other errors, point to the list of flags.
	if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
		if errors.Is(err, command.ErrEmptyName) {
			return fmt.Errorf("--%s %s has a stray comma; remove it", invalid.GetFlag().Name, diag.Escape(invalid.GetValue()))
		}
	}
	return fmt.Errorf("%w; to list the flags, run: %s --help", err, cmd.CommandPath())
}

// unknownFlag returns the error for a flag that a command doesn't have. It gives the first hint that applies: for -r
// with render, the command for several modules; the answer in the table guesses, for flags of other programs; the
// commands that do have the flag; or a flag with a similar name.
func unknownFlag(cmd *cobra.Command, missing *pflag.NotExistError) error {
	name, dashes := missing.GetSpecifiedName(), "--"
	if missing.GetSpecifiedShortnames() != "" {
		dashes = "-"
	}
	given := dashes + diag.Escape(name)
	isRender := !cmd.HasParent() || cmd.Name() == "render"
	if isRender && (given == "-r" || given == "--recursive") {
		return errors.New("several modules are not one configuration; to merge each, run: tofumerge flatten -r DIR -o NEWDIR")
	}
	if hint := answerTo(cmd.Name(), given); hint != "" {
		return fmt.Errorf("unknown flag %s; %s", given, hint)
	}
	if others := commandsWith(name, dashes == "-"); len(others) > 0 {
		verb := "do"
		if len(others) == 1 {
			verb = "does"
		}
		return fmt.Errorf("%s has no flag %s; %s %s", cmd.CommandPath(), given, diag.Joined(others, "and"), verb)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	// A single letter resembles too many flags.
	if near := spelling.Nearest(name, names); dashes == "--" && near != "" {
		return fmt.Errorf("unknown flag %s; did you mean --%s?", given, near)
	}
	return fmt.Errorf("unknown flag %s; to list the flags, run: %s --help", given, cmd.CommandPath())
}

// commandsWith lists the commands that have a flag, by its name or, if isShort, by its letter. It builds all
// commands, because the run may have built only its own.
func commandsWith(name string, isShort bool) (names []string) {
	whole := (&app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv)}}).rootCommand()
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

// takenFromTofu lists the flags that are accepted with a single dash.
var takenFromTofu = []string{"chdir", "help", "json", "no-color", "version"}

// withTofuFlags returns the arguments with a second dash before the flags of takenFromTofu: --chdir=DIR for
// -chdir=DIR. It refuses a single dash before any other long flag that it knows, or has an answer for; the flag
// parser would read each letter as a flag. It skips the values of flags, which may start with a dash, too.
func withTofuFlags(root *cobra.Command, args []string) ([]string, error) {
	known := knownFlags(root)
	list := slices.Clone(args)
	for i := 0; i < len(list); i++ {
		arg := list[i]
		// Behind --, nothing is a flag.
		if arg == "--" {
			return list, nil
		}
		name, rest := flagName(arg)
		f := known[name]
		hasSingleDash := strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--")
		if hasSingleDash && len(name) > 1 {
			hint := answerTo("", "--"+name) // "": the answer for all commands
			switch {
			case slices.Contains(takenFromTofu, name):
				list[i] = "-" + arg
			// A long flag behind a single dash.
			case f != nil || hint != "":
				return nil, singleDashError(name, rest, cmp.Or(hint, "use --"+name))
			default:
				f = lastOfCluster(known, name+rest) // short flags written together: only the last may have a value
			}
		}
		if f != nil && rest == "" && f.NoOptDefVal == "" {
			i++ // f needs a value: the next argument
		}
	}
	return list, nil
}

// singleDashError returns the error for a long flag with a single dash. rest is its value, such as =json, or "". If
// hint is only "use --FLAG", the error repeats the value there.
func singleDashError(name, rest, hint string) error {
	if flag, isUse := strings.CutPrefix(hint, "use --"); isUse && !strings.Contains(flag, " ") {
		hint += rest
	}
	return fmt.Errorf("unknown flag -%s; %s", diag.Escape(name+rest), diag.Escape(hint))
}

// flagName splits an argument such as --format=json into the name of the flag, format, and the rest, =json. The name
// is empty if the argument isn't a flag.
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

// lastOfCluster returns the last of several short flags that are written together, such as v in -qv: the next
// argument may be its value. It returns nil if a letter isn't a flag, or if an earlier flag takes the rest as its
// value.
func lastOfCluster(known map[string]*pflag.Flag, letters string) *pflag.Flag {
	for i := range len(letters) {
		f := known[letters[i:i+1]]
		isLast := i+1 == len(letters)
		switch {
		case f == nil:
			return nil
		case isLast:
			return f
		case f.NoOptDefVal == "": // it needs a value
			return nil
		}
	}
	return nil
}

// knownFlags returns the flags of all commands in the tree of root, by name and by letter.
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

// listCommands is the hint for a word that resembles nothing.
const listCommands = "to list the commands, run: tofumerge --help"

// hintFor returns the hint for a word that isn't a command: the answer in the table guesses, or the most similar
// command, topic or rule; "" if nothing is similar. In the suggested command line, before precedes a command: "", or
// "help " if the word follows help.
func hintFor(root *cobra.Command, word, before string) string {
	near := answerTo("", word)
	if strings.Contains(near, " ") { // a sentence, not the name of a command
		return near
	}
	if near == "" {
		var names []string
		for _, c := range root.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				names = append(names, c.Name())
			}
		}
		near = spelling.Nearest(word, names)
	}
	if near == "" {
		var pages []string
		for _, t := range topics {
			pages = append(pages, t.name)
		}
		for _, r := range check.Rules {
			pages = append(pages, r.ID)
		}
		near, before = spelling.Nearest(word, pages), "help " // only help takes a page
	}
	if near == "" {
		return ""
	}
	return fmt.Sprintf("did you mean \"%s %s%s\"?", root.Name(), before, near)
}

// unknownWord returns the error for a word that is neither a command nor a directory. It returns nil if the word
// resembles no command and -C is set: then it is probably a directory.
func (a *app) unknownWord(root *cobra.Command, word string) error {
	hint := hintFor(root, word, "")
	if hint == "" && a.ws.Base() != "" {
		return nil
	}
	return fmt.Errorf("no such command or directory: %s; %s", diag.Escape(word), cmp.Or(hint, listCommands))
}
