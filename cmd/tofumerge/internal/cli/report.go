package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/version"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/webpage"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A reportCommand writes a page to look at. What it knows of a module is what check finds
// in it.
type reportCommand struct {
	*app
	workspace.Search
	output string
	config gate.ConfigFlags
	redact bool

	to *writeback.Output // nil for standard output
}

func newReportCommand(a *app) *cobra.Command {
	c := &reportCommand{app: a, Search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "report [DIR...]",
		Short: "Write an HTML page that shows what the overrides do",
		Long: `report writes one HTML page that shows the effective configuration of the modules, with a
colour for each override file, and what each value was.

Lines that are dropped are struck through, lines without effect are in italics, and the
findings of check are at their lines. A filter finds modules, addresses, files, rules and
severities. The page needs no network and no other file.

It hides secrets, and shows nothing of a file that a link out of the repository leads to.
Everything else of the configuration is verbatim. Long runs of unchanged lines are left out
where the page would exceed 5 MB, and the page says so.

A module that can't be merged is on the page with its errors. The page is written all the
same, and the exit status is 1. Findings don't change the exit status.`,
		Example: `  tofumerge report -r . -o overrides.html
  tofumerge report modules/web modules/db > overrides.html`,
		RunE: c.run,

		ValidArgsFunction: a.completeDirFlag,
	}
	flags := cmd.Flags()
	flags.StringVarP(&c.output, "output", "o", "", "write to `FILE`, not to standard output")
	searchFlags(&c.Search, flags, "show all modules below each directory")
	flags.BoolVar(&c.redact, "redact", false, "hide all values that are not effective")
	defineConfig(&c.config, flags)
	a.completeFlag(cmd, "config-from", completeNothing)
	return cmd
}

func (c *reportCommand) run(cmd *cobra.Command, args []string) (err error) {
	if c.to, err = c.app.findOutput(cmd, c.output); err != nil {
		return err
	}
	if c.to == nil && terminal.IsTerminal(c.ws.Out) {
		return errors.New("report writes a page of HTML; to write it to a file, use -o FILE")
	}
	if err := c.app.checkConfig(cmd.Flags(), c.config); err != nil {
		return err
	}
	targets, err := c.dirs(args)
	if err != nil {
		return err
	}
	checker := gate.New(c.ws)
	checker.Format, checker.Config = "text", c.config
	if err := checker.Prepare(); err != nil {
		return err
	}
	sections := make([]*webpage.Section, len(targets))
	results := c.show(checker, targets, sections)
	records, err := c.addUnread(results, targets, sections)
	if err != nil {
		return err
	}
	sections = slices.DeleteFunc(sections, func(s *webpage.Section) bool { return s == nil })
	if err := c.write(webpage.Page{Sections: sections, Version: version.Current().Version, Skipped: c.Skipped}); err != nil {
		return err
	}
	return c.finish(checker.EnginesOf(&report.Report{Modules: records, Engine: checker.EngineOf(results).String()}), sections)
}

// dirs are the directories of the modules.
func (c *reportCommand) dirs(args []string) ([]*workspace.Subject, error) {
	for _, arg := range args {
		if _, ok := c.ws.IsTracked(arg); ok {
			continue
		}
		switch info, err := os.Stat(repo.In(c.ws.Base(), arg)); {
		case os.IsNotExist(err) && arg != "":
			return nil, fmt.Errorf("no such directory: %s", diag.Escape(arg))
		case err == nil && !info.IsDir():
			return nil, fmt.Errorf("%s is not a directory; name the directory of the module", diag.Escape(arg))
		}
	}
	r, err := c.app.newMany(args, &c.Search, "shown")
	if err != nil {
		return nil, err
	}
	return r.targets, nil
}

// show makes the sections of the modules that can be read, several at once. Nothing but its
// section stays of a module.
func (c *reportCommand) show(checker *gate.Gate, targets []*workspace.Subject, sections []*webpage.Section) []gate.Checked {
	numbers := map[*workspace.Subject]int{}
	for i, t := range targets {
		numbers[t] = i
	}
	opts := webpage.Options{Redact: c.redact, Room: webpage.Room(c.withOverrides(targets))}
	checker.Judged = func(in *gate.Inspection) (err error) {
		if err := c.app.checkOutput(c.to, in.Module.Source); err != nil {
			return err
		}
		i := numbers[in.Subject]
		sections[i], err = webpage.Show(webpage.Module{
			Number: i + 1, Dir: filepath.ToSlash(in.Subject.Dir), Merged: in.Module, Diags: in.Diags, Findings: in.Found,
			Silenced: in.Ignores.Silenced,
		}, opts)
		return err
	}
	return checker.Look("shown", targets)
}

// addUnread adds the sections of the modules that can't be read. It returns the records of
// all.
func (c *reportCommand) addUnread(
	results []gate.Checked, targets []*workspace.Subject, sections []*webpage.Section,
) (records []report.ModuleRecord, err error) {
	for i, r := range results {
		switch {
		case r.Err != nil:
			return nil, r.Err
		case r.Record == nil:
			continue
		case sections[i] == nil:
			if sections[i], err = webpage.Unread(i+1, filepath.ToSlash(targets[i].Dir), r.Findings); err != nil {
				return nil, err
			}
		}
		records = append(records, *r.Record)
	}
	return records, nil
}

// withOverrides counts the modules that have override files, by their names alone.
func (c *reportCommand) withOverrides(targets []*workspace.Subject) int {
	n := 0
	for _, t := range targets {
		if discover.MayHoldOverrides(repo.In(c.ws.Base(), t.Dir)) {
			n++
		}
	}
	return n
}

func (c *reportCommand) write(p webpage.Page) error {
	if c.to == nil {
		return p.Write(c.ws.Out)
	}
	var text bytes.Buffer
	if err := p.Write(&text); err != nil {
		return err
	}
	return c.to.Write(text.Bytes(), c.ws.Warn)
}

// finish says what is on the page. Broken modules make the run fail.
func (c *reportCommand) finish(engines string, sections []*webpage.Section) error {
	broken := 0
	var total webpage.Counts
	for _, s := range sections {
		if s.IsBroken {
			broken++
		}
		total.Add(s.Counts)
	}
	c.Finish(c.ws, fmt.Sprintf("%s: %s and %s in %s", engines, wording.Count(total.Files, "override file"),
		wording.Count(total.Findings(), "finding"), wording.Count(len(sections), "module")))
	if broken > 0 {
		return fmt.Errorf("can't merge %s; the page shows why", wording.Count(broken, "module"))
	}
	return nil
}
