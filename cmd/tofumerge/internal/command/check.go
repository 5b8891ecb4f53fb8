package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/docs"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/term"
)

// checkOptions holds the flags of check, apart from those of the gate.
type checkOptions struct {
	ws           *workspace.Workspace
	gate         *gate.Gate
	format       format
	also         []string // of --also: FORMAT=FILE
	copies       []reportCopy
	listRules    bool
	showSettings bool
	isForTools   bool   // --format text is on the command line: a line for each finding, even on a terminal, for editors
	minSeverity  string // of the flag; gate.Flags has it only if the flag is on the command line
	failOn       string
}

// NewCheck returns the command that finds mistakes in override files, and denied overrides.
func NewCheck(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &checkOptions{ws: ws, gate: gate.New(ws)}
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Find mistakes in override files, and denied overrides",
		Long: `check reports mistakes in the override files of modules. It exits with 0 if it finds
nothing but notices, with 2 if it finds more, and with 1 if it fails.

PATH is a module directory or a file in one, as pre-commit passes them; the current
directory by default. Errors in a module are findings, too. --min-severity selects the
findings to report, and --fail-on those that cause status 2: by default findings from
warning on, and any finding of a rule that is enabled by name. FORMAT is text, json,
sarif, github, gitlab or junit. --also writes the same findings to a file, in another
format. With --format text, each finding is a line on a terminal, too, for editors that run
check there.

--only-new REV reports only findings that are new since a Git revision, such as the target
branch of a pull request. --config-from REV reads every .tofumerge.hcl, and a baseline in the
working tree, from that revision, because the change could edit them.

--list-rules lists the rules and whether they are on; "tofumerge help RULE" prints the
page of a rule. "tofumerge help configuration" explains how files and comments switch rules
on and off; they can't hide an error or undo a flag.

--deny denies overrides of addresses that match a pattern. --deny-overrides denies every
override file that you name, or whose directory you name. --allow-file exempts files.

--fix prints a patch. It removes overrides that have no effect, repeat the effective value
or are superseded, and restores keys and arguments that a replacement drops, if that
certainly keeps the module the same or restores the earlier values. With --enable
unmarked-override, it also corrects the comments in primary files that name override files.
--write changes the files and reports the remaining findings.

--write-baseline records findings, and --baseline hides them in later reports.`,
		Example: `  tofumerge check modules/web
  tofumerge check -r . --min-severity warning
  tofumerge check -r . --only-new origin/main
  tofumerge check -r . --config-from origin/main
  tofumerge check -r . --format sarif > tofumerge.sarif
  tofumerge check -r . --format github --also sarif=tofumerge.sarif
  tofumerge check -r . --write-baseline .tofumerge-baseline.json
  tofumerge check -r . --baseline .tofumerge-baseline.json
  tofumerge check --fix modules/web
  tofumerge check --deny 'aws_iam_*.**' --allow-file local_override.tf`,
		RunE: o.run,
	}
	outputFlag(cmd, ws)
	o.define(cmd, words)
	severities := []string{"error", "warning", "notice"}
	words.ForFlag(cmd, "select", Rules)
	words.ForFlag(cmd, "deny", words.Addresses)
	words.ForFlag(cmd, "allow-file", words.OverrideFiles)
	words.ForFlag(cmd, "min-severity", Fixed(severities))
	words.ForFlag(cmd, "fail-on", Fixed(append(severities, "never")))
	var forms []string // of --also, up to the name of the file
	for _, name := range report.FormatNames() {
		forms = append(forms, name+"=")
	}
	words.ForFlag(cmd, "also", cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// define defines the flags of check, and those that it shares with other commands.
func (o *checkOptions) define(cmd *cobra.Command, words Words) {
	flags, g := cmd.Flags(), o.gate
	o.format.define(cmd, words, "print `FORMAT`, such as json, sarif, github or gitlab", report.FormatNames()...)
	searchFlags(cmd, words, &g.Search, "check all modules below each directory")
	flags.StringVar(&o.minSeverity, "min-severity", "notice", "report from `SEVERITY` on: notice, warning or error")
	flags.StringVar(&o.failOn, "fail-on", "", "exit with 2 from `SEVERITY` on, or never")
	flags.BoolVar(&o.listRules, "list-rules", false, "list the rules, and whether they are on")
	filterFlag(cmd, words, &g.Search, "report only findings at addresses that `GLOBS` match")
	listVar(flags, &g.Select, "select", "report only findings of `RULES`")
	flags.BoolVar(&o.showSettings, "show-settings", false, "print the settings in effect, with the file and line of each")
	ruleFlags(cmd, words, &g.Flags)
	RepeatedVar(flags, &o.also, "also", "", "also write the report to a file, as `FORMAT=FILE`; repeatable")
	flags.BoolVar(&g.Flags.DenyOverrides, "deny-overrides", false, "deny override files")
	listVar(flags, &g.Flags.Deny, "deny", "deny overrides of addresses that `GLOBS` match")
	RepeatedVar(flags, &g.Flags.AllowFiles, "allow-file", "", "exempt override files that `GLOB` matches; repeatable")
	onlyNewFlag(cmd, words, &g.Search, &g.OnlyNew)
	configFlags(cmd, words, &g.Config)
	flags.BoolVar(&g.Fixing.IsOn, "fix", false, "print a patch that fixes findings")
	flags.BoolVar(&g.Fixing.Writes, "write", false, "with --fix: write the files")
	flags.StringVar(&g.Baseline.Read, "baseline", "", "hide findings recorded in `FILE`")
	flags.StringVar(&g.Baseline.Write, "write-baseline", "", "write the findings to `FILE`, for --baseline")
}

// run checks the modules that the arguments name, and prints the report, a patch, the rules or the settings.
func (o *checkOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.settle(cmd); err != nil {
		return err
	}
	switch {
	case o.listRules:
		return o.printRules(args)
	case o.showSettings:
		return o.printSettings(args)
	}
	g := o.gate
	if err := g.OpenBaseline(cmd.Flags().Changed("baseline"), cmd.Flags().Changed("write-baseline")); err != nil {
		return err
	}
	subjects, err := o.ws.Subjects(args, &g.Search)
	if err != nil {
		return err
	}
	// Refuse what fits only one module.
	switch isMany := len(subjects) > 1; {
	case isMany && len(o.ws.Overlays) > 0:
		return errors.New("--overlay is merged into one module; name only one PATH")
	case (isMany || g.Recursive) && g.OnlyNew != nil && g.OnlyNew.HasDir: // REV:DIR is the past of one module only
		return g.OnlyNew.ForOneModule("only-new")
	}
	if err := g.Baseline.CheckSubjects(subjects); err != nil {
		return err
	}
	// Check the modules, or fix them.
	makeReport := g.All
	if g.Fixing.IsOn {
		makeReport = g.Fix
	}
	// The directories that the run searched (WalkedBy) tell which modules of a baseline are gone.
	doc, err := makeReport(subjects, g.WalkedBy(args))
	if err != nil {
		return err
	}
	isEmpty := len(subjects) == 0 || doc != nil && len(doc.Modules) == 0
	if isEmpty {
		if len(args) == 0 {
			args = []string{"."}
		}
		o.ws.Warn("nothing was checked: " + g.WhyNothing(args))
	} else if err := g.CheckMatch(); err != nil {
		return err // --filter matches nothing
	}
	if doc == nil { // without --write, Fix has printed a patch
		return nil
	}
	return o.publish(doc)
}

// settle refuses flags that contradict each other, opens the files of --also, and prepares the gate, which finds what
// check reports. A severity is passed on only if its flag is on the command line, because otherwise settings files
// choose it.
func (o *checkOptions) settle(cmd *cobra.Command) error {
	g, isChanged := o.gate, cmd.Flags().Changed
	if err := checkConfig(cmd, o.ws, g.Config); err != nil {
		return err
	}
	if isChanged("min-severity") {
		g.Flags.MinSeverity = &o.minSeverity
	}
	if isChanged("fail-on") {
		g.Flags.FailOn = &o.failOn
	}
	// Before settle, isJSON means that --json is on the command line.
	wantsFormat := isChanged("format") || isChanged("also") || o.format.isJSON
	if err := o.format.settle(cmd); err != nil {
		return err
	}
	g.Format = o.format.name
	// The files of --also are opened first, so that a wrong name fails before the modules are read.
	if len(o.also) > 0 && (o.listRules || o.showSettings) {
		return errors.New("--also writes a report of findings; leave it out")
	}
	for _, text := range o.also {
		name, path, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("--also takes FORMAT=FILE, such as sarif=tofumerge.sarif, not %q", text)
		}
		format, ok := report.FindFormat(name)
		if !ok {
			return fmt.Errorf("--also takes the format %s, not %q", diag.Joined(report.FormatNames(), "or"), name)
		}
		to, err := o.ws.OpenOutput("--also", path)
		if err != nil {
			return err
		}
		o.copies = append(o.copies, reportCopy{format, to})
		g.Also = append(g.Also, name)
	}
	o.isForTools = isChanged("format") && o.format.name == "text"
	return cmp.Or(g.CheckFixFlags(wantsFormat), g.Prepare())
}

// publish prints a report, and writes its copies. It returns ErrFound if findings make the run fail.
func (o *checkOptions) publish(doc *report.Report) error {
	format, _ := report.FindFormat(o.gate.Format)
	options := o.formatOptions(o.ws.Screen(o.ws.Out))
	// For tools, each finding is one line, as in a pipe.
	options.Screen.IsTerminal = options.Screen.IsTerminal && !o.isForTools
	// The report is printed after its copies: if one can't be written, nothing is printed.
	var text bytes.Buffer
	format.Write(&text, doc, options)
	for _, c := range o.copies {
		var also bytes.Buffer
		c.format.Write(&also, doc, o.formatOptions(screen.Plain()))
		if err := c.to.Write(also.Bytes(), o.ws.Warn); err != nil {
			return err
		}
	}
	if _, err := o.ws.Out.Write(text.Bytes()); err != nil {
		return err
	}
	// Note what the report leaves out, and sum up.
	o.ws.NoteHidden(o.gate.Hiding(), doc.Counts.Filtered, "finding")
	if text := doc.LeftOut(); text != "" && o.gate.Format != "text" {
		o.ws.Message("", "Note: "+text) // printed even under --quiet
	}
	o.summarize(doc)
	if doc.Counts.Failing == 0 {
		return nil
	}
	if options.Screen.IsTerminal {
		o.suggestBaseline(doc)
	}
	return workspace.ErrFound
}

// summarize ends the run with a line on the number of findings and the engines. A text report with findings has shown
// the number and the assumed engines itself, so the line leaves these out. If a run has no such line, as in a pipe,
// and finds nothing, it gets a note instead, so that the user sees that modules were checked.
func (o *checkOptions) summarize(doc *report.Report) {
	isText := o.gate.Format == "text"
	reportHasNumbers := isText && doc.Counts.Findings()+doc.Counts.Hidden() > 0
	needsNote := isText && !reportHasNumbers && !o.ws.Summarizes() && len(doc.Modules) > 0
	found, engines, assumed := report.FoundText(doc), o.gate.EnginesOf(doc), doc.AssumedEngines()
	last := found + "; " + engines
	switch {
	case reportHasNumbers && len(assumed) > 0:
		last = ""
	case reportHasNumbers:
		last = engines
	case needsNote && len(assumed) > 0:
		o.ws.Note(found + "; " + report.AssumedText(assumed))
	case needsNote:
		o.ws.Note(found)
	}
	o.gate.Finish(o.ws, last) // prints nothing beside a note, because then the run has no last line
}

// manyFindings is more than somebody who runs check for the first time can correct at once.
const manyFindings = 10

// suggestBaseline shows how to adopt check in a repository with many findings: with a baseline, or with --only-new.
// It does so only after check -r with text output and neither of the two. Findings for which the engine refuses the
// module don't count, because no baseline can accept them.
func (o *checkOptions) suggestBaseline(doc *report.Report) {
	g, n := o.gate, 0
	for id, found := range doc.Counts.Rules {
		if !check.FindRule(id).Refusal {
			n += found
		}
	}
	isPlainSearch := g.Recursive && g.OnlyNew == nil && !g.Baseline.IsSet() && !g.Fixing.IsOn && g.Format == "text"
	if n <= manyFindings || !isPlainSearch {
		return
	}
	text := "To start from here: --write-baseline FILE accepts these findings"
	if branch := o.ws.DefaultBranch(); branch != "" {
		text += "; --only-new " + diag.Escape(branch) + " hides them"
	}
	o.ws.Note(text)
}

// formatOptions returns the options for writing a report to the screen s: also the version, and the URLs of the
// rules' pages.
func (o *checkOptions) formatOptions(s screen.Screen) report.FormatOptions {
	return report.FormatOptions{
		Screen:  s,
		Version: process.ThisBuild().Version,
		Page:    docs.Rule,
	}
}

// A reportCopy is a file of --also: the same report in another format.
type reportCopy struct {
	format report.Format
	to     *writeback.Output
}

// A ruleRecord is what check --list-rules --json prints about a rule.
type ruleRecord struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Enabled  bool   `json:"enabled"`
	Title    string `json:"title"`
	Summary  string `json:"summary"`
}

// printRules prints the rules, and which are on in the module that the arguments name.
func (o *checkOptions) printRules(args []string) error {
	dir, err := o.oneModule("list-rules", args)
	if err != nil {
		return err
	}
	want, broken := o.ws.Settings.For(dir)
	if len(broken) > 0 {
		return broken[0]
	}
	isOn := func(r *check.Rule) bool { return want.LooksFor(r.ID) }
	if !o.format.isJSON {
		_, err := io.WriteString(o.ws.Out, term.Rules(check.Rules, isOn, o.ws.Screen(o.ws.Out)))
		return err
	}
	var list []ruleRecord
	for _, r := range check.Rules {
		list = append(list, ruleRecord{r.ID, r.Severity.String(), isOn(r), r.Title, r.Why})
	}
	return writeJSON(o.ws.Out, map[string]any{"rules": list})
}

// oneModule returns the directory of the module that a flag such as --list-rules is about. It refuses several
// modules, and formats other than text and json.
func (o *checkOptions) oneModule(flag string, args []string) (dir string, err error) {
	switch {
	case o.gate.Format != "text" && !o.format.isJSON:
		return "", fmt.Errorf("--%s prints text or json, not %s", flag, o.gate.Format)
	case len(args) > 1 || o.gate.Recursive:
		return "", fmt.Errorf("--%s is about one module; name one PATH, without --recursive", flag)
	}
	_, err = o.ws.Subjects(args, &workspace.Search{}) // refuses a PATH without a module
	return ModuleDir(o.ws, args), err
}

// printSettings prints the settings of the module that the arguments name, each with the file and line, or the flag,
// that sets it.
func (o *checkOptions) printSettings(args []string) error {
	dir, err := o.oneModule("show-settings", args)
	if err != nil {
		return err
	}
	// Collect the settings, and the engine with its source.
	list, broken := o.ws.Settings.Settings(dir, &o.gate.Flags)
	if len(broken) > 0 {
		return broken[0]
	}
	chosen, err := o.ws.Engine(dir)
	if err != nil {
		return err
	}
	// Each file that sets the engine has a setting, From FILE:LINE. All are outranked except for that of the file that
	// chose the engine: chosen.From is its name.
	isChosenBySetting := false
	for i := range list {
		if s := &list[i]; s.Name == "engine" {
			s.Outranked = !strings.HasPrefix(s.From, chosen.From+":")
			isChosenBySetting = isChosenBySetting || !s.Outranked
		}
	}
	if !isChosenBySetting { // a flag, a variable or a version file chose the engine
		list = append([]policy.Setting{{Name: "engine", Value: strconv.Quote(chosen.Release.String()), From: chosen.Reason()}}, list...)
	}
	if o.format.isJSON {
		return writeJSON(o.ws.Out, map[string]any{"settings": list})
	}
	_, err = io.WriteString(o.ws.Out, settingsText(list))
	return err
}

// settingsText returns settings as text, one per line, in columns: NAME = VALUE  # FROM.
func settingsText(list []policy.Setting) string {
	const maxValue = 40 // columns; a longer value doesn't widen the column, it only moves its own comment
	nameWidth, valueWidth := 0, 0
	for _, s := range list {
		nameWidth = max(nameWidth, len(s.Name))
		if n := screen.Columns(s.Value); n <= maxValue {
			valueWidth = max(valueWidth, n)
		}
	}
	var out strings.Builder
	for _, s := range list {
		from := s.From
		if s.Outranked {
			from += ", outranked"
		}
		fmt.Fprintf(&out, "%-*s = %s%s  # %s\n", nameWidth, s.Name, s.Value, strings.Repeat(" ", max(0, valueWidth-screen.Columns(s.Value))), from)
	}
	return out.String()
}

// writeJSON writes a value as indented JSON that is safe to print on a terminal.
func writeJSON(to io.Writer, value any) error {
	text, err := safetext.JSON(value, "  ")
	if err == nil {
		_, err = to.Write(text)
	}
	return err
}
