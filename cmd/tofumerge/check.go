package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/merge"
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
	config      string
	since       string
	flags       settings
	user        *settings // what the flags and the file of --config say

	done atomic.Int64
	// judged, if set, gets each module with what is found in it.
	judged func(*target, *merge.Module, hcl.Diagnostics, []check.Finding) error
}

// errFound ends a run that found what it looked for.
var errFound = errors.New("there are findings")

func newCheckCommand(a *app) *cobra.Command {
	c := &checkCommand{app: a, search: search{seesIgnored: true}}
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Find mistakes in override files, and denied overrides",
		Long: `check reports mistakes in the override files of modules. It exits with 0 if it finds
nothing, with 2 if it finds something, and with 1 if it fails.

PATH is a module directory or a file in one, as pre-commit passes them; the current
directory by default. Everything wrong with a module is a finding.

--since REV reports only what the module doesn't have at a revision of its Git repository,
such as the branch that a pull request goes to.

--list-rules prints the rules and whether they are on; "tofumerge help RULE" prints the
page of a rule, and "tofumerge help configuration" how files and comments switch rules on
and off. Neither hides an error or undoes a flag.

--deny denies overrides of what patterns of addresses match, and --deny-overrides every
override file that is named or is in a named directory; --allow-file lets some pass.`,
		Example: `  tofumerge check modules/web
  tofumerge check -r . --min-severity warning
  tofumerge check -r . --since origin/main
  tofumerge check -r . --format sarif > tofumerge.sarif
  tofumerge check --deny 'aws_iam_*.**' --allow-file local_override.tf`,
		RunE: c.run,
	}
	flags := cmd.Flags()
	flags.StringVarP(&c.format, "format", "f", "text", "print `FORMAT`: text, json, sarif, github, checkstyle, junit")
	c.search.flags(flags, "check all modules below each directory")
	flags.StringVar(
		&c.minSeverity, "min-severity", "notice", "report from `SEVERITY` on: notice, warning or error",
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
	flags.StringVar(&c.config, "config", "", "read `FILE` instead of every .tofumerge.hcl")
	c.completeFlag(cmd, "against-engine", completeEngine)
	c.completeFlag(cmd, "since", completeNothing)
	c.completeFlag(cmd, "enable", completeRule)
	c.completeFlag(cmd, "disable", completeRule)
	c.completeFlag(cmd, "deny", c.completeAddress)
	c.completeFlag(cmd, "allow-file", c.completeOverrideFile)
	formats := []string{"text", "json", "sarif", "github", "checkstyle", "junit"}
	c.completeFlag(cmd, "format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	c.completeFlag(cmd, "min-severity", cobra.FixedCompletions(
		[]string{"error", "warning", "notice"}, cobra.ShellCompDirectiveNoFileComp,
	))
	return cmd
}

func (c *checkCommand) run(cmd *cobra.Command, args []string) error {
	if cmd.Flags().Changed("since") && c.since == "" {
		return errSinceNothing
	}
	if cmd.Flags().Changed("min-severity") {
		c.flags.MinSeverity = &c.minSeverity
	}
	if err := formatOf(cmd, &c.format, c.json); err != nil {
		return err
	}
	if err := c.prepare(); err != nil {
		return err
	}
	if c.listRules {
		return c.printRules(args)
	}
	targets, err := c.targets(args, &c.search)
	if err != nil {
		return err
	}
	if len(targets) > 1 && len(c.overlays) > 0 {
		return errors.New("--overlay is merged into one module; name only one PATH")
	}
	doc, err := c.checkAll(targets)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := c.write(&text, doc); err != nil {
		return err
	}
	out := c.out
	if c.format == "json" || c.format == "sarif" {
		out = c.jsonOut()
	}
	if _, err := out.Write(text.Bytes()); err != nil {
		return err
	}
	if c.summarizes() {
		findings, modules := wording.Count(doc.Found(), "finding"), wording.Count(len(doc.Modules), "module")
		c.tell(fmt.Sprintf("%s: %s in %s", c.enginesOf(doc), findings, modules))
	}
	if len(doc.Findings) > 0 {
		return errFound
	}
	return nil
}

// prepare judges the flags, and reads what all modules need.
func (c *checkCommand) prepare() error {
	if _, ok := report.FindFormat(c.format); !ok {
		return fmt.Errorf("--format takes %s, not %q", report.FormatNames(), c.format)
	}
	if len(c.flags.AgainstEngines) > 0 {
		c.flags.Enable = append(c.flags.Enable, engineRule)
	}
	if err := c.flags.settle(); err != nil {
		return err
	}
	c.settings.warns = true
	given := &settings{}
	if c.config != "" {
		var err error
		c.settings.file = inDir(c.base(), c.config)
		if given, err = readSettings(c.settings.file); err != nil {
			return err
		}
		c.settings.given = given
	}
	var err error
	if c.user, err = given.with(&c.flags); err != nil {
		return err
	}
	c.expectMany()
	_, err = c.loadOptions()
	return err
}

func (c *checkCommand) write(w io.Writer, r *report.Report) error {
	format, _ := report.FindFormat(c.format)
	return format.Write(w, r, report.FormatOptions{
		Screen:  c.screen(c.out),
		Version: currentVersion().Version,
	})
}

// A checked is what was found in one module.
type checked struct {
	record    *report.ModuleRecord // nil for a directory without a module
	findings  []report.FindingRecord
	histories []report.HistoryRecord // if the report is to have them
	engine    engine.Release         // none where the module could not be read
	err       error
}

// checkAll checks modules, several at once, and reports on them in their order.
func (c *checkCommand) checkAll(targets []*target) (*report.Report, error) {
	for _, t := range targets {
		c.reportEngineFirst(t) // so that it comes in their order
	}
	results := make([]checked, len(targets))
	p := c.progress("checked", len(targets), &c.done)
	parallel.Each(len(targets), func(i int) {
		results[i] = c.checkCaught(targets[i])
		c.done.Add(1)
	})
	p.stop()
	doc := report.NewForFindings(c.engineOf(results))
	doc.Since = c.since
	for _, r := range results {
		switch {
		case r.err != nil:
			return nil, r.err
		case r.record != nil:
			doc.Modules = append(doc.Modules, *r.record)
			doc.Findings = append(doc.Findings, r.findings...)
			doc.Histories = append(doc.Histories, r.histories...)
		}
	}
	doc.CountFindings()
	return doc, nil
}

// check checks one module.
func (c *checkCommand) check(t *target) checked {
	files, broken := c.settingsAbove(inDir(c.base(), t.dir))
	if len(broken) > 0 {
		return c.ungoverned(t, broken)
	}
	want := newPolicy(c.user, files)
	opts, err := c.optionsFor(inDir(c.base(), t.dir))
	if noVersion := (versionFileError{}); errors.As(err, &noVersion) {
		return unreadable(t, engine.Default(), err)
	} else if err != nil {
		return checked{err: err}
	}
	src, diags, err := load.Dir(inDir(c.base(), t.dir), opts)
	var none *load.NoFilesError
	if errors.As(err, &none) && !t.must && !c.isEngineGiven() {
		opts.Engine = otherReader(opts.Engine) // a version file takes no module out of the gate
		src, diags, err = load.Dir(inDir(c.base(), t.dir), opts)
	}
	switch {
	case errors.As(err, &none) && !t.must:
		return checked{}
	case errors.As(err, &none):
		return checked{err: fmt.Errorf("%w, or use -r to check every module below it", err)}
	case err != nil:
		return unreadable(t, opts.Engine, err)
	}
	dir := filepath.ToSlash(t.dir)
	mod, more := merge.Files(src, merge.Options{})
	found, err := c.unknownSince(t, opts, mod, want, c.judge(mod, append(diags, more...), t, want))
	if err != nil {
		return checked{err: err}
	}
	result := checked{
		engine:   opts.Engine,
		record:   &report.ModuleRecord{Directory: dir, Engine: opts.Engine.String(), Files: len(src.Files)},
		findings: report.Findings(mod, dir, found),
	}
	if c.format == "json" {
		result.histories = report.FindingHistories(mod, dir, found)
	}
	if c.judged != nil {
		result.err = c.judged(t, mod, slices.Concat(diags, more), found)
	}
	return result
}

// unreadable is what there is to say of a module that can't be read.
func unreadable(t *target, e engine.Release, err error) checked {
	return foundOnly(t, e, check.Unreadable("", err))
}

// ungoverned is what there is to say of a module whose settings make no sense: half
// of what is wanted of it would be the wrong gate.
func (c *checkCommand) ungoverned(t *target, broken []error) checked {
	var found []check.Finding
	for _, err := range broken {
		f := check.Unreadable("", err)
		if settings := (*settingsError)(nil); errors.As(err, &settings) {
			f = settings.findingFor(inDir(c.base(), t.dir))
		}
		found = append(found, f)
	}
	return foundOnly(t, engine.Default(), found...)
}

// foundOnly is a module of which some findings are all there is to say.
func foundOnly(t *target, e engine.Release, list ...check.Finding) checked {
	dir := filepath.ToSlash(t.dir)
	found := report.Findings(&merge.Module{Source: &load.Module{}}, dir, list)
	return checked{record: &report.ModuleRecord{Directory: dir, Engine: e.String()}, findings: found}
}

// judge lists what is found in a module and wanted.
func (c *checkCommand) judge(mod *merge.Module, diags hcl.Diagnostics, t *target, want *policy) []check.Finding {
	found := check.Findings(mod, diags, want.looksFor)
	switch lock, err := mod.Source.Lock(c.maxSize); {
	case err != nil:
		found = append(found, check.Unreadable(load.LockName, err))
	case lock != nil:
		found = append(found, check.Locked(mod, lock)...)
	}
	found = append(found, c.engineFindings(mod.Source, want)...)
	found = append(found, c.denied(mod, t, want)...)
	found = slices.DeleteFunc(found, func(f check.Finding) bool { return !want.wants(f) })
	check.Sort(mod, found)
	return found
}
