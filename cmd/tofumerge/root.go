package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

const rootLong = `tofumerge prints the effective configuration of a module directory: its primary
files with the override files merged in, by the rules of a release of OpenTofu
or Terraform. Nothing is evaluated: expressions stay as they are written, and no
variables file, TF_VAR_ variable or workspace is read.

Without a command it does what "render" does. DIR is the module directory, the
current one by default.

Whose rules count is said by --engine, else by TOFUMERGE_ENGINE, by the nearest
.opentofu-version or .terraform-version or by .tofumerge.hcl, these in the module
directory or above it; else the newest OpenTofu release counts.`

// rootCommand builds the command tree. The root takes the flags of render.
func (a *app) rootCommand() *cobra.Command {
	r := &renderCommand{app: a}
	version := false
	root := &cobra.Command{
		Use:     "tofumerge [DIR]",
		Short:   "Print the effective configuration of a module with override files",
		Long:    rootLong,
		Example: "  tofumerge                           the module in the current directory\n  tofumerge modules/network -o net.tf\n  diff <(tofumerge --no-overrides) <(tofumerge)\n  tofumerge --filter 'aws_instance.*'",
		Args:    a.oneDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				return a.printVersion(r.json)
			}
			return r.run(cmd, args)
		},

		ValidArgsFunction: a.completeRoot,

		SilenceErrors: true,
		SilenceUsage:  true,
	}
	flags := root.PersistentFlags()
	flags.StringArrayVarP(&a.chdirs, "chdir", "C", nil, "run as if started in `DIR`; several add up, as in git -C")
	flags.StringVar(&a.engines.flag, "engine", "", "follow this `ENGINE`: opentofu or terraform, perhaps with a version as in opentofu@1.8")
	flags.StringVar(&a.color, "color", "auto", "colour messages: `WHEN` is auto, always or never")
	flags.BoolVar(&a.noColor, "no-color", false, "the same as --color never")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "say on standard error how much the overrides change")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print errors, but no warnings")
	flags.Int64Var(&a.maxSize, "max-file-size", input.DefaultMaxFileSize, "refuse files larger than this many `BYTES`")
	flags.StringVar(&a.schema, "provider-schema", "", "tell arguments from nested blocks in JSON by `FILE`, the output of: tofu providers schema -json")
	flags.StringArrayVar(&a.overlays, "overlay", nil, "what if `FILE` were one more override file, applied last; - is standard input; repeatable")
	flags.StringArrayVar(&a.excluded, "exclude-override", nil, "what if the override files whose names match `GLOB` were not there; repeatable")
	flags.BoolVar(&a.showSource, "show-source", false, "show the source lines of files that can't be parsed, even if there may be secrets on them")
	a.completeFlag(root, "engine", completeEngine)
	a.completeFlag(root, "chdir", a.completeDirFlag)
	a.completeFlag(root, "max-file-size", completeNothing)
	a.completeFlag(root, "exclude-override", a.completeOverrideFile)
	a.completeFlag(
		root, "color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp),
	)
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		switch {
		case root.PersistentFlags().Changed("engine") && a.engines.flag == "":
			return errors.New("--engine needs opentofu or terraform, optionally with a version")
		case a.color != "auto" && a.color != "always" && a.color != "never":
			return fmt.Errorf("--color takes auto, always or never, not %q", a.color)
		case a.noColor && a.color == "always":
			return errors.New("--no-color contradicts --color always; use only one of them")
		case root.PersistentFlags().Changed("provider-schema") && a.schema == "":
			return errors.New("--provider-schema needs the name of a file")
		case a.maxSize < 1:
			return fmt.Errorf("--max-file-size takes a number of bytes, 1 or more, not %d", a.maxSize)
		}
		return nil
	}
	root.SetFlagErrorFunc(a.flagError)
	r.flags(root)
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.AddCommand(
		newRenderCommand(a), newExplainCommand(a), newDiffCommand(a), newListCommand(a), newCheckCommand(a),
		newFlattenCommand(a), newMarkCommand(a), newManCommand(), newVersionCommand(a),
	)
	root.SetHelpCommand(helpCommand(root))
	repairCompletion(root)
	if a.forShell {
		plainUsages(root)
	}
	return root
}

// base is the directory that the command runs in, as if it had been started there.
func (a *app) base() string {
	dir := ""
	for _, d := range a.chdirs {
		dir = inDir(dir, d)
	}
	return dir
}

// inDir is a path as seen from a directory.
func inDir(dir, path string) string {
	if dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func (a *app) moduleDir(args []string) string {
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	return inDir(a.base(), dir)
}

// oneDir checks the arguments of a command on one module directory.
func (a *app) oneDir(cmd *cobra.Command, args []string) error {
	if a.isWord(cmd, args) {
		if err := a.unknownWord(cmd, args[0]); err != nil {
			return err
		}
	}
	if len(args) > 1 {
		return fmt.Errorf(
			"%s takes one directory, not %d (%s)", cmd.CommandPath(), len(args),
			diag.Escape(strings.Join(args, ", ")),
		)
	}
	return nil
}

// isWord reports whether the first argument of the program is meant for a command: it is
// not there, and does not look like a path.
func (a *app) isWord(cmd *cobra.Command, args []string) bool {
	if cmd.HasParent() || len(args) == 0 || args[0] == "" || strings.ContainsAny(args[0], `/\.`) || strings.HasPrefix(args[0], "-") {
		return false
	}
	_, err := os.Stat(a.moduleDir(args))
	return os.IsNotExist(err)
}

// flagError words what the flag parser says, with a hint of the nearest flag.
func (a *app) flagError(cmd *cobra.Command, err error) error {
	if a.isWord(cmd, a.args) {
		if err := a.unknownWord(cmd, a.args[0]); err != nil {
			return err
		}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if _, name, ok := strings.Cut(err.Error(), "unknown flag: --"); ok {
		if hint, ok := tofuFlags[name]; ok {
			return fmt.Errorf("unknown flag --%s; %s", name, hint)
		}
		if near := spelling.Nearest(name, names); near != "" {
			return fmt.Errorf("unknown flag --%s; did you mean --%s?", diag.Escape(name), near)
		}
		return fmt.Errorf("unknown flag --%s; to list them, run: %s --help", diag.Escape(name), cmd.CommandPath())
	}
	if invalid := (*pflag.InvalidValueError)(nil); errors.Is(err, errEmptyName) && errors.As(err, &invalid) {
		return fmt.Errorf("--%s %s has a comma with nothing beside it; remove the comma", invalid.GetFlag().Name, diag.Escape(invalid.GetValue()))
	}
	for flag, what := range map[string]string{"--max-file-size": "bytes", "--unified": "lines"} {
		if strings.Contains(err.Error(), flag) && strings.Contains(err.Error(), "invalid argument") {
			_, value, _ := strings.Cut(err.Error(), `"`)
			value, _, _ = strings.Cut(value, `"`)
			return fmt.Errorf("%s takes a number of %s, not %q", flag, what, value)
		}
	}
	return fmt.Errorf("%w; to list the flags, run: %s --help", err, cmd.CommandPath())
}

func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say how a command is used",

		ValidArgsFunction: completeCommand,

		RunE: func(_ *cobra.Command, args []string) error {
			cmd, _, err := root.Find(args)
			if err != nil || len(args) > 0 && cmd == root {
				word := strings.Join(args, " ")
				if near := nearestCommand(root, word); near != "" {
					return fmt.Errorf("unknown command %s; did you mean \"%s help %s\"?", diag.Escape(word), root.Name(), near)
				}
				return fmt.Errorf("unknown command %s; to list them, run: %s --help", diag.Escape(word), root.Name())
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}
