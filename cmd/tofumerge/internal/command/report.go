package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/section"
	"github.com/tofumerge/tofumerge/internal/render/webpage"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// reportOptions hold the flags of report.
type reportOptions struct {
	ws      *workspace.Workspace
	search  workspace.Search
	config  gate.ConfigFlags
	onlyNew *workspace.Rev
	redact  bool
	phrase  string // about the other side of a comparison, such as "since main"; empty without one
}

// NewReport returns the command that writes an HTML page, based on the findings of check.
func NewReport(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &reportOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "report [DIR...]",
		Short: "Write an HTML page that shows what the overrides do",
		Long: `report writes one HTML page that shows the effective configuration of the modules, with a
colour for each override file, and the old values.

The marks of render --annotate stand beside the lines, replaced blocks and long old values are
struck through, overrides without effect are in italics, and findings of check appear at their lines.
A filter finds modules, addresses, files, rules and severities. The page needs no network and no other file.

The page hides secrets, and quotes nothing from a link that points outside the repository.
Everything else is verbatim. If the page would exceed 5 MB, it leaves out long runs of
unchanged lines, and shows how many.

With --since REV, --from DIR or --without FILE the page also lists what is not the same on
the other side, as changes does; --only-new REV leaves out findings that the revision has.

A module that can't be merged appears with its errors. The page is still written; the exit
status is 1. Findings don't change the exit status.`,
		Example: `  tofumerge report -r . -o overrides.html
  tofumerge report modules/web modules/db > overrides.html`,
		RunE: o.run,

		ValidArgsFunction: words.Dirs,
	}
	flags := cmd.Flags()
	outputFlag(cmd, ws)
	sideFlags(cmd, words, &o.search)
	onlyNewFlag(cmd, words, &o.search, &o.onlyNew)
	searchFlags(cmd, words, &o.search, "show all modules below each directory")
	flags.BoolVar(&o.redact, "redact", false, "hide all values that are not effective")
	configFlags(cmd, words, &o.config)
	return cmd
}

// run writes the page: first the sections of modules that this side has, then those of modules that only the other
// side has. Modules that can't be read appear with their errors, and make run return a brokenError at the end.
func (o *reportOptions) run(cmd *cobra.Command, args []string) error {
	if terminal.IsTerminal(o.ws.Out) {
		return errors.New("report writes a page of HTML; to write it to a file, use -o FILE")
	}
	if err := checkConfig(cmd, o.ws, o.config); err != nil {
		return err
	}
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	// Below a DIR that doesn't exist here, the revision of --since may have modules.
	mayBeGone := o.search.Recursive && o.search.Since != nil
	if err := o.ws.CheckDirs(args, mayBeGone); err != nil {
		return err
	}
	if r.IsMany && o.onlyNew != nil && o.onlyNew.HasDir {
		return o.onlyNew.ForOneModule("only-new")
	}
	o.phrase, _ = r.Compared()
	// Prepare the search for findings.
	checker := gate.New(o.ws)
	checker.Format, checker.Config, checker.OnlyNew = "text", o.config, o.onlyNew
	if err := checker.Prepare(); err != nil {
		return err
	}
	// past are the modules that only the other side has.
	past, targets := workspace.Part(r.Subjects, func(s *workspace.Subject) bool { return s.IsPast })
	byteLimits := o.byteLimits(r.Subjects)
	sections, results := o.makeSections(r, checker, targets, byteLimits)
	records, err := addUnread(sections, results, targets, byteLimits)
	if err != nil {
		return err
	}
	// Add the modules that only the other side has.
	for _, s := range past {
		shown, err := o.goneSection(r, s, len(sections)+1, byteLimits[s])
		if err != nil {
			return err
		}
		sections = append(sections, shown)
	}
	sections = slices.DeleteFunc(sections, func(s *webpage.Section) bool { return s == nil }) // of no module
	// Write the page.
	engines := checker.EnginesOf(&report.Report{Modules: records, Engine: checker.EngineOf(results).String()})
	page := webpage.Page{
		Sections: sections, LeftOut: gate.LeftOut(results), Version: process.ThisBuild().Version, Skipped: o.search.Skipped,
		Compared: o.phrase, OnlyNew: o.ws.LabelOf(o.onlyNew), Engine: engines, Date: o.pageDate().Format(time.DateOnly),
	}
	page.Repository, page.Revision = o.ws.Origin()
	if err := page.Write(o.ws.Out); err != nil {
		return err
	}
	return o.finish(sections, engines)
}

// addUnread adds a section of errors for each module that can't be read: its section is nil so far. It returns the
// records of all modules. sections and results have the indexes of targets. For a directory without a module, the
// section stays nil.
func addUnread(
	sections []*webpage.Section, results []gate.ModuleReport, targets []*workspace.Subject, byteLimits map[*workspace.Subject]int,
) (records []report.ModuleRecord, err error) {
	for i, result := range results {
		if result.Err != nil {
			return nil, result.Err
		}
		if result.Record == nil { // the directory holds no module
			continue
		}
		records = append(records, *result.Record)
		if sections[i] == nil {
			unread := section.Module{Number: i + 1, Dir: filepath.ToSlash(targets[i].Dir), Room: byteLimits[targets[i]], Unread: result.Findings}
			if sections[i], err = webpage.Show(unread); err != nil {
				return nil, err
			}
		}
	}
	return records, nil
}

// finish ends the run with a line of totals. It returns a brokenError if a module couldn't be merged.
func (o *reportOptions) finish(sections []*webpage.Section, engines string) error {
	broken, files, findings := 0, 0, 0
	for _, s := range sections {
		if s.IsBroken {
			broken++
		}
		files += s.Files
		findings += s.Findings()
	}
	o.search.Finish(o.ws, fmt.Sprintf("%s: %s and %s in %s", engines, wording.Count(files, "override file"),
		wording.Count(findings, "finding"), wording.Count(len(sections), "module")))
	if broken > 0 {
		return brokenError(broken)
	}
	return nil
}

// goneSection makes the section of a module that only the other side of the comparison has. byteLimit is roughly how
// many bytes the section may take.
func (o *reportOptions) goneSection(r *workspace.Run, s *workspace.Subject, number, byteLimit int) (*webpage.Section, error) {
	both, err := r.Compare(s)
	if err != nil {
		return nil, err
	}
	return webpage.Show(section.Module{
		Number: number, Dir: filepath.ToSlash(s.Dir), Merged: both.Module, Diags: both.Diags, IsGone: true,
		Compared: o.phrase, Differences: both.Changes(), Redact: o.redact, Room: byteLimit,
	})
}

// pageDate returns the current time or, for reproducible pages, the one in SOURCE_DATE_EPOCH.
func (o *reportOptions) pageDate() time.Time {
	seconds, err := strconv.ParseInt(o.ws.Env("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return time.Now()
	}
	return time.Unix(seconds, 0).UTC()
}

// byteLimits returns how many bytes of the page the section of each module may take, because browsers open large
// pages slowly. Only modules with override files have much to show. In a comparison others may have changes, too:
// then half of the page is for modules with override files, and half for all others.
func (o *reportOptions) byteLimits(subjects []*workspace.Subject) map[*workspace.Subject]int {
	hasOverrides, with := map[*workspace.Subject]bool{}, 0
	for _, s := range subjects {
		if !s.IsPast && discover.MayHoldOverrides(repo.In(o.ws.Base(), s.Dir)) {
			hasOverrides[s] = true
			with++
		}
	}
	without := len(subjects) - with
	byteLimits := map[*workspace.Subject]int{}
	for _, s := range subjects {
		var sharers int // each gets this fraction of the page, so half a page has twice as many
		switch {
		case !o.search.AreTwo(): // the modules without override files need next to nothing
			sharers = with
		case with == 0 || without == 0: // all are alike
			sharers = len(subjects)
		case hasOverrides[s]:
			sharers = 2 * with
		default:
			sharers = 2 * without
		}
		byteLimits[s] = section.Room(sharers)
	}
	return byteLimits
}

// makeSections returns, by index in targets, the sections of the modules and the results of checking them. The section
// of a module that can't be read is nil. It works on several modules at once, and discards each one once its section
// is made, to save memory.
func (o *reportOptions) makeSections(
	r *workspace.Run, checker *gate.Gate, targets []*workspace.Subject, byteLimits map[*workspace.Subject]int,
) ([]*webpage.Section, []gate.ModuleReport) {
	sections := make([]*webpage.Section, len(targets))
	numbers := map[*workspace.Subject]int{}
	for i, t := range targets {
		numbers[t] = i
	}
	// The checker calls this with each module and its findings.
	checker.Judged = func(in *gate.Inspection) (err error) {
		i := numbers[in.Subject]
		m := section.Module{
			Number: i + 1, Dir: filepath.ToSlash(in.Subject.Dir), Merged: in.Module, Diags: in.Diags, Findings: in.Found,
			Silenced: in.Ignores.Silenced, Compared: o.phrase, Redact: o.redact, Room: byteLimits[in.Subject],
		}
		if o.search.AreTwo() {
			both, err := r.Compare(in.Subject)
			if err != nil {
				return err
			}
			m.Differences = both.Changes()
			// Otherwise one of the two readings could show what the other one hides.
			load.ShareSecrets(both.Module.Source, in.Module.Source)
		}
		sections[i], err = webpage.Show(m)
		return err
	}
	results := checker.Look("shown", targets) // fills sections
	return sections, results
}

// A brokenError counts the modules that can't be merged. The page has been written, and shows their errors.
type brokenError int

// Error implements error.
func (n brokenError) Error() string {
	return fmt.Sprintf("can't merge %s; the page shows why", wording.Count(int(n), "module"))
}
