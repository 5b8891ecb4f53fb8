package command

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/term"
)

// flattenOptions hold the flags of flatten.
type flattenOptions struct {
	ws         *workspace.Workspace
	search     workspace.Search
	newDir     string
	writes     bool
	onlyConfig bool
	force      bool
	sourceMap  string
	isEngineOn bool // --engine is on the command line
}

// NewFlatten returns the command that merges the override files into the primary files.
func NewFlatten(ws *workspace.Workspace, words complete.Words) *cobra.Command {
	o := &flattenOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "flatten [DIR...]",
		Short: "Merge the overrides into the primary files",
		Long: `flatten merges the overrides into the primary files and removes the override files. It
prints a patch; --write changes the files.

--write changes all modules or none, in an order that keeps the meaning of each module intact
at every moment. It refuses files that differ from the last commit, because git couldn't
restore them; --force changes them anyway.

-o NEWDIR writes a new directory instead. It copies everything except .git, .terraform and
state files; with --only-config, nothing but the configuration. With -r, each module keeps its
path below NEWDIR. Several DIRs keep their paths relative to the current directory.

--source-map writes the original file and line of each line to FILE, for programs and for
explain --source-map. A line that an override made maps to the override file.

flatten refuses modules that it can't merge exactly: shadowed primary files, and values that
can't be decided or written. It also refuses overrides that the other engine reads
differently, unless you name your engine with --engine.`,
		Example: `  tofumerge flatten modules/web
  tofumerge flatten modules/web --write
  tofumerge flatten -r infra -o /tmp/flat`,
		RunE: o.run,

		ValidArgsFunction: words.Dirs,
	}
	flags := cmd.Flags()
	searchFlags(cmd, words, &o.search, "flatten all modules below each directory")
	flags.StringVarP(&o.newDir, "output", "o", "", "write to `NEWDIR`, a new or empty directory")
	flags.BoolVar(&o.writes, "write", false, "change the files")
	flags.BoolVar(&o.onlyConfig, "only-config", false, "with -o, copy no other files")
	flags.BoolVar(&o.force, "force", false, "with --write, also change files that git could not restore")
	flags.StringVar(&o.sourceMap, "source-map", "", "write the origin of each line to `FILE`, as JSON")
	words.ForFlag(cmd, "output", words.Dirs)
	return cmd
}

func (o *flattenOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.settle(cmd); err != nil {
		return err
	}
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	r.Done, r.Undone, r.CountsIdle = "merged", "written", true
	f := &flattener{flattenOptions: o, run: r}
	if cmd.Flags().Changed("source-map") {
		if f.lines, err = openMap(o.ws, o.sourceMap); err != nil {
			return err
		}
	}
	if !o.isEngineOn {
		r.Prepare = f.readByOther
	}
	switch {
	case o.writes:
		err = f.rewrite()
	case o.newDir != "":
		err = f.writeTree()
	default:
		r.Undone = "printed"
		err = f.print()
	}
	if err == nil && f.lines != nil {
		err = f.lines.write(o.ws.Warn)
	}
	if err == nil {
		r.Finish()
	}
	return err
}

// settle refuses flags that make no sense together.
func (o *flattenOptions) settle(cmd *cobra.Command) error {
	isChanged := cmd.Flags().Changed
	o.isEngineOn = isChanged("engine")
	switch hasOut := isChanged("output"); {
	case hasOut && o.writes:
		return errors.New("-o writes a new directory and --write the old one; use only one of them")
	case hasOut && o.newDir == "":
		return errors.New("-o needs the name of a directory")
	case o.onlyConfig && !hasOut:
		return errors.New("--only-config limits the copy of -o; use it with -o NEWDIR")
	case o.force && !o.writes:
		return errors.New("--force lets --write change more files; use it with --write")
	case len(o.ws.Overlays)+len(o.ws.Excluded) > 0 && o.writes:
		return errors.New("--write can't be used with --overlay or --exclude-override; use -o NEWDIR")
	}
	return nil
}

// A flattener merges the modules of a run.
type flattener struct {
	*flattenOptions
	run   *workspace.Run
	lines *mapFile // nil without --source-map
}

// merge computes the files of a module.
func (f *flattener) merge(m *workspace.Module) (flat flatModule) {
	if m.Diags.HasErrors() {
		return flat
	}
	flat = newFlatModule(f.ws, m, f.lines != nil)
	other, _ := m.Prepared.(*otherReading)
	if flat.reasons = f.obstacles(m.Module, other, m.Diags, flat.diffs); len(flat.reasons) == 0 {
		flat.reasons = refusals(m, flat.diffs)
	}
	if err := writeback.CheckAside(m.Source.Dir); err != nil {
		flat.reasons = append(flat.reasons, strings.TrimPrefix(err.Error(), "nothing was written: "))
	}
	flat.removed, flat.err = writeback.Removed(m.Source)
	if f.writes && !f.force {
		flat.reasons = append(flat.reasons, f.unsaved(m, append(changed(slices.Clone(flat.diffs)), flat.removed...))...)
	}
	return flat
}

// report reports on a module, and refuses one that can't be flattened.
func (f *flattener) report(m *workspace.Module, flat flatModule) error {
	if m.Diags.HasErrors() {
		return f.run.Report(m, m.Diags)
	}
	if err := f.run.ReportAll(m, flat.shown(f.ws, m)); err != nil {
		return err
	}
	if flat.err != nil {
		return flat.err
	}
	switch reasons := strings.Join(flat.reasons, "; "); {
	case len(flat.reasons) == 0:
		f.run.Describe(m, m.Diags)
		flat.noteCarried(f.ws, m)
		return nil
	case f.run.IsMany:
		f.ws.Message(term.ErrorHead, fmt.Sprintf("%s can't be flattened: %s", diag.Escape(m.Dir), reasons))
		return workspace.ErrReported
	default:
		return fmt.Errorf("nothing was %s: %s", f.run.Undone, reasons)
	}
}

// note adds a module, whose files go to a directory, to the source map.
func (f *flattener) note(m *workspace.Module, to string, flat flatModule) error {
	if f.lines == nil {
		return nil
	}
	f.lines.add(m, to, flat)
	return f.lines.to.Check(m.Source, policy.FileName)
}

// print prints the changes of all modules as one patch.
func (f *flattener) print() error {
	var text bytes.Buffer
	err := workspace.Each(f.run, f.merge, func(m *workspace.Module, flat flatModule) error {
		if err := f.report(m, flat); err != nil {
			return err
		}
		files := append(changed(flat.diffs), flat.removed...)
		if err := f.note(m, m.Dir, flat); err != nil {
			return err
		}
		for _, d := range files {
			d.Name = f.ws.Prefix(m.Source.Dir) + d.Name
		}
		return writePatch(&text, f.ws, files)
	})
	if err == nil {
		_, err = f.ws.Out.Write(text.Bytes())
	}
	return err
}

// rewrite changes the files of all modules, or none.
func (f *flattener) rewrite() error {
	set := replace.NewSet(replace.Options{Warn: f.ws.Warn, Step: f.ws.Interrupt})
	defer set.Close()
	var removed []string
	err := workspace.Each(f.run, f.merge, func(m *workspace.Module, flat flatModule) error {
		if err := f.report(m, flat); err != nil || f.run.Failed > 0 {
			return err
		}
		loading, err := f.ws.OptionsFor(m.Source.Dir)
		if err != nil {
			return err
		}
		if err := f.note(m, m.Dir, flat); err != nil {
			return err
		}
		for _, d := range flat.removed {
			removed = append(removed, diag.Escape(f.ws.Prefix(m.Source.Dir)+d.Name))
		}
		return writeback.InPlace(set, m.Module, flat.diffs, loading, f.ws.Warn)
	})
	if err != nil {
		return err
	}
	if err := set.Run(); err != nil {
		return err
	}
	for _, name := range removed {
		f.ws.Note("removed " + name)
	}
	return nil
}
