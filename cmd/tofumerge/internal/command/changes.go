package command

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// changesOptions holds the flags of changes.
type changesOptions struct {
	ws               *workspace.Workspace
	search           workspace.Search
	format           format
	redact, detailed bool
	full, stat       bool
}

// NewChanges returns the command that lists the overrides' changes, value by value.
func NewChanges(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &changesOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "changes [DIR...]",
		Short: "Show what the overrides change, one value per line",
		Long: `changes prints each argument, map key and list element that overrides change (~), add (+)
or drop (-), with the file and line that does it.

Of a long value it prints only the lines that differ, unless you pass --full.

It compares the effective configuration with the primary files alone, and ignores layout,
comments and the spelling of constants. It never prints secrets.

With -r it leaves out modules in which nothing changes, and prints the same changes of
several modules once, unless you pass -v. --stat prints a line for each module.

One flag names another side, and each value is compared with its value there:

  --since REV     a Git revision; REV:DIR is another directory there, and REV...
                  the commit where the branches parted
  --since A..B    B with A; A...B is B with the commit where the two parted
  --from DIR      the module in DIR; with -r, those below it with the same paths
  --without FILE  the module without an override file: what removing it changes;
                  --exclude-override leaves it out on both sides`,
		Example: `  tofumerge changes modules/web
  tofumerge changes -r . --exclude examples
  tofumerge changes -f markdown modules/* > comment.md
  tofumerge changes -r . --since main
  tofumerge changes production --from staging
  tofumerge changes --without dev_override.tf
  tofumerge changes --json | jq '.changes[].address'`,
		RunE: o.run,

		ValidArgsFunction: words.Dirs,
	}
	flags := cmd.Flags()
	searchFlags(cmd, words, &o.search, "go through all modules below each directory")
	o.format.define(cmd, words, "print `FORMAT`: text, json or markdown", "text", "json", "markdown")
	filterFlag(cmd, words, &o.search, "list only changes at what `GLOBS` match")
	outputFlag(cmd, ws)
	flags.BoolVar(&o.redact, "redact", false, "hide all values that are not effective")
	flags.BoolVar(&o.detailed, "detailed-exitcode", false, "exit with status 2 if there is a change")
	fullFlag(flags, &o.full)
	flags.BoolVar(&o.stat, "stat", false, "print only how much changes, a line for each module")
	sideFlags(cmd, words, &o.search)
	return cmd
}

// run prints the changes in the modules that the arguments name.
func (o *changesOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.settle(cmd); err != nil {
		return err
	}
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	// HidesIdle: overrides without effect change nothing, so no warnings about them are printed.
	r.Done, r.NeedsTotals, r.HidesIdle = "compared", o.format.isJSON, true
	// The output itself ends with the numbers of changes, except in JSON. OutputHasCounts tells the run so: its closing
	// line then leaves them out.
	r.OutputHasCounts = !o.format.isJSON
	phrase, _ := r.Compared()
	v := &changesView{changesOptions: o, view: view{work: r}, markdown: term.NewComment(phrase), known: map[string]int{}}
	// Collect the changes of all modules, then print them.
	if err := cmp.Or(workspace.Each(r, v.textOf, v.add), o.search.CheckMatch()); err != nil {
		return err
	}
	if err := v.write(); err != nil {
		return err
	}
	// Two directories with blocks of the same names: a comparison of the two was probably intended.
	if len(v.names) == 2 && v.names[0] == v.names[1] && v.names[0] != "" {
		o.ws.Note(fmt.Sprintf("Note: %s and %s hold the same names; to compare them, run: tofumerge changes %[2]s --from %[1]s", diag.Escape(args[0]), diag.Escape(args[1])))
	}
	o.ws.NoteHidden("--filter hides", v.hidden, "change")
	r.Finish()
	if o.detailed && v.hasChanges {
		return workspace.ErrFound
	}
	return nil
}

// settle refuses flags that contradict each other.
func (o *changesOptions) settle(cmd *cobra.Command) error {
	if err := o.format.settle(cmd); err != nil {
		return err
	}
	if o.stat && o.format.name != "text" {
		return fmt.Errorf("--stat prints text; use it without --format %s", o.format.name)
	}
	return o.format.refuseFull(o.full)
}

// A changesView collects and prints the result of changes.
type changesView struct {
	*changesOptions
	view
	markdown   *term.Comment
	hasChanges bool
	changed    int            // modules with changes, in a run on several
	hidden     int            // changes that --filter leaves out
	texts      []wordedModule // in the order of the modules
	known      map[string]int // indexes of texts, by the text without the heading
	names      []string       // for each of two named modules: the addresses of its blocks, as one text
}

// A wordedModule is the text output for a module, which is printed once all modules are worded.
type wordedModule struct {
	text    []byte
	heading string   // the first line, if the run is on several modules; otherwise it is in text
	also    []string // other modules with the same changes
}

// textOf returns the changes of one module as text, without printing it, because several modules are worded at the
// same time. The text is empty in other formats and for a module with errors. It is also empty for a module without
// changes to list, if -r is set or --filter hides all of them.
func (v *changesView) textOf(m *workspace.Module) (w wordedModule) {
	// changes doesn't write the module as one file, so warnings about that don't apply.
	m.Diags = slices.DeleteFunc(m.Diags, isForOneFile)
	// Without changes, the text would only say so: that is wanted without -r, unless --filter hides changes.
	isWanted := len(m.Changes()) > 0 || !v.search.Recursive && m.Hidden == 0
	if v.format.name != "text" || m.IsRefused() || !isWanted {
		return w
	}
	w.text = term.Changes(v.changesOf(m), v.ws.Screen(v.ws.Out))
	if v.work.IsMany { // the first line is the title from changesOf
		heading, rest, _ := bytes.Cut(w.text, []byte("\n"))
		w.heading, w.text = string(heading), rest
	}
	return w
}

// changesOf returns the changes of a module as package report takes them. It sets the title to the directory if the
// output covers several modules, and in Markdown.
func (v *changesView) changesOf(m *workspace.Module) report.ModuleChanges {
	list := report.ModuleChanges{
		Against: m.Left.Label(), Redact: wording.NewRedactor(m.Source, v.redact), Full: v.full, Blocks: m.Changes(),
	}
	if v.work.IsMany || v.format.name == "markdown" && m.Dir != "." {
		list.Title = m.Dir
	}
	return list
}

// add adds a module to the output, and prints the messages about it. w is the module's text. If two modules are
// named, add also notes the names of their blocks, so that run can suggest --from.
func (v *changesView) add(m *workspace.Module, w wordedModule) error {
	// The line about the module concerns only the changed items. A nil list would stand for all items.
	m.About = []*merge.MergedItem{}
	for _, b := range m.Changes() {
		for i := range b.Changes {
			m.About = append(m.About, b.Changes[i].Item)
		}
	}
	if err := v.work.Report(m, m.Diags); err != nil {
		return err
	}
	v.hasChanges = v.hasChanges || len(m.Changes()) > 0
	v.hidden += m.Hidden
	// Collect the changes, in the form that the format needs.
	switch {
	case v.format.isJSON:
		if v.report == nil {
			v.report = report.New(m.Source.Engine)
			_, v.report.Sides = v.work.Compared()
			v.report.Changes = []report.ChangeRecord{}
		}
		v.report.Modules = append(v.report.Modules, m.Record())
		list := v.changesOf(m)
		v.report.Changes = append(v.report.Changes, report.Changes(list, m.Dir)...)
		v.ws.Record(v.report, m.Module, m.Diags)
	case v.format.name == "markdown":
		v.markdown.Add(v.changesOf(m))
	case len(w.text) > 0:
		v.keepText(m, w)
	}
	// Note the names of the blocks, if two directories are named without -r and without another side.
	mayNeedFrom := len(v.work.Named) == 2 && !v.search.Recursive && !v.search.AreTwo()
	if mayNeedFrom {
		var names []string
		for _, e := range m.Root.Items {
			names = append(names, address.Of(e).String())
		}
		slices.Sort(names)
		v.names = append(v.names, strings.Join(names, "\n"))
	}
	if v.work.IsMany && len(m.Changes()) > 0 {
		v.changed++
	}
	return nil
}

// keepText keeps the text of a module until addTexts prints it. If an earlier module has the same changes, it only
// adds the directory to that one's also; but only under -r, and not if -v asks for each.
func (v *changesView) keepText(m *workspace.Module, w wordedModule) {
	text := string(w.text)
	if i, isKnown := v.known[text]; isKnown && v.search.Recursive && !v.ws.Verbose {
		v.texts[i].also = append(v.texts[i].also, diag.Escape(m.Dir))
		return
	}
	v.known[text] = len(v.texts)
	v.texts = append(v.texts, w)
}

// addTexts adds the texts of the modules to the output, each below its heading, if any. Under --stat it adds only one
// line for each module: the heading, and the last line of the text, which holds the totals.
func (v *changesView) addTexts() {
	for _, w := range v.texts {
		also := ""
		if n := len(w.also); n > 0 {
			also = fmt.Sprintf("The same changes are in %s: %s; -v lists each.", wording.Count(n, "more module"), wording.Some(w.also, ", "))
			also = v.ws.Screen(v.ws.Out).WrapLine(0, also, "") + "\n"
		}
		if v.stat {
			lines := strings.Split(strings.TrimSuffix(string(w.text), "\n"), "\n")
			v.text.WriteString(strings.TrimSpace(w.heading+" "+lines[len(lines)-1]) + "\n" + also)
			continue
		}
		heading := w.heading
		if heading != "" {
			heading += "\n"
		}
		v.addText([]byte(heading + string(w.text) + also))
	}
}

// write prints the output of all modules. Text ends with a line of totals for several modules, or with the reason why
// it lists no changes.
func (v *changesView) write() error {
	v.addTexts()
	switch {
	case v.format.isJSON:
		v.report.Filtered = v.hidden
	case v.format.name == "markdown":
		v.markdown.Skipped = v.search.Skipped
		return v.markdown.Write(v.ws.Out)
	// Text without changes says why there are none.
	case v.text.Len() == 0 && v.hidden > 0:
		v.text.WriteString("No changes match --filter.\n")
	case v.text.Len() == 0:
		phrase, _ := v.work.Compared()
		v.text.WriteString(noChangesText(phrase) + "\n")
	// Text about several modules ends with the totals.
	case v.changed > 1:
		total := report.Kinds(v.work.Totals.Counts, v.search.AreTwo())
		in := strconv.Itoa(v.changed)
		if all := v.work.Totals.Modules; all > v.changed {
			in += " of " + strconv.Itoa(all)
		}
		fmt.Fprintf(&v.text, "\n%s in %s modules\n", total, in)
	}
	return v.print(v.ws)
}

// noChangesText returns the sentence that nothing changes, as Count words it for a module without changes. phrase is
// that of Run.Compared, such as "since main", or "" without another side.
func noChangesText(phrase string) string {
	_, against, _ := strings.Cut(phrase, " ") // such as main
	return report.ModuleChanges{Against: against}.Count()
}

// isForOneFile reports whether a warning matters only if the module is written as one file, as render does.
func isForOneFile(d *hcl.Diagnostic) bool { return diag.CodeOf(d) == merge.OneFileOnly }
