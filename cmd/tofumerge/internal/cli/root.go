package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/command"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
)

const rootLong = `tofumerge prints the effective configuration of a module: its primary files with the
override files merged in, as OpenTofu or Terraform merges them.`

// rootCommand builds the command tree. The root takes the flags of render.
func (a *app) rootCommand() *cobra.Command { return a.rootWith(commands) }

// rootWith is the program with some of its commands.
func (a *app) rootWith(with []commandMaker) *cobra.Command {
	r := command.NewRenderOptions(a.ws)
	version := false
	root := &cobra.Command{
		Use:   "tofumerge [DIR]",
		Short: "Print the effective configuration of a module with override files",
		Long:  rootLong,
		Example: `  tofumerge                                      print the module here, merged
  tofumerge modules/web --only-changed           what overrides change, merged
  tofumerge explain aws_instance.web.ami         show where a value comes from
  tofumerge check -r .                           check every module below`,
		Args: func(cmd *cobra.Command, args []string) error { return a.checkArguments(cmd, args, r) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				return a.printVersion(r.IsJSON())
			}
			return r.Run(cmd, args)
		},

		ValidArgsFunction: a.words.Root,

		SilenceErrors: true,
		SilenceUsage:  true,
	}
	flags := root.PersistentFlags()
	flags.StringArrayVarP(&a.ws.Chdirs, "chdir", "C", nil, "run as if started in `DIR`; repeatable")
	flags.StringVar(&a.ws.Engines.Flag, "engine", "", "follow `ENGINE`, such as opentofu or terraform@1.9")
	flags.StringVar(&a.ws.Color, "color", "auto", "colour the output: `WHEN` is auto, always or never")
	flags.BoolVar(&a.ws.NoColor, "no-color", false, "never colour; short for --color never")
	flags.BoolVarP(&a.ws.Verbose, "verbose", "v", false, "print the engine and a summary to standard error")
	flags.BoolVarP(&a.ws.Quiet, "quiet", "q", false, "print no warnings, only errors")
	flags.BoolVar(&a.ws.NoIgnore, "no-ignore", false, "print findings that tofumerge:ignore comments silence")
	flags.StringVar(&a.ws.Schema, "provider-schema", "", "distinguish arguments and blocks by the schema in `FILE`")
	flags.StringArrayVar(&a.ws.Overlays, "overlay", nil, "apply `FILE` as one more override file, last; repeatable")
	flags.StringArrayVar(&a.ws.Excluded, "exclude-override", nil, "leave out override files that `GLOB` matches; repeatable")
	flags.BoolVar(&a.ws.Tracked, "tracked", false, "read the index of Git, not the working tree")
	flags.BoolVar(&a.ws.ShowSource, "show-source", false, "show lines of files that can't be parsed; may hold secrets")
	_ = flags.MarkHidden("no-color") // others taught people to type it
	a.words.ForFlag(root, "engine", complete.Engines)
	a.words.ForFlag(root, "chdir", a.words.Dirs)
	a.words.ForFlag(root, "exclude-override", a.words.OverrideFiles)
	a.words.ForFlag(root, "color", complete.Fixed([]string{"auto", "always", "never"}))
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if a.flagsParsed != nil {
			a.flagsParsed(cmd.Name(), cmd.Flags())
		}
		switch {
		case root.PersistentFlags().Changed("engine") && a.ws.Engines.Flag == "":
			return errors.New("--engine needs opentofu or terraform, optionally with a version")
		case a.ws.Color != "auto" && a.ws.Color != "always" && a.ws.Color != "never":
			return fmt.Errorf("--color takes auto, always or never, not %q", a.ws.Color)
		case a.ws.NoColor && a.ws.Color == "always":
			return errors.New("--no-color contradicts --color always; use only one of them")
		case root.PersistentFlags().Changed("provider-schema") && a.ws.Schema == "":
			return errors.New("--provider-schema needs the name of a file")
		}
		return a.checkTracked(cmd)
	}
	root.SetFlagErrorFunc(a.flagError)
	r.Define(root, a.words)
	root.Flags().BoolVar(&version, "version", false, "print the version")
	for _, c := range with {
		root.AddCommand(c.make(a))
	}
	root.SetHelpCommand(a.helpCommand(root))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { _ = a.writeHelp(a.ws.Out, cmd, false) }) // held back, so it fails later
	if len(with) == len(commands) {
		repairCompletion(root)
	} else {
		root.CompletionOptions.DisableDefaultCmd = true
	}
	if a.words.IsWanted {
		plainUsages(root)
	}
	return root
}

// checkArguments refuses a word that is neither a command nor a directory, and more than one
// directory.
func (a *app) checkArguments(cmd *cobra.Command, args []string, r *command.RenderOptions) error {
	err := r.Arguments(cmd, args)
	if len(args) == 1 && err != nil || errors.As(err, new(*command.FlagError)) || !a.isWord(cmd, args) {
		return err
	}
	return cmp.Or(a.unknownWord(cmd, args[0]), err)
}

// isWord reports whether the first argument of the program is meant for a command: it is
// not there, and does not look like a path.
func (a *app) isWord(cmd *cobra.Command, args []string) bool {
	if cmd.HasParent() || len(args) == 0 || args[0] == "" || strings.ContainsAny(args[0], `/\.`) || strings.HasPrefix(args[0], "-") {
		return false
	}
	if _, err := os.Stat(a.ws.Dir(args)); !os.IsNotExist(err) {
		return false
	}
	_, isTracked := a.ws.IsTracked(args[0])
	return !isTracked
}

// With --tracked, modules consist of the files in git's index, regardless of the working tree.

// writers are the commands that change files, or that look at unsaved ones.
var writers = []string{"exec", "extract", "flatten", "lsp"}

// checkTracked refuses --tracked for commands that write files: their text is the working tree's.
func (a *app) checkTracked(cmd *cobra.Command) error {
	if !a.ws.Tracked {
		return nil
	}
	for _, name := range writers {
		if cmd.Name() == name {
			return fmt.Errorf("--tracked reads the index, but %s works on the working tree; leave out --tracked", name)
		}
	}
	for _, name := range []string{"fix", "write"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--tracked reads the index, but --%s changes the working tree; use only one of them", name)
		}
	}
	a.ws.UseIndex()
	return nil
}
