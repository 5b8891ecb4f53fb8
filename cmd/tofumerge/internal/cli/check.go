package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/version"
	"github.com/tofumerge/tofumerge/docs"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A checkCommand is the gate for commits and pipelines.
type checkCommand struct {
	*app
	format    string
	json      bool
	listRules bool
	search
	minSeverity string
	failOn      string
	config      configFlags
	since       string
	flags       policy.Settings
	baseline    baselineFile
	fixing      fixing

	done atomic.Int64
	// judged, if set, gets each module with what is found in it.
	judged  func(*inspection) error
	modules bool
	unfound []unfoundCall
}

// jsonFormats are those whose reports are JSON.
var jsonFormats = []string{"json", "sarif", "gitlab", "rdjson"}

// errFound ends a run that found what it looked for.
var errFound = errors.New("there are findings")

func newCheckCommand(a *app) *cobra.Command {
	c := &checkCommand{app: a, search: search{seesIgnored: true}}
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
	flags.StringVarP(&c.format, "format", "f", "text", "print `FORMAT`, such as json, sarif, github or gitlab")
	modulesFlag(flags, &c.modules)
	c.search.flags(flags, "check all modules below each directory")
	flags.StringVar(
		&c.minSeverity, "min-severity", "notice", "report from `SEVERITY` on: notice, warning or error",
	)
	flags.StringVar(
		&c.failOn, "fail-on", "", "exit with 2 from `SEVERITY` on, or never",
	)
	flags.BoolVar(&c.listRules, "list-rules", false, "print the rules, and which are on")
	flags.BoolVar(&c.json, "json", false, "short for --format json")
	listVar(flags, &c.flags.Enable, "enable", "switch `RULES` on")
	listVar(flags, &c.flags.Disable, "disable", "switch `RULES` off")
	listVar(flags, &c.flags.AgainstEngines, "against-engine", "report what means something else to `ENGINES`")
	flags.BoolVar(
		&c.flags.DenyOverrides, "deny-overrides", false, "deny override files",
	)
	listVar(flags, &c.flags.Deny, "deny", "deny overrides of what `GLOBS` match")
	flags.StringArrayVar(
		&c.flags.AllowFiles, "allow-file", nil, "allow all in override files that `GLOB` matches; repeatable",
	)
	flags.StringVar(&c.since, "since", "", "report only findings that the revision `REV` does not have")
	c.config.define(flags)
	flags.BoolVar(&c.fixing.isOn, "fix", false, "print a patch that fixes findings")
	flags.BoolVar(&c.fixing.writes, "write", false, "with --fix: write the files")
	flags.StringVar(&c.baseline.read, "baseline", "", "leave out the findings that `FILE` has")
	flags.StringVar(&c.baseline.write, "write-baseline", "", "write the findings to `FILE`, for --baseline")
}

func (c *checkCommand) completeFlags(cmd *cobra.Command) {
	c.completeFlag(cmd, "exclude", c.completeDirFlag)
	c.completeFlag(cmd, "against-engine", completeEngine)
	c.completeFlag(cmd, "since", completeNothing)
	c.completeFlag(cmd, "config-from", completeNothing)
	c.completeFlag(cmd, "enable", completeRule)
	c.completeFlag(cmd, "disable", completeRule)
	c.completeFlag(cmd, "deny", c.completeAddress)
	c.completeFlag(cmd, "allow-file", c.completeOverrideFile)
	var formats []string
	for _, f := range report.Formats {
		formats = append(formats, f.Name)
	}
	c.completeFlag(cmd, "format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	c.completeFlag(cmd, "min-severity", cobra.FixedCompletions(
		[]string{"error", "warning", "notice"}, cobra.ShellCompDirectiveNoFileComp,
	))
	c.completeFlag(cmd, "fail-on", cobra.FixedCompletions(
		[]string{"error", "warning", "notice", "never"}, cobra.ShellCompDirectiveNoFileComp,
	))
}

func (c *checkCommand) run(cmd *cobra.Command, args []string) error {
	if err := c.checkSince(cmd); err != nil {
		return err
	}
	if err := c.checkConfig(cmd.Flags(), c.config); err != nil {
		return err
	}
	if cmd.Flags().Changed("min-severity") {
		c.flags.MinSeverity = &c.minSeverity
	}
	if cmd.Flags().Changed("fail-on") {
		c.flags.FailOn = &c.failOn
	}
	if err := formatOf(cmd, &c.format, c.json); err != nil {
		return err
	}
	if err := c.checkFixFlags(cmd); err != nil {
		return err
	}
	if err := c.prepare(); err != nil {
		return err
	}
	if c.listRules {
		return c.printRules(args)
	}
	if err := c.openBaseline(cmd.Flags().Changed("baseline"), cmd.Flags().Changed("write-baseline")); err != nil {
		return err
	}
	targets, err := c.targetsOf(args)
	if err != nil {
		return err
	}
	if len(targets) > 1 && len(c.Overlays) > 0 {
		return errors.New("--overlay is merged into one module; name only one PATH")
	}
	if err := c.baseline.checkTargets(targets); err != nil {
		return err
	}
	if c.fixing.isOn {
		return c.fix(targets, c.scopeOf(args))
	}
	doc, err := c.checkAll(targets, c.scopeOf(args))
	if err != nil {
		return err
	}
	if c.recursive && len(doc.Modules) == 0 {
		c.Warn("nothing was checked: no configuration files below " + diag.Escape(orList(searched(args))))
	}
	return c.publish(doc)
}

// publish prints a report, and ends the run as it has to end.
func (c *checkCommand) publish(doc *report.Report) error {
	var text bytes.Buffer
	if err := c.write(&text, doc); err != nil {
		return err
	}
	out := c.Out
	if slices.Contains(jsonFormats, c.format) {
		out = c.JSONOut()
	}
	if _, err := out.Write(text.Bytes()); err != nil {
		return err
	}
	if format, _ := report.FindFormat(c.format); format.OnlyFindings && doc.Ignored() != "" {
		c.Note(doc.Ignored())
	}
	c.summarizeCheck(doc)
	if doc.Counts.Failing > 0 {
		return errFound
	}
	return nil
}

// summarizeCheck names the engines, and says how much was found if the report doesn't.
func (c *checkCommand) summarizeCheck(doc *report.Report) {
	text := wording.Count(len(doc.Modules), "module")
	if c.format != "text" || doc.Found()+doc.Counts.Ignored == 0 {
		text = wording.Count(doc.Found(), "finding") + " in " + text
	}
	c.noteAssumed(doc)
	c.finishSearch(c.app, c.enginesOf(doc)+": "+text)
}

// prepare judges the flags, and reads what all modules need.
func (c *checkCommand) prepare() error {
	if _, ok := report.FindFormat(c.format); !ok {
		return fmt.Errorf("--format takes %s, not %q", report.FormatNames(), c.format)
	}
	if len(c.flags.AgainstEngines) > 0 {
		c.flags.Enable = append(c.flags.Enable, check.EnginesDiffer.ID)
	}
	if err := c.flags.Settle(); err != nil {
		return err
	}
	if err := c.flags.CheckFlags(); err != nil {
		return err
	}
	c.Settings.Warn = c.Warn
	given := policy.Settings{}
	switch {
	case c.config.file != "":
		if err := c.Settings.Give(repo.In(c.Base(), c.config.file)); err != nil {
			return err
		}
		given = *c.Settings.Given
	case c.config.revision != "":
		c.readConfigFrom(c.config.revision)
	}
	var err error
	if c.Settings.User, err = given.With(&c.flags); err != nil {
		return err
	}
	c.ExpectMany()
	_, err = c.Options()
	return err
}

func (c *checkCommand) write(w io.Writer, r *report.Report) error {
	format, _ := report.FindFormat(c.format)
	return format.Write(w, r, report.FormatOptions{
		Screen:  c.Screen(c.Out),
		Version: version.Current().Version,
		Page:    docs.Rule,
	})
}

// A checked is what was found in one module.
type checked struct {
	record    *report.ModuleRecord // nil for a directory without a module
	findings  []report.FindingRecord
	silenced  []report.FindingRecord // by comments
	histories []report.HistoryRecord // if the report is to have them
	engine    engine.Release         // none where the module could not be read
	only      []check.Finding        // all that there is to say of a module that can't be looked at
	tally
	hidden *hidden // by the baseline
	err    error
}

// A tally counts what a report doesn't list of a module.
type tally struct {
	failing int // findings that make the run fail
	ignores ignores
}

// checkAll checks modules, several at once, and reports on them in their order.
func (c *checkCommand) checkAll(targets []*target, s *scope) (*report.Report, error) {
	for _, t := range targets {
		c.reportEngineFirst(t) // so that it comes in their order
	}
	results := make([]checked, len(targets))
	p := c.Progress("checked", len(targets), &c.done)
	parallel.Each(len(targets), func(i int) {
		results[i] = c.checkCaught(targets[i])
		c.done.Add(1)
	})
	p.Stop()
	doc, err := c.reportOn(results)
	if err != nil {
		return nil, err
	}
	err = c.applyBaseline(doc, results, s)
	c.addUnfound(doc)
	return doc, err
}

// reportOn is the report on some modules, in their order.
func (c *checkCommand) reportOn(results []checked) (*report.Report, error) {
	doc := report.NewForFindings(c.engineOf(results))
	doc.Since = c.since
	for _, r := range results {
		switch {
		case r.err != nil:
			return nil, r.err
		case r.record != nil:
			doc.Modules = append(doc.Modules, *r.record)
			doc.Findings = append(doc.Findings, r.findings...)
			doc.Suppressed = append(doc.Suppressed, r.silenced...)
			doc.Histories = append(doc.Histories, r.histories...)
		}
	}
	doc.Skipped = c.skippedRecord()
	doc.CountFindings()
	for _, r := range results {
		if !c.Settings.User.NeverFails() {
			doc.Counts.Failing += r.failing
		}
		doc.Counts.Ignored += len(r.ignores.silenced)
	}
	return doc, nil
}

// searched are the directories that arguments name, the current one by default.
func searched(args []string) []string {
	if len(args) == 0 {
		return []string{"."}
	}
	return args
}
