package cli

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/version"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/docs"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A checkCommand is the gate for commits and pipelines.
type checkCommand struct {
	*app
	*gate.Gate
	json        bool
	listRules   bool
	minSeverity string
	failOn      string
}

// jsonFormats are those whose reports are JSON.
var jsonFormats = []string{"json", "sarif", "gitlab", "rdjson"}

func newCheckCommand(a *app) *cobra.Command {
	c := &checkCommand{app: a, Gate: gate.New(a.ws)}
	c.SeesIgnored = true
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Find mistakes in override files, and denied overrides",
		Long: `check reports mistakes in the override files of modules. It exits with 0 if it finds
nothing but notices, with 2 if it finds more, and with 1 if it fails.

PATH is a module directory or a file in one, as pre-commit passes them; the current
directory by default. Everything wrong with a module is a finding. --min-severity says
which findings are reported, and --fail-on which of them make the status 2: by default
those from warning on, and all of a rule that is enabled by name. FORMAT is text, json,
sarif, github, gitlab, rdjson, checkstyle or junit.

--since REV reports only what the module doesn't have at a revision of its Git repository,
such as the branch that a pull request goes to. --config-from REV reads every .tofumerge.hcl,
and a baseline in the working tree, as they are there, so that the change can't edit them.

--list-rules prints the rules and whether they are on; "tofumerge help RULE" prints the
page of a rule, and "tofumerge help configuration" how files and comments switch rules on
and off. Neither hides an error or undoes a flag.

--deny denies overrides of what patterns of addresses match, and --deny-overrides every
override file that is named or is in a named directory; --allow-file lets some pass.

--fix prints a patch for override files: it removes what has no effect, repeats the
effective value or is superseded, and repeats what a replacement drops, where the module
is certain to stay the same or to have the earlier values again. --write changes the
files, and the report is about what is left.

--write-baseline records findings, and --baseline leaves them out of later reports.`,
		Example: `  tofumerge check modules/web
  tofumerge check -r . --min-severity warning
  tofumerge check -r . --since origin/main
  tofumerge check -r . --config-from origin/main
  tofumerge check -r . --format sarif > tofumerge.sarif
  tofumerge check -r . --write-baseline .tofumerge-baseline.json
  tofumerge check -r . --baseline .tofumerge-baseline.json
  tofumerge check --fix modules/web
  tofumerge check --deny 'aws_iam_*.**' --allow-file local_override.tf`,
		RunE: c.run,
	}
	c.defineFlags(cmd.Flags())
	c.completeFlags(cmd)
	return cmd
}

func (c *checkCommand) defineFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&c.Format, "format", "f", "text", "print `FORMAT`, such as json, sarif, github or gitlab")
	modulesFlag(flags, &c.Modules)
	searchFlags(&c.Search, flags, "check all modules below each directory")
	flags.StringVar(
		&c.minSeverity, "min-severity", "notice", "report from `SEVERITY` on: notice, warning or error",
	)
	flags.StringVar(
		&c.failOn, "fail-on", "", "exit with 2 from `SEVERITY` on, or never",
	)
	flags.BoolVar(&c.listRules, "list-rules", false, "print the rules, and which are on")
	flags.BoolVar(&c.json, "json", false, "short for --format json")
	listVar(flags, &c.Flags.Enable, "enable", "switch `RULES` on")
	listVar(flags, &c.Flags.Disable, "disable", "switch `RULES` off")
	listVar(flags, &c.Flags.AgainstEngines, "against-engine", "report what means something else to `ENGINES`")
	flags.BoolVar(
		&c.Flags.DenyOverrides, "deny-overrides", false, "deny override files",
	)
	listVar(flags, &c.Flags.Deny, "deny", "deny overrides of what `GLOBS` match")
	flags.StringArrayVar(
		&c.Flags.AllowFiles, "allow-file", nil, "allow all in override files that `GLOB` matches; repeatable",
	)
	flags.StringVar(&c.Since, "since", "", "report only findings that the revision `REV` does not have")
	defineConfig(&c.Config, flags)
	flags.BoolVar(&c.Fixing.IsOn, "fix", false, "print a patch that fixes findings")
	flags.BoolVar(&c.Fixing.Writes, "write", false, "with --fix: write the files")
	flags.StringVar(&c.Baseline.Read, "baseline", "", "leave out the findings that `FILE` has")
	flags.StringVar(&c.Baseline.Write, "write-baseline", "", "write the findings to `FILE`, for --baseline")
}

func (c *checkCommand) completeFlags(cmd *cobra.Command) {
	c.app.completeFlag(cmd, "exclude", c.app.completeDirFlag)
	c.app.completeFlag(cmd, "against-engine", completeEngine)
	c.app.completeFlag(cmd, "since", completeNothing)
	c.app.completeFlag(cmd, "config-from", completeNothing)
	c.app.completeFlag(cmd, "enable", completeRule)
	c.app.completeFlag(cmd, "disable", completeRule)
	c.app.completeFlag(cmd, "deny", c.app.completeAddress)
	c.app.completeFlag(cmd, "allow-file", c.app.completeOverrideFile)
	var formats []string
	for _, f := range report.Formats {
		formats = append(formats, f.Name)
	}
	c.app.completeFlag(cmd, "format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	c.app.completeFlag(cmd, "min-severity", cobra.FixedCompletions(
		[]string{"error", "warning", "notice"}, cobra.ShellCompDirectiveNoFileComp,
	))
	c.app.completeFlag(cmd, "fail-on", cobra.FixedCompletions(
		[]string{"error", "warning", "notice", "never"}, cobra.ShellCompDirectiveNoFileComp,
	))
}

func (c *checkCommand) run(cmd *cobra.Command, args []string) error {
	if err := c.CheckSince(cmd.Flags().Changed("since")); err != nil {
		return err
	}
	if err := c.app.checkConfig(cmd.Flags(), c.Config); err != nil {
		return err
	}
	if cmd.Flags().Changed("min-severity") {
		c.Flags.MinSeverity = &c.minSeverity
	}
	if cmd.Flags().Changed("fail-on") {
		c.Flags.FailOn = &c.failOn
	}
	if err := formatOf(cmd, &c.Format, c.json); err != nil {
		return err
	}
	if err := c.CheckFixFlags(cmd.Flags().Changed("format") || c.json); err != nil {
		return err
	}
	if err := c.Prepare(); err != nil {
		return err
	}
	if c.listRules {
		return c.printRules(args)
	}
	if err := c.OpenBaseline(cmd.Flags().Changed("baseline"), cmd.Flags().Changed("write-baseline")); err != nil {
		return err
	}
	targets, err := c.SubjectsOf(args)
	if err != nil {
		return err
	}
	if len(targets) > 1 && len(c.ws.Overlays) > 0 {
		return errors.New("--overlay is merged into one module; name only one PATH")
	}
	if err := c.Baseline.CheckSubjects(targets); err != nil {
		return err
	}
	if c.Fixing.IsOn {
		left, err := c.Fix(targets, c.ScopeOf(args))
		if err != nil || left == nil {
			return err
		}
		return c.publish(left)
	}
	doc, err := c.All(targets, c.ScopeOf(args))
	if err != nil {
		return err
	}
	if c.Recursive && len(doc.Modules) == 0 {
		c.ws.Warn("nothing was checked: no configuration files below " + diag.Escape(orList(searched(args))))
	}
	return c.publish(doc)
}

// publish prints a report, and ends the run as it has to end.
func (c *checkCommand) publish(doc *report.Report) error {
	var text bytes.Buffer
	if err := c.write(&text, doc); err != nil {
		return err
	}
	out := c.ws.Out
	if slices.Contains(jsonFormats, c.Format) {
		out = c.ws.JSONOut()
	}
	if _, err := out.Write(text.Bytes()); err != nil {
		return err
	}
	if format, _ := report.FindFormat(c.Format); format.OnlyFindings && doc.Ignored() != "" {
		c.ws.Note(doc.Ignored())
	}
	c.summarizeCheck(doc)
	if doc.Counts.Failing > 0 {
		return workspace.ErrFound
	}
	return nil
}

// summarizeCheck names the engines, and says how much was found if the report doesn't.
func (c *checkCommand) summarizeCheck(doc *report.Report) {
	text := wording.Count(len(doc.Modules), "module")
	if c.Format != "text" || doc.Found()+doc.Counts.Ignored == 0 {
		text = wording.Count(doc.Found(), "finding") + " in " + text
	}
	c.NoteAssumed(doc)
	c.Finish(c.ws, c.EnginesOf(doc)+": "+text)
}

func (c *checkCommand) write(w io.Writer, r *report.Report) error {
	format, _ := report.FindFormat(c.Format)
	return format.Write(w, r, report.FormatOptions{
		Screen:  c.ws.Screen(c.ws.Out),
		Version: version.Current().Version,
		Page:    docs.Rule,
	})
}

// searched are the directories that arguments name, the current one by default.
func searched(args []string) []string {
	if len(args) == 0 {
		return []string{"."}
	}
	return args
}
