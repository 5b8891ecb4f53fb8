package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/command"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

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
		return invalidValue(cmd, invalid, err)
	}
	return fmt.Errorf("%w; to list the flags, run: %s --help", err, cmd.CommandPath())
}

// invalidValue is the error about the value of a flag.
func invalidValue(cmd *cobra.Command, invalid *pflag.InvalidValueError, err error) error {
	flag := invalid.GetFlag()
	if errors.Is(err, command.ErrEmptyName) {
		return fmt.Errorf("--%s %s has a stray comma; remove it", flag.Name, diag.Escape(invalid.GetValue()))
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
	if isOneModule(cmd) && (given == "-r" || given == "--recursive") {
		return errors.New("several modules are not one configuration; to merge each, run: tofumerge flatten -r DIR -o NEWDIR")
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if others := commandsWith(name, dashes == "-"); len(others) > 0 {
		return fmt.Errorf("%s has no flag %s; %s", cmd.CommandPath(), given, thoseHave(others))
	}
	if hint := cmp.Or(otherFlags[cmd.Name()+" "+name], otherFlags[name]); hint != "" {
		return fmt.Errorf("unknown flag %s; %s", given, hint)
	}
	if near := spelling.Nearest(name, names); dashes == "--" && near != "" {
		return fmt.Errorf("unknown flag %s; did you mean --%s?", given, near)
	}
	return fmt.Errorf("unknown flag %s; to list the flags, run: %s --help", given, cmd.CommandPath())
}

// isOneModule reports whether a command prints one module.
func isOneModule(cmd *cobra.Command) bool { return !cmd.HasParent() || cmd.Name() == "render" }

// thoseHave names commands that have a flag.
func thoseHave(names []string) string {
	if len(names) == 1 {
		return names[0] + " does"
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " do"
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
