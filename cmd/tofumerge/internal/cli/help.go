package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	rulepages "github.com/tofumerge/tofumerge/docs"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/term"
)

// The output of --help and of the command help. The first paragraph of a command's Long is its
// help; the rest is for "help COMMAND".

// isLong tells whether to print the whole description of a command, or only its first paragraph.
type isLong bool

// writeHelp writes the help of a command to w. If long is set, the help ends with the rest of the command's
// description.
func (a *app) writeHelp(w io.Writer, cmd *cobra.Command, long isLong) error {
	s := a.ws.Screen(w)
	initHelpFlag(cmd)
	var out strings.Builder
	// The usage, and the introduction.
	const usage = "Usage:"
	fmt.Fprintf(&out, "%s%s\n", s.Place(usage), s.WrapLine(len(usage), " "+cmd.UseLine(), "       "))
	if !cmd.HasParent() {
		fmt.Fprintf(&out, "       %s COMMAND [flags]\n", cmd.Name())
	}
	intro, details := introOf(cmd)
	out.WriteString("\n" + term.Flow(intro, s))
	// The sections. An empty one is left out.
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&out, "\n%s\n%s\n", s.Place(title+":"), strings.TrimRight(text, "\n"))
		}
	}
	section("Examples", cmd.Example)
	section("Commands", commandList(cmd, s))
	section("Flags", flagLines(undescribed(cmd, ownFlags(cmd)), s))
	// Shared and global flags appear by name only, since their descriptions are in "help flags".
	var heads, texts []string
	for _, g := range flagGroups {
		if names := g.namesFor(cmd); len(names) > 0 {
			heads, texts = append(heads, "  "+g.name), append(texts, strings.Join(names, " "))
		}
	}
	heads, texts = append(heads, "  Global"), append(texts, strings.Join(globalNames(cmd), " "))
	section("Shared flags", columns(heads, texts, s))
	// The rest of the description, or where to find it.
	if long && details != "" {
		out.WriteString("\n" + term.Flow(details, s))
	}
	footer := "Shared and global flags: tofumerge help flags"
	switch {
	case cmd == cmd.Root():
		footer = "Flags without a command: tofumerge render --help · " + footer + " · Topics: tofumerge help topics"
	case !bool(long) && details != "":
		footer = "Details: tofumerge help" + strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()) + " · " + footer
	}
	out.WriteString("\n" + term.Flow(footer, s))
	_, err := io.WriteString(w, out.String())
	return err
}

// initHelpFlag gives a command the flag --help, with a description in this program's style.
func initHelpFlag(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	if f := cmd.Flags().Lookup("help"); f != nil {
		f.Usage = "print this help"
	}
}

// introOf returns the first paragraph of a command's description, and the rest.
func introOf(cmd *cobra.Command) (intro, details string) {
	intro, details, _ = strings.Cut(strings.TrimSpace(cmd.Long), "\n\n")
	return cmp.Or(intro, cmd.Short+"."), details
}

// ownFlags returns the flags of a command without those that all commands have.
func ownFlags(cmd *cobra.Command) *pflag.FlagSet {
	own := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if cmd.Root().PersistentFlags().Lookup(f.Name) == nil {
			own.AddFlag(f)
		}
	})
	return own
}

// undescribed returns the flags among some that help must describe here. The others are described by a group or, for
// the program itself, in the help of render.
func undescribed(cmd *cobra.Command, flags *pflag.FlagSet) *pflag.FlagSet {
	list := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	render, _, _ := cmd.Root().Find([]string{"render"}) // without such a command, Find returns the root
	isProgramWithRender := !cmd.HasParent() && render != cmd
	flags.VisitAll(func(f *pflag.Flag) {
		isInRender := isProgramWithRender && f.Name != "help" && render.LocalNonPersistentFlags().Lookup(f.Name) != nil
		if !isInGroup(f.Name) && !isInRender {
			list.AddFlag(f)
		}
	})
	return list
}

// flagLines lists flags with their descriptions and defaults, one per line if the screen is wide enough.
func flagLines(flags *pflag.FlagSet, s screen.Screen) string {
	var heads, texts []string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := flagValue(f)
		letter := "    "
		if f.Shorthand != "" {
			letter = "-" + f.Shorthand + ", "
		}
		head := "  " + letter + "--" + f.Name + value
		heads, texts = append(heads, head), append(texts, usage+defaultOf(f))
	})
	return columns(heads, texts, s)
}

// flagValue returns what help prints behind the name of a flag, such as " FILE", "[=HOW]" for an optional value, or
// "" without one. usage is the description of the flag.
func flagValue(f *pflag.Flag) (value, usage string) {
	value, usage = pflag.UnquoteUsage(f)
	switch {
	case value == "":
		return "", usage
	case f.NoOptDefVal != "":
		return "[=" + value + "]", usage
	}
	return " " + value, usage
}

// minTextWidth is the minimum number of columns for the text beside a flag. With fewer, the text is below.
const minTextWidth = 30

// defaultOf returns the default of a flag for help, such as " (default auto)". A default that means nothing, such as
// false, is left out.
func defaultOf(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "false", "[]", "0":
		return ""
	}
	return fmt.Sprintf(" (default %s)", f.DefValue)
}

// commandList lists the commands below cmd, with their summaries.
func commandList(cmd *cobra.Command, s screen.Screen) string {
	var out strings.Builder
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" && cmd == cmd.Root() {
			line := fmt.Sprintf("  %-12s %s", c.Name(), c.Short)
			out.WriteString(screen.Wrap(line, s.Width, strings.Repeat(" ", 13)) + "\n")
		}
	}
	return out.String()
}

// helpCommand returns the command help, which replaces cobra's, since it also prints topics and pages of rules.
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC | RULE]",
		Short: "Print help for a command, a topic or a rule",
		Long: `help prints everything about a command, a topic, or a rule of check.

Without an argument it prints what --help does; "help topics" lists the topics.`,
		Example: "  tofumerge help explain\n  tofumerge help addresses\n  tofumerge help no-effect",

		ValidArgsFunction: completeHelp,

		RunE: func(_ *cobra.Command, args []string) error {
			word := strings.Join(args, " ")
			// Find returns root for words that aren't a command.
			if cmd, _, err := root.Find(args); err == nil && (len(args) == 0 || cmd != root) {
				return a.writeHelp(a.ws.Out, cmd, true)
			}
			s := a.ws.Screen(a.ws.Out)
			if check.FindRule(word) != nil {
				_, err := io.WriteString(a.ws.Out, term.Markdown(string(rulepages.Rule(word)), s))
				return err
			}
			if i := slices.IndexFunc(topics, func(t topic) bool { return t.name == word }); i >= 0 {
				_, err := io.WriteString(a.ws.Out, topics[i].text(root, s))
				return err
			}
			return fmt.Errorf("no such command, topic or rule: %s; %s", diag.Escape(word), cmp.Or(hintFor(root, word, "help "), listCommands))
		},
	}
}

// completeHelp completes the argument of help: the name of a command or, as the first argument, also of a topic or a
// rule. cmd is the command help itself.
func completeHelp(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	parent, _, err := cmd.Root().Find(args)
	isUnknown := err != nil || parent == cmd.Root() && len(args) > 0
	if isUnknown { // the words so far aren't a command, so no word can follow
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var list []cobra.Completion
	add := func(name, about string) {
		if strings.HasPrefix(name, word) {
			list = append(list, cobra.CompletionWithDesc(name, about))
		}
	}
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() || c == cmd {
			add(c.Name(), c.Short)
		}
	}
	if len(args) == 0 {
		for _, t := range topics {
			add(t.name, t.short)
		}
		for _, r := range check.Rules {
			add(r.ID, r.Title)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// A topic is a page of help that isn't about one command.
type topic struct {
	name, short string
	text        func(root *cobra.Command, s screen.Screen) string
}

// topics lists all topics, in order. init sets it, because the text of a topic refers to it.
var topics []topic

// init sets topics: the page topics lists them, so an initializer would refer to itself.
func init() {
	cobra.EnableCommandSorting = false // they are in the order of their use
	fixed := func(text string) func(*cobra.Command, screen.Screen) string {
		return func(_ *cobra.Command, s screen.Screen) string { return term.Flow(text, s) }
	}
	topics = []topic{
		{"addresses", "Addresses of arguments and blocks, and patterns", fixed(addressesText)},
		{"configuration", "The file .tofumerge.hcl, and ignore comments", fixed(configurationText)},
		{"engines", "Which release of OpenTofu or Terraform is followed", fixed(enginesText)},
		{"environment", "Environment variables", fixed(environmentText)},
		{"exit-status", "Exit status", fixed(exitStatusText)},
		{"flags", "The flags of all commands", flagsTopic},
		{"rules", "The rules of check", func(_ *cobra.Command, s screen.Screen) string {
			return term.Rules(check.Rules, func(r *check.Rule) bool { return !r.Off }, s)
		}},
		{"topics", "This list", func(*cobra.Command, screen.Screen) string {
			var out strings.Builder
			for _, t := range topics {
				fmt.Fprintf(&out, "  %-14s %s\n", t.name, t.short)
			}
			return out.String()
		}},
	}
}

// flagsTopic returns the topic flags: the groups of flags, and behind each flag the commands that have it. Global
// flags and notes follow.
func flagsTopic(root *cobra.Command, s screen.Screen) string {
	var out strings.Builder
	for _, g := range flagGroups {
		out.WriteString(s.Place(g.name+":") + " " + g.about + "\n")
		var heads, texts []string
		for _, f := range g.flags {
			head := f.written
			if strings.HasPrefix(head, "--") { // no letter: align it with the names behind letters
				head = "    " + head
			}
			usage := f.usage
			if f.name != "" { // a flag, not an argument such as DIR
				usage = fmt.Sprintf("%s (%s)", usage, commandsTaking(root, f.name))
			}
			heads, texts = append(heads, "  "+head), append(texts, usage)
		}
		out.WriteString(columns(heads, texts, s) + "\n")
	}
	return out.String() + s.Place("Global:") + " for all commands\n" + flagLines(undescribed(root, root.PersistentFlags()), s) + "\n" + term.Flow(flagsText, s)
}

// The texts of the topics of help.

const addressesText = `An address names a block or something in it. Dots separate its parts;
brackets hold indexes, and names that aren't identifiers:

  aws_instance.web                  a resource
  data.aws_ami.base                 a data source
  module.vpc.source                 an argument of a module call
  var.region, local.tags, output.id
  provider.aws, provider.aws.west   a provider configuration, with its alias
  terraform.backend
  terraform.required_providers.aws
  check.health
  aws_instance.web.lifecycle.ignore_changes
  aws_instance.web.provisioner[0]   the first of several nested blocks
  aws_instance.web.tags.Owner       a key of an object
  aws_instance.web.tags["app/name"]
  aws_instance.web.cidrs[1]         the second element of a list
  module.vpc.providers["aws.west"]

All commands print and accept addresses in this form. Quote brackets to keep the shell from
expanding them.

explain also accepts a bare name, such as instance_type or tags.Owner, for everything with
that name, and FILE:LINE for the argument or block at that line.

In a pattern, * and ? match text within one part, and ** any number of parts:
'aws_instance.*', '**.tags', 'module.*.source'. In quotes they are literal. A pattern may
leave out indexes. If it matches a block, it also matches the block's contents. Quote
patterns to keep the shell from expanding them. Flags for patterns accept several, separated
by commas; ? matches a comma in a name.`

const enginesText = `OpenTofu and Terraform merge override files differently, and so do their releases. The
first of these chooses the engine:

  1. --engine
  2. TOFUMERGE_ENGINE in the environment
  3. engine in the file of check --config
  4. the nearest .opentofu-version or .terraform-version
  5. the nearest .tool-versions that names one engine
  6. the nearest engine in a .tofumerge.hcl
  7. the registry that .terraform.lock.hcl names
  8. .tofu files, and required_version in them
  9. required_version in .tf files, if only Terraform meets its upper bound
 10. the newest OpenTofu release that tofumerge knows

The files of 4 to 6 are in the module's directory or above it. An engine is opentofu or
terraform, or a release such as opentofu@1.8 or terraform@1.9.5. For a release newer than
all known ones, tofumerge follows the newest known one and prints a note. An engine chosen
by 9 or 10 is assumed, and check prints a note. -v prints the engine and the reason;
tofumerge version --json lists the known releases.`

const exitStatusText = `  0  Success: nothing was found.
  1  Failure: wrong usage, an unreadable file, or a module that the engine
     refuses. The reason is on standard error. Standard output is empty, except
     that list prints what it can read, and report its page.
  2  Findings or differences: findings of check, also those that check --fix
     leaves; changes, with changes and diff --detailed-exitcode; or edits
     that extract can't express.`

const environmentText = `  TOFUMERGE_ENGINE  the engine to follow, like --engine
  NO_COLOR          if set, no colour, unless --color is always
  CLICOLOR_FORCE    if set and not 0, colour even without a terminal
  COLUMNS           the width of the terminal
  TERM              dumb means no colour
  GIT_INDEX_FILE    the index that --tracked reads; git sets it for hooks
  GIT_DIR           the repository of a revision, outside a working tree

Other variables of the engines, such as TF_VAR_NAME or TF_WORKSPACE, are ignored.`

const configurationText = `A file .tofumerge.hcl, in the module's directory or above it in the repository, sets the
engine and the rules of check:

  # The engine whose rules apply, for all commands.
  engine = "opentofu@1.12"

  # Rules to switch on and off; for their names: tofumerge check --list-rules
  enable  = ["unmarked-override"]
  disable = ["equivalent-override"]

  # Report what these engines read differently.
  against_engines = ["terraform@1.9"]

  # Report findings from this severity on: notice, warning or error.
  min_severity = "notice"

  # Exit with status 2 from this severity on. Only files read through --config
  # or --config-from may set never.
  fail_on = "warning"

  # Forbid overrides of addresses, or all override files, and allow some files.
  deny           = ["aws_iam_*.**"]
  deny_overrides = false
  allow_files    = ["local_override.tf"]

  # Comments that flatten and exec keep, besides those for known tools.
  tool_comments = ["my-linter:ignore"]

A nearer file adds to an outer one and to the command line but can't undo them, because it
may be part of the change under review. check --config FILE reads only that file, and
check --config-from REV reads every .tofumerge.hcl from a revision, such as main.
check --show-settings prints the settings in effect, with the file and line of each.

A comment above an override block or argument switches rules off for it, and silences the
same warnings in other commands. It never hides an error:

  # tofumerge:ignore no-effect until the next release

Outside all blocks, tofumerge:ignore-file covers the whole file.`

const flagsText = `--since compares with a revision; --only-new hides findings that it has. REV:DIR names another
directory of the revision.

--overlay and --exclude-override answer what-if questions. An overlay is merged after all
override files, regardless of its name; - reads standard input.
--provider-schema takes the output of "tofu providers schema -json"; without it, tofumerge
infers from a JSON value whether a name is an argument or a nested block.

Flags may come before or after the arguments; everything after -- is an argument. As in
tofu, -chdir=DIR, -help, -json, -no-color and -version work with one dash.`

// newCompletionsCommand returns the command for packagers that writes the completion scripts of all shells
// into a directory.
func newCompletionsCommand(*app) *cobra.Command {
	return &cobra.Command{
		Use:    "write-completions DIR",
		Short:  "Write the completions of all shells into a directory",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			root := cmd.Root()
			for name, write := range map[string]func(io.Writer) error{
				"tofumerge.bash": func(w io.Writer) error { return bashCompletion(root, w, true) },
				"_tofumerge":     root.GenZshCompletion,
				"tofumerge.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
				"tofumerge.ps1":  root.GenPowerShellCompletionWithDesc,
			} {
				var script bytes.Buffer
				if err := write(&script); err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(args[0], name), script.Bytes(), 0o666); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
