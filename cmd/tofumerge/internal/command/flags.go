package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Flags that several commands have.

// searchFlags defines those of a search.
func searchFlags(cmd *cobra.Command, words complete.Words, s *workspace.Search, recursive string) {
	cmd.Flags().BoolVarP(&s.Recursive, "recursive", "r", false, recursive)
	cmd.Flags().StringArrayVar(&s.Exclude, "exclude", nil, "with -r, skip directories that `GLOB` matches; repeatable")
	words.ForFlag(cmd, "exclude", words.Dirs)
}

// modulesFlag defines --modules.
func modulesFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "modules", false, "follow module calls, as far as init has installed them")
}

// A format is what --format and its short form --json ask for.
type format struct {
	name   string
	isJSON bool
}

func (f *format) define(cmd *cobra.Command, words complete.Words, usage string, names ...string) {
	flags := cmd.Flags()
	flags.StringVarP(&f.name, "format", "f", names[0], usage)
	flags.BoolVar(&f.isJSON, "json", false, "short for --format json")
	words.ForFlag(cmd, "format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// settle refuses formats that the command doesn't know, unless names is empty, and applies --json.
func (f *format) settle(cmd *cobra.Command, names ...string) error {
	switch {
	case len(names) > 0 && !slices.Contains(names, f.name):
		return fmt.Errorf("--format takes %s, not %q", wording.Either(names), f.name)
	case f.isJSON && cmd.Flags().Changed("format") && f.name != "json":
		return fmt.Errorf("--json is short for --format json; use only one of --json and --format %s", diag.Escape(f.name))
	case f.isJSON:
		f.name = "json"
	}
	f.isJSON = f.name == "json"
	return nil
}

// configFlags defines the flags that name the source of settings.
func configFlags(cmd *cobra.Command, words complete.Words, f *gate.ConfigFlags) {
	cmd.Flags().StringVar(&f.File, "config", "", "read `FILE` instead of every .tofumerge.hcl")
	cmd.Flags().StringVar(&f.Revision, "config-from", "", "read every .tofumerge.hcl as it is at the revision `REV`")
	words.ForFlag(cmd, "config-from", complete.Nothing)
}

// checkConfig refuses values of these flags that can't be meant, and opens the revision.
func checkConfig(cmd *cobra.Command, ws *workspace.Workspace, f gate.ConfigFlags) error {
	name, isPrefixed := workspace.ParseRev(f.Revision)
	switch {
	case !cmd.Flags().Changed("config-from"):
		return nil
	case cmd.Flags().Changed("config"):
		return errors.New("--config-from reads settings files that --config replaces; use only one of them")
	case f.Revision == "" || isPrefixed && name.Name == "":
		return errors.New("--config-from needs the name of a revision, such as main or HEAD~1")
	case isPrefixed:
		return fmt.Errorf("--config-from takes a revision without %s; use --config-from %s", workspace.RevPrefix, diag.Escape(name.Name))
	}
	_, err := ws.Revision(repo.In(ws.Base(), "."), f.Revision)
	return err
}

// OneDir refuses more than one argument.
func OneDir(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return nil
	}
	return fmt.Errorf("%s takes one directory, not %d (%s)", cmd.CommandPath(), len(args), diag.Escape(strings.Join(args, ", ")))
}

// NoArguments refuses arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments; leave out %q", cmd.CommandPath(), strings.Join(args, " "))
}
