package command

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/section"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// explainOptions holds the arguments and the flags of explain.
type explainOptions struct {
	ws                *workspace.Workspace
	search            workspace.Search
	format            format
	all, full, redact bool
	asked             []string // the words to explain: addresses, patterns, names, files and FILE:LINE
	dirSuffix         string   // appended to commands that errors propose: a blank and the directory, if one is named
}

// NewExplain returns the command that prints where values come from.
func NewExplain(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &explainOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "explain [DIR] ADDRESS...",
		Short: "Show where a value comes from",
		Long: `explain prints the effective value at each ADDRESS, its file and line, what it replaces,
and the rule that decides.

ADDRESS is an argument, a block or a key, a pattern, a bare name, FILE:LINE, or the name of a
file, for all its effects; "tofumerge help addresses" lists all forms. DIR is the current directory by default.

Of a long value it prints only the lines that differ, unless you pass --full.

For a merged block, explain prints only the parts that overrides touch, unless you pass --all;
--all without an ADDRESS explains the whole module. If a word is both a directory and a name
in the module, write ./WORD for the directory, or . WORD for the name.

With -r, an ADDRESS is looked up in all modules below DIR, and --all without an ADDRESS
explains them all.`,
		Example: `  tofumerge explain aws_instance.web.instance_type
  tofumerge explain modules/web 'aws_instance.*'
  tofumerge explain modules/web/override.tf:7
  tofumerge explain module.network.aws_vpc.main
  tofumerge explain -r . instance_type
  tofumerge explain live/prod var.stage
  tofumerge explain instance_type --json`,
		RunE: o.run,

		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return words.DirOrAddress(cmd, args, word, o.isDir)
		},
	}
	searchFlags(cmd, words, &o.search, "look in all modules below DIR")
	o.format.define(cmd, words, "print `FORMAT`: text or json", "text", "json")
	outputFlag(cmd, ws)
	cmd.Flags().BoolVar(&o.all, "all", false, "also explain parts that no override touches")
	fullFlag(cmd.Flags(), &o.full)
	cmd.Flags().BoolVar(&o.redact, "redact", false, "hide all values that are not effective")
	return cmd
}

// run separates the directory from the words to explain, and explains them in one module or, under -r, in several.
func (o *explainOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.format.settle(cmd); err != nil {
		return err
	}
	if err := o.format.refuseFull(o.full); err != nil {
		return err
	}
	dirs, asked, err := o.splitArgs(args)
	if err != nil {
		return err
	}
	if len(dirs) > 0 && dirs[0] != "." {
		o.dirSuffix = " " + diag.Escape(dirs[0])
	}
	// Refuse what can't be looked up, before any module is read.
	o.asked = asked
	if len(asked) == 0 && !o.all {
		return errNoAddress
	}
	if err := o.search.Check(); err != nil {
		return err
	}
	if i := slices.IndexFunc(asked, isLocation); i >= 0 && o.search.Recursive {
		return fmt.Errorf("%s is in one module; leave -r out", diag.Escape(asked[i]))
	}
	if o.search.Recursive {
		return o.runSearch(dirs)
	}
	return o.runOne(dirs)
}

// An explainView is the output of explain.
type explainView struct {
	*explainOptions
	view
}

// newView selects the modules in dirs, with those below them under -r, and returns an empty output for them.
func (o *explainOptions) newView(dirs []string) (*explainView, error) {
	r, err := o.ws.Select(dirs, &o.search)
	if err != nil {
		return nil, err
	}
	r.Done = "explained"
	return &explainView{explainOptions: o, view: view{work: r}}, nil
}

// runOne explains one module. Errors elsewhere in the module don't stop it, unless a file can't be parsed: what that
// file says is unknown, so any answer may be wrong.
func (o *explainOptions) runOne(dirs []string) error {
	v, err := o.newView(dirs)
	if err != nil {
		return err
	}
	return v.work.Take(func(m *workspace.Module) error {
		if slices.ContainsFunc(m.Source.Files, func(f *source.File) bool { return f.Broken }) {
			return o.ws.Report(m.Source, m.Diags)
		}
		// Find the targets. If there are none, the error says why.
		targets, err := o.findAll(m.Module, m.Source.Dir)
		if err != nil {
			for _, text := range o.asked { // for an address in a called module, another error explains more than err
				if called := calledModuleError(m.Module, text); called != nil {
					return called
				}
			}
			o.warnOfOtherErrors(m.Module, m.Diags) // the requested items may be among those that could not be merged
			return err
		}
		// Print the diagnostics about the targets, and explain these.
		if err := o.reportConcerning(m.Module, targets, m.Diags); err != nil {
			return err
		}
		// Describe prints a line about the module, which counts only items in About. It gets no diagnostics, because
		// the explanation itself shows overrides without effect.
		m.About = itemsOf(targets)
		v.work.Describe(m, nil)
		if !v.format.isJSON { // written bit by bit: the explanation of a whole module may be long
			return v.explanation(m).Write(v.ws.Out, targets)
		}
		v.ws.Heap.ForRewrite(workspace.SizeOf(m.Source)) // collects garbage less often, of which JSON makes much
		v.report = report.New(m.Source.Engine)
		v.ws.Record(v.report, m.Module, m.Diags)
		// Later is an iterator: each history is made when it is written, so that they aren't all in memory.
		v.report.Later = report.Histories(m.Module, wording.NewRedactor(m.Source, v.redact), targets, v.all)
		return v.print(v.ws)
	})
}

// explanation returns the explanation of a module as text, to be written for some targets.
func (v *explainView) explanation(m *workspace.Module) *term.Explanation {
	return term.Explain(m.Module, v.ws.Screen(v.ws.Out), term.ExplainOptions{
		All: v.all, Full: v.full, Redact: v.redact, Highlight: v.ws.Highlights(v.ws.Out),
	})
}

// add adds the explanation of one of several modules to the output: text below a line with its directory, or JSON
// records.
func (v *explainView) add(m *workspace.Module, targets []address.Target, diags hcl.Diagnostics) error {
	if !v.format.isJSON {
		var text bytes.Buffer
		text.WriteString(v.ws.Screen(v.ws.Out).Place(diag.Escape(m.Dir)+":") + "\n")
		err := v.explanation(m).Write(&text, targets)
		v.addText(text.Bytes())
		return err
	}
	dir := v.record(v.ws, m, diags)
	v.report.AddHistories(dir, report.Histories(m.Module, wording.NewRedactor(m.Source, v.redact), targets, v.all))
	return nil
}

// startReport starts the JSON report with the engine of the first module, m. It does nothing for text, and for later
// modules.
func (v *explainView) startReport(m *workspace.Module) {
	if v.format.isJSON && v.report == nil {
		v.report = report.New(m.Source.Engine)
		v.report.Modules, v.report.Histories = []report.ModuleRecord{}, []report.HistoryRecord{}
	}
}

// warnOfOtherErrors warns, in one line, that the engine refuses the module because of something other than the
// targets. others are the diagnostics that aren't about them.
func (o *explainOptions) warnOfOtherErrors(mod *merge.Module, others hcl.Diagnostics) {
	errs := diag.Refusals(others)
	if len(errs) == 0 {
		return
	}
	first := errs[0]
	where := ""
	if first.Subject != nil {
		where = fmt.Sprintf(" at %s:%d", diag.Escape(mod.Source.Shown(first.Subject.Filename)), first.Subject.Start.Line)
	}
	if more := len(errs) - 1; more > 0 {
		where += fmt.Sprintf(", and %s more", wording.Count(more, "error"))
	}
	o.ws.Warn(fmt.Sprintf("%s refuses this module: %s%s; for details, run: tofumerge list%s",
		mod.Source.Engine.Product.Title(), first.Summary, where, o.dirSuffix))
}

// isAboutNoEffect reports whether a diagnostic is the warning that an override has no effect. It would only repeat
// what explain has a row for, and render --annotate a mark.
func isAboutNoEffect(d *hcl.Diagnostic) bool {
	return d.Severity == hcl.DiagWarning && diag.CodeOf(d) == diag.NoEffect
}

// splitByTargets separates the diagnostics about the items of targets, or with errors in the blocks around these,
// from all others.
func splitByTargets(targets []address.Target, diags hcl.Diagnostics) (own, others hcl.Diagnostics) {
	return workspace.Part(diags, lookup.NewConcern(targets).IsAbout)
}

// reportConcerning prints the diagnostics about targets, and one line for errors elsewhere. It returns ErrReported if
// the targets have errors, so that they aren't explained.
func (o *explainOptions) reportConcerning(mod *merge.Module, targets []address.Target, diags hcl.Diagnostics) error {
	own, others := splitByTargets(targets, diags)
	if own.HasErrors() {
		return o.ws.Report(mod.Source, own)
	}
	o.warnOfOtherErrors(mod, others)
	// The explanation itself shows overrides without effect.
	return o.ws.Report(mod.Source, slices.DeleteFunc(own, isAboutNoEffect))
}

// itemsOf returns the merged items that targets are, or are parts of.
func itemsOf(targets []address.Target) (list []*merge.MergedItem) {
	for _, t := range targets {
		list = append(list, t.Item)
	}
	return list
}

// How explain looks for something in all modules below a directory.

// A searchedModule is what a module has of the requested words.
type searchedModule struct {
	targets []address.Target
	isFound []bool     // for each word
	near    [][]string // for each word that isn't found: similar addresses
}

// runSearch explains the requested words in every module that has them or, without words, everything in all modules.
// A word that no module has is an error.
func (o *explainOptions) runSearch(dirs []string) error {
	// A syntax error concerns no module, so it comes first.
	for _, text := range o.asked {
		if err := checkSyntax(text); err != nil {
			return err
		}
	}
	v, err := o.newView(dirs)
	if err != nil {
		return err
	}
	// For each word: whether some module has it, and names that resemble it.
	isFound, near := make([]bool, len(o.asked)), make([][]string, len(o.asked))
	err = workspace.Each(v.work, o.searchIn, func(m *workspace.Module, s searchedModule) error {
		for i, found := range s.isFound {
			isFound[i] = isFound[i] || found
			near[i] = append(near[i], s.near[i]...)
		}
		v.startReport(m)
		return v.addSearched(m, s.targets)
	})
	if err != nil {
		return err
	}
	if i := slices.Index(isFound, false); i >= 0 { // no module has this word
		if len(dirs) == 0 && o.isDir(o.asked[i]) { // a directory that stands after addresses
			return misplacedDirError(o.asked[i], append([]string{"-r"}, o.asked...))
		}
		return notFoundError(o.asked[i], wording.Count(v.work.Totals.Modules, "module"), smallestThree(near[i]), o.listFlags())
	}
	if err := v.print(o.ws); err != nil {
		return err
	}
	v.work.Finish()
	return nil
}

// addSearched adds the explanation of the targets that a search found in a module, and prints the diagnostics about
// them. Of a module without targets, it prints only the errors. It keeps in m.Diags what it prints, for the totals.
func (v *explainView) addSearched(m *workspace.Module, targets []address.Target) error {
	if len(targets) == 0 {
		m.Diags = diag.Refusals(m.Diags)
		return v.ws.Report(m.Source, m.Diags)
	}
	diags, _ := splitByTargets(targets, m.Diags)
	diags = slices.DeleteFunc(diags, isAboutNoEffect)
	m.About = itemsOf(targets)
	if err := v.work.Report(m, diags); err != nil {
		return err
	}
	m.Diags = diags
	return v.add(m, targets, diags)
}

// searchIn finds the requested words in a module, or all declarations if there are no words. It finds nothing in a
// module with errors.
func (o *explainOptions) searchIn(m *workspace.Module) (s searchedModule) {
	s.isFound, s.near = make([]bool, len(o.asked)), make([][]string, len(o.asked))
	switch {
	case m.Diags.HasErrors():
		return s
	case len(o.asked) == 0:
		s.targets = lookup.Top(m.Module)
	}
	for i, text := range o.asked {
		if found, err := o.findTargets(m.Module, text); err == nil {
			s.targets = append(s.targets, found...)
			s.isFound[i] = true
		} else {
			s.near[i] = similar(m.Module, text)
		}
	}
	return s
}

// smallestThree sorts texts in place, and returns the first three different ones.
func smallestThree(texts []string) []string {
	slices.Sort(texts)
	texts = slices.Compact(texts)
	return texts[:min(len(texts), 3)]
}

// checkSyntax refuses a text that is neither an address nor a pattern.
func checkSyntax(text string) error {
	_, err := address.Parse(text)
	if address.IsPattern(text) {
		_, err = address.ParsePattern(text)
	}
	return err
}

// isLocation reports whether a word is FILE:LINE or FILE:LINE:COLUMN.
func isLocation(text string) bool { _, ok := parseLocation(text); return ok }

// cutModuleCall splits an address in a called module into the name of the call and the rest: module.net.aws_vpc.main,
// or module.net[0].aws_vpc.main as a plan prints it, into net and aws_vpc.main. ok is false for any other address.
func cutModuleCall(text string) (name, rest string, ok bool) {
	parts, err := spelling.ReadPath(text)
	if err != nil || len(parts) < 3 || parts[0].Name != "module" || parts[1].IsWild || parts[1].IsIndex() {
		return "", "", false
	}
	isInBrackets := func(p spelling.PathPart) bool { return text[p.Start] == '[' }
	// inside are the parts behind the name of the call, less the key of its instance.
	inside := parts[2:]
	if isInBrackets(inside[0]) { // the key of an instance
		inside = inside[1:]
	}
	if len(inside) == 0 || isInBrackets(inside[0]) {
		return "", "", false
	}
	return parts[1].Name, text[inside[0].Start+1:], true // Start is at the dot, which is left out
}

// calledModuleError returns the error for an address inside a module that this one calls, because that module must be
// explained by itself; nil for other addresses. The error names the command for it.
func calledModuleError(mod *merge.Module, text string) error {
	name, rest, ok := cutModuleCall(text)
	if !ok || !strings.Contains(rest, ".") { // without a dot, rest is an argument of the call itself
		return nil
	}
	called, calls := address.New("module", name), workspace.Calls(mod)
	i := slices.IndexFunc(calls, func(c workspace.Call) bool { return c.Address == called })
	if i < 0 {
		return nil
	}
	dir := calls[i].Local
	if dir == "" {
		return fmt.Errorf("%s is another module, which is not local; run explain %s in the directory that init has installed it in", called, diag.Escape(rest))
	}
	return fmt.Errorf("%s is another module; run: tofumerge explain %s %s", called, section.ModuleWord(mod.Source.Shown(filepath.ToSlash(dir))), diag.Escape(rest))
}
