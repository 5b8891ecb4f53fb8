package command

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/spf13/cobra"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// flattenOptions holds the flags of flatten.
type flattenOptions struct {
	ws         *workspace.Workspace
	search     workspace.Search
	newDir     string
	writes     bool
	onlyConfig bool
	force      bool
	isEngineOn bool // --engine is on the command line
}

// NewFlatten returns the command that merges the override files into the primary files.
func NewFlatten(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &flattenOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "flatten [DIR...]",
		Short: "Merge the overrides into the primary files",
		Long: `flatten merges the overrides into the primary files and removes the override files. It
prints a patch; --write changes the files.

--write changes all modules or none, and an interrupted run leaves modules that mean the same.
It refuses files that differ from the last commit, because git couldn't
restore them; --force changes them anyway.

-o NEWDIR writes a new directory instead. It copies everything except .git, .terraform and
state files; with --only-config, nothing but the configuration. With -r, each module keeps its
path below NEWDIR. Several DIRs keep their paths relative to the current directory.

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
	words.ForFlag(cmd, "output", words.Dirs)
	return cmd
}

// run refuses flags that contradict each other, and flattens the modules that the arguments name.
func (o *flattenOptions) run(cmd *cobra.Command, args []string) error {
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
	case o.ws.IsWhatIf() && o.writes:
		return errors.New("--write can't be used with --overlay or --exclude-override; use -o NEWDIR")
	}
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	r.Done, r.Undone = "merged", "written"
	f := &flattener{flattenOptions: o, run: r}
	switch {
	case o.writes:
		err = f.rewrite()
	case o.newDir != "":
		err = f.writeTree()
	default:
		r.Undone = "printed"
		err = f.print()
	}
	if err == nil {
		r.Finish()
	}
	return err
}

// A flattener merges the modules of a run.
type flattener struct {
	*flattenOptions
	run *workspace.Run
}

// merge computes the files of a module, and all reasons not to flatten it. It prints nothing.
func (f *flattener) merge(m *workspace.Module) (flat flatModule) {
	if flat = newFlatModule(f.ws, m); m.Diags.HasErrors() {
		return flat
	}
	if flat.reasons = f.obstacles(m.Module, m.Diags, flat.diffs); len(flat.reasons) == 0 {
		flat.reasons = refusals(m, flat.diffs)
	}
	flat.removed, flat.err = writeback.Removed(m.Source)
	if f.writes && !f.force {
		flat.reasons = append(flat.reasons, f.unsaved(m, append(dropUnchanged(slices.Clone(flat.diffs)), flat.removed...))...)
	}
	return flat
}

// report prints the diagnostics of a module. For one that can't be flattened it prints the reasons, or
// returns them as an error if the run has no other module.
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

// print prints the changes of all modules as one patch.
func (f *flattener) print() error {
	var text bytes.Buffer
	err := workspace.Each(f.run, f.merge, func(m *workspace.Module, flat flatModule) error {
		if err := f.report(m, flat); err != nil {
			return err
		}
		files := append(dropUnchanged(slices.Clone(flat.diffs)), flat.removed...)
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
	var done []string
	err := workspace.Each(f.run, f.merge, func(m *workspace.Module, flat flatModule) error {
		if err := f.report(m, flat); err != nil || f.run.Failed > 0 {
			return err
		}
		loading, err := f.ws.OptionsFor(m.Source.Dir)
		if err != nil {
			return err
		}
		for _, d := range dropUnchanged(slices.Clone(flat.diffs)) {
			done = append(done, "wrote "+diag.Escape(f.ws.Prefix(m.Source.Dir)+d.Name))
		}
		for _, d := range flat.removed {
			done = append(done, "removed "+diag.Escape(f.ws.Prefix(m.Source.Dir)+d.Name))
		}
		return writeback.InPlace(set, m.Module, flat.diffs, loading)
	})
	if err != nil {
		return err
	}
	if err := set.Run(); err != nil {
		return err
	}
	for _, text := range done {
		f.ws.Note(text)
	}
	return nil
}

// A flatModule is a module with its overrides merged into its primary files, as flatten and exec write it.
type flatModule struct {
	diffs   []*patch.File     // its primary files with the overrides merged in
	removed []*patch.File     // its override files
	carried []rewrite.Comment // comments of override files for tools, moved to primary files
	reasons []string          // why it can't be flattened
	err     error
}

// newFlatModule computes the files of a module. It adds diagnostics about the wording to m.Diags. A module
// with errors has no files.
func newFlatModule(ws *workspace.Workspace, m *workspace.Module) (flat flatModule) {
	if m.Diags.HasErrors() {
		return flat
	}
	diffs, more := rewrite.Diff(m.Module)
	for i := range diffs {
		diffs[i] = withoutNotices(diffs[i])
	}
	m.Diags = slices.DeleteFunc(append(m.Diags, more...), isForOneFile)
	words := slices.Concat(rewrite.ToolComments, ws.Settings.ToolComments(m.Source.Dir))
	flat.diffs, flat.carried = rewrite.CarryComments(m.Module, diffs, words)
	return flat
}

// withoutNotices removes the comments that name override files, since these are merged now. JSON has no
// comments.
func withoutNotices(d *patch.File) *patch.File {
	if strings.HasSuffix(d.Name, ".json") {
		return d
	}
	text := d.New()
	bare := check.WithoutNotice(text)
	if len(bare) == len(text) {
		return d
	}
	changed := patch.Diff(d.Name, d.Old, []textedit.Edit{textedit.Replace(0, len(d.Old), string(bare))})
	changed.IsNew = d.IsNew
	return changed
}

// shown returns the diagnostics to print: those that nothing silences, and all obstacles. It counts the
// silenced ones.
func (flatModule) shown(ws *workspace.Workspace, m *workspace.Module) hcl.Diagnostics {
	wanted, ignored := ws.Unsilenced(m.Source, m.Diags)
	ws.CountIgnored(slices.DeleteFunc(ignored, func(x check.Suppression) bool { return isObstacle(x.Warning) }))
	return slices.DeleteFunc(slices.Clone(m.Diags), func(d *hcl.Diagnostic) bool {
		return !isObstacle(d) && !slices.Contains(wanted, d)
	})
}

// harmless lists the warnings that don't stop flatten: the module can still be written exactly.
var harmless = []diag.Code{
	diag.NoEffect, computed.DefaultsIgnored, merge.Clearing, merge.Conflicting, merge.OneFileOnly, diag.UnknownBlock,
	diag.NoRegistrySource, diag.IncompatibleModule, diag.OddBytes, rewrite.CommentLost,
}

// isObstacle reports whether a warning is a reason not to flatten.
func isObstacle(d *hcl.Diagnostic) bool {
	return d.Subject != nil && !slices.Contains(harmless, diag.CodeOf(d))
}

// noteCarried lists the comments for tools that moved into primary files: there they may silence findings
// about more than the override's arguments.
func (flat flatModule) noteCarried(ws *workspace.Workspace, m *workspace.Module) {
	if len(flat.carried) == 0 || ws.Quiet {
		return
	}
	const most = 10
	var list []string
	for _, c := range flat.carried[:min(most, len(flat.carried))] {
		list = append(list, fmt.Sprintf("%s:%d (%s)", diag.Escape(ws.Prefix(m.Source.Dir)+c.File), c.Line, c.Address))
	}
	text := strings.Join(list, ", ")
	if more := len(flat.carried) - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	ws.Note(fmt.Sprintf("Note: %s of override files may silence tools for whole blocks and arguments now: %s",
		wording.Count(len(flat.carried), "comment"), text))
}

// How flatten writes modules into a new directory, which is there as a whole or not at all: beside
// it first, under another name.

// A flatTree is the new directory.
type flatTree struct {
	*flattener
	out string
	to  *replace.Building

	places    map[string]bool // paths of the modules in the new directory
	written   map[string]bool // absolute names of the files that modules have
	relatives []relative
	byDir     []string // locations that refer to path.module, one for each module
	hasRest   bool     // directories of modules hold other files
}

// A relative is the source of a module call, relative to the module's directory.
type relative struct{ to, warning string }

// writeTree writes all modules into the new directory, which appears only once it is complete.
func (f *flattener) writeTree() error {
	t := &flatTree{
		flattener: f, out: filepath.Clean(repo.In(f.ws.Base(), f.newDir)), places: map[string]bool{}, written: map[string]bool{},
	}
	for _, dir := range f.run.Named {
		if err := writeback.CheckNewDir(t.out, repo.In(f.ws.Base(), dir), diag.Escape(dir)); err != nil {
			return err
		}
	}
	err := replace.MakeDir(t.out, replace.Options{Warn: f.ws.Warn}, func(b *replace.Building) error {
		t.to = b
		if err := workspace.Each(f.run, t.merge, t.add); err != nil || f.onlyConfig {
			return err
		}
		return t.copyOthers()
	})
	if err == nil {
		if t.hasRest {
			t.ws.Note(diag.Escape(t.newDir) + " holds only the configuration files; to copy the others, leave --only-config out")
		}
		for _, s := range t.relatives {
			if !t.places[s.to] && (t.onlyConfig || !filepath.IsLocal(s.to)) {
				t.ws.Warn(s.warning)
			}
		}
		if n := len(t.byDir); n > 0 {
			t.ws.Warn(fmt.Sprintf("path.module is another directory there, in %s; the first is %s",
				wording.Count(n, "module"), t.byDir[0]))
		}
	}
	return err
}

// add writes the files of a module into the new directory. After a module with errors it writes nothing more:
// the new directory won't remain.
func (t *flatTree) add(m *workspace.Module, flat flatModule) error {
	if err := t.report(m, flat); err != nil || t.run.Failed > 0 {
		return err
	}
	place, err := t.place(m.Dir)
	if err != nil {
		return err
	}
	t.places[place] = true
	to := filepath.Join(t.to.Path, place)
	if err := t.to.Step(func() error { return os.MkdirAll(to, 0o777) }); err != nil {
		return writeback.NotWritten(filepath.Join(t.out, place), err)
	}
	t.remember(m, place)
	return writeback.WriteFiles(t.to, to, m.Source, flat.diffs)
}

// place returns the path of a module in the new directory: relative to the only DIR, or with several to the
// current directory, outside of which a module has none.
func (t *flatTree) place(dir string) (string, error) {
	place := filepath.Join(".", filepath.FromSlash(t.ws.Prefix(repo.In(t.ws.Base(), filepath.FromSlash(dir)))))
	if len(t.run.Named) == 1 {
		rel, err := filepath.Rel(t.run.Named[0], filepath.FromSlash(dir))
		if err != nil {
			return "", err
		}
		place = rel
	}
	if !filepath.IsLocal(place) {
		return "", fmt.Errorf("nothing was written: %s is not below the current directory, so it has no path below %s; "+
			"run tofumerge in a directory above, or use -C", diag.Escape(dir), diag.Escape(t.out))
	}
	return place, nil
}

// remember warns of files that the new directory lacks, and collects what writeTree tells or copies after all
// modules are written.
func (t *flatTree) remember(m *workspace.Module, place string) {
	own := map[string]bool{}
	for _, e := range m.Source.Names {
		if writeback.IsPart(e) {
			own[e.Name] = true
			t.written[filepath.Join(repo.Real(m.Source.Dir), e.Name)] = true
		}
	}
	prefix := diag.Escape(m.Source.Prefix)
	eachRelative(m.Module, func(own address.Address, a *source.Attr, path string) {
		t.relatives = append(t.relatives, relative{filepath.Join(place, filepath.FromSlash(path)), fmt.Sprintf(
			"%s: %s is relative to the module's directory, and the new directory lacks its target; "+
				"flatten both with -r, from a directory that holds them, or change the source", prefix+wording.Place(a), own)})
	})
	product := m.Source.Engine.Product
	for _, e := range m.Source.Names {
		switch {
		case e.Status == load.Shadowed:
			t.ws.Warn(fmt.Sprintf("%s is left out because %s shadows it for %s",
				diag.Escape(m.Source.Prefix+e.Name), diag.Escape(e.By), product.Title()))
		case e.Status == load.Foreign && t.onlyConfig:
			t.ws.Warn(fmt.Sprintf("%s is left out: %s does not read it", diag.Escape(m.Source.Prefix+e.Name), product.Title()))
		}
	}
	if !t.onlyConfig {
		return
	}
	if place, isFound := findPathModule(m.Module); isFound {
		t.byDir = append(t.byDir, prefix+place)
	}
	entries, _ := os.ReadDir(m.Source.Dir)
	t.hasRest = t.hasRest || slices.ContainsFunc(entries, func(d fs.DirEntry) bool {
		return !d.IsDir() && !writeback.IsKept(d.Name()) && !own[d.Name()]
	})
}

// copyOthers copies all files but the configuration of the modules. A directory inside another named one is
// copied with that.
func (t *flatTree) copyOthers() error {
	var roots []string
	for _, dir := range t.run.Named {
		roots = append(roots, repo.Real(repo.In(t.ws.Base(), dir)))
	}
	for i, root := range roots {
		if slices.ContainsFunc(roots, func(other string) bool { return other != root && repo.IsWithin(root, other) }) ||
			slices.Contains(roots[:i], root) {
			continue
		}
		place, err := t.place(t.run.Named[i])
		if err != nil {
			return err
		}
		others := &writeback.DirCopy{
			To: t.to, At: filepath.Join(t.to.Path, place), From: root, Warn: t.ws.Warn,
			IsWritten: func(rel string) bool { return t.written[filepath.Join(root, rel)] },
		}
		if err := others.Copy(); err != nil {
			return err
		}
	}
	return nil
}

// eachRelative visits the effective sources of module calls that are relative to the module's directory.
func eachRelative(m *merge.Module, visit func(own address.Address, a *source.Attr, path string)) {
	isCall := func(f *source.File, i int) bool { return language.HasModuleSource(f.Engine, string(f.TypeOf(i))) }
	address.WalkChosen(m, isCall, (*merge.MergedBody).All, func(own address.Address, e *merge.MergedItem) {
		for _, it := range e.Live {
			a, isAttr := it.(*source.Attr)
			if !isAttr || !language.IsModuleSource(a) {
				continue
			}
			if text, isText := constant.String(a); isText && (strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")) {
				visit(own, a, text)
			}
		}
	})
}

// findPathModule returns the first location at which a module refers to path.module, which is another
// directory after flattening.
func findPathModule(m *merge.Module) (place string, isFound bool) {
	for _, f := range m.Source.Files {
		for i := range f.Len() {
			if !bytes.Contains(f.TextOf(i), []byte("path.module")) {
				continue
			}
			at := f.Block(i).Extent()
			tokens := parse.Tokens(f.Text(at), f.Name, at.Start)
			for i := range len(tokens) - 2 {
				if tokens[i].Type == hclsyntax.TokenIdent && string(tokens[i].Bytes) == "path" &&
					tokens[i+1].Type == hclsyntax.TokenDot && string(tokens[i+2].Bytes) == "module" {
					return diag.Place(f.Place(hcl.RangeBetween(tokens[i].Range, tokens[i+2].Range))), true
				}
			}
		}
	}
	return "", false
}
