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
	ws            *workspace.Workspace
	search        workspace.Search
	newDir        string // of -o
	writes        bool   // --write
	onlyConfig    bool
	force         bool
	isEngineNamed bool // --engine is on the command line
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
	o.isEngineNamed = isChanged("engine")
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
	// Flatten in place, into a new directory, or as a patch.
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

// A flattener merges the overrides of the modules of a run into their primary files.
type flattener struct {
	*flattenOptions
	run *workspace.Run
}

// merge computes the flattened files of a module, and all reasons not to flatten it. It prints nothing, because
// several modules are merged at the same time.
func (f *flattener) merge(m *workspace.Module) (flat flatModule) {
	flat = newFlatModule(f.ws, m)
	if m.Diags.HasErrors() {
		return flat
	}
	// Only a module without other obstacles is loaded again, to see whether the engine accepts the new files.
	if flat.reasons = f.obstacles(m.Module, m.Diags, flat.diffs); len(flat.reasons) == 0 {
		flat.reasons = refusals(m, flat.diffs)
	}
	flat.removed, flat.err = writeback.Removed(m.Source)
	if f.writes && !f.force {
		flat.reasons = append(flat.reasons, f.unsaved(m, flat.changes())...)
	}
	return flat
}

// report prints the messages about a module. If the module can't be flattened, report prints the reasons and returns
// ErrReported, so that the run continues with the next module; in a run on a single module it returns the reasons as
// an error.
func (f *flattener) report(m *workspace.Module, flat flatModule) error {
	if m.Diags.HasErrors() {
		return f.run.Report(m, m.Diags)
	}
	if err := f.run.ReportAll(m, shownDiagnostics(f.ws, m)); err != nil {
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

// print prints the changes of all modules as one patch, for flatten without -o and --write.
func (f *flattener) print() error {
	var text bytes.Buffer
	err := workspace.Each(f.run, f.merge, func(m *workspace.Module, flat flatModule) error {
		if err := f.report(m, flat); err != nil {
			return err
		}
		files := flat.changes()
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

// rewrite changes the files of all modules in place, or none, for flatten --write.
func (f *flattener) rewrite() error {
	set := replace.NewSet(replace.Options{Warn: f.ws.Warn, Step: f.ws.Interrupt})
	defer set.Close()
	var done []string // messages, printed once all changes are made
	err := workspace.Each(f.run, f.merge, func(m *workspace.Module, flat flatModule) error {
		if err := f.report(m, flat); err != nil || f.run.Failed > 0 { // after a failure nothing will be written
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

// changes returns the files that flatten changes or removes. Unlike in diffs, no file is unchanged.
func (flat flatModule) changes() []*patch.File {
	return append(dropUnchanged(slices.Clone(flat.diffs)), flat.removed...)
}

// newFlatModule computes the flattened files of a module; none for a module with errors. It adds to m.Diags what
// can't be written exactly.
func newFlatModule(ws *workspace.Workspace, m *workspace.Module) (flat flatModule) {
	if m.Diags.HasErrors() {
		return flat
	}
	diffs, more := rewrite.Diff(m.Module)
	// Comments that announce override files would be wrong in the merged files.
	for i := range diffs {
		diffs[i] = withoutNotices(diffs[i])
	}
	// The module isn't written as one file, so warnings about that don't apply.
	m.Diags = slices.DeleteFunc(append(m.Diags, more...), isForOneFile)
	// Comments such as tflint-ignore must stay beside what they are about.
	words := slices.Concat(rewrite.ToolComments, ws.Settings.ToolComments(m.Source.Dir))
	flat.diffs, flat.carried = rewrite.CarryComments(m.Module, diffs, words)
	return flat
}

// withoutNotices removes comments that announce override files, such as the ones that the rule unmarked-override asks
// for, because the overrides are merged now. JSON has no comments.
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

// shownDiagnostics returns the diagnostics to print: those that no comment silences, and all obstacles, silenced or
// not, since they explain a refusal. It counts the silenced ones for the note at the end of the run.
func shownDiagnostics(ws *workspace.Workspace, m *workspace.Module) hcl.Diagnostics {
	wanted, ignored := ws.Unsilenced(m.Source, m.Diags)
	ws.CountIgnored(slices.DeleteFunc(ignored, func(x check.Suppression) bool { return isObstacle(x.Warning) }))
	return slices.DeleteFunc(slices.Clone(m.Diags), func(d *hcl.Diagnostic) bool {
		return !isObstacle(d) && !slices.Contains(wanted, d)
	})
}

// harmlessWarnings lists the warnings in spite of which flatten can write a module exactly.
var harmlessWarnings = []diag.Code{
	diag.NoEffect, computed.DefaultsIgnored, merge.Clearing, merge.Conflicting, merge.OneFileOnly, diag.UnknownBlock,
	diag.NoRegistrySource, diag.IncompatibleModule, diag.OddBytes, rewrite.CommentLost,
}

// isObstacle reports whether a warning is a reason not to flatten: the part of the module that it points to can't be
// written exactly.
func isObstacle(d *hcl.Diagnostic) bool {
	return d.Subject != nil && !slices.Contains(harmlessWarnings, diag.CodeOf(d))
}

// noteCarried lists the comments for tools, such as tflint-ignore, that moved from override files to primary files.
// There they may silence more than before: findings about the whole item instead of the override's arguments.
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

// A flatTree is the new directory of flatten -o.
type flatTree struct {
	*flattener
	out string            // its path
	to  *replace.Building // its contents, under another path until all are written

	modulePaths     map[string]bool // relative paths of the modules in the new directory
	written         map[string]bool // absolute paths of the modules' configuration files, which copyOthers skips
	relativeSources []relativeSource
	pathModuleRefs  []string // with --only-config: a location in each module that refers to path.module
	lacksFiles      bool     // with --only-config: some directory has files that are left out
}

// A relativeSource is the source of a module call that starts with ./ or ../: to is its target, as a path in the new
// directory, and warning is for a target that is missing there.
type relativeSource struct{ to, warning string }

// writeTree writes all modules into the new directory, for flatten -o. The directory appears only once it is
// complete.
func (f *flattener) writeTree() error {
	t := &flatTree{
		flattener: f, out: filepath.Clean(repo.In(f.ws.Base(), f.newDir)), modulePaths: map[string]bool{}, written: map[string]bool{},
	}
	for _, dir := range f.run.Named {
		if err := writeback.CheckNewDir(t.out, repo.In(f.ws.Base(), dir), diag.Escape(dir)); err != nil {
			return err
		}
	}
	// Write the modules, then the other files of their directories.
	err := replace.MakeDir(t.out, replace.Options{Warn: f.ws.Warn}, func(b *replace.Building) error {
		t.to = b
		if err := workspace.Each(f.run, t.merge, t.add); err != nil || f.onlyConfig {
			return err // after success, nil: --only-config leaves out the other files
		}
		return t.copyOthers()
	})
	if err != nil {
		return err
	}
	if t.lacksFiles {
		t.ws.Note(diag.Escape(t.newDir) + " holds only the configuration files; to copy the others, leave --only-config out")
	}
	// Warn of the sources that lead to nothing from the new directory.
	for _, s := range t.relativeSources {
		isFlattened, isCopied := t.modulePaths[s.to], !t.onlyConfig && filepath.IsLocal(s.to)
		if !isFlattened && !isCopied {
			t.ws.Warn(s.warning)
		}
	}
	if n := len(t.pathModuleRefs); n > 0 {
		t.ws.Warn(fmt.Sprintf("path.module is another directory there, in %s; the first is %s",
			wording.Count(n, "module"), t.pathModuleRefs[0]))
	}
	return nil
}

// add writes the flattened files of a module into the new directory. After a module with errors it writes nothing
// more, because the new directory is discarded then.
func (t *flatTree) add(m *workspace.Module, flat flatModule) error {
	if err := t.report(m, flat); err != nil || t.run.Failed > 0 {
		return err
	}
	place, err := t.modulePath(m.Dir)
	if err != nil {
		return err
	}
	t.modulePaths[place] = true
	to := filepath.Join(t.to.Path, place)
	if err := t.to.Step(func() error { return os.MkdirAll(to, 0o777) }); err != nil {
		return writeback.NotWritten(filepath.Join(t.out, place), err)
	}
	t.warnOfLeftOut(m)
	t.remember(m, place)
	return writeback.WriteFiles(t.to, to, m.Source, flat.diffs)
}

// modulePath returns the relative path that a module gets in the new directory: its path from the only DIR or, with
// several, from the current directory. With several, a module outside of the current directory is an error.
func (t *flatTree) modulePath(dir string) (string, error) {
	path := filepath.FromSlash(dir)
	place := filepath.Join(".", filepath.FromSlash(t.ws.Prefix(repo.In(t.ws.Base(), path)))) // from the current directory
	if len(t.run.Named) == 1 {
		var err error
		if place, err = filepath.Rel(t.run.Named[0], path); err != nil {
			return "", err
		}
	}
	if !filepath.IsLocal(place) {
		return "", fmt.Errorf("nothing was written: %s is not below the current directory, so it has no path below %s; "+
			"run tofumerge in a directory above, or use -C", diag.Escape(dir), diag.Escape(t.out))
	}
	return place, nil
}

// remember collects what writeTree can say about a module only once all modules are written, and the files that
// copyOthers must not copy. place is the module's path in the new directory.
func (t *flatTree) remember(m *workspace.Module, place string) {
	ownFiles := map[string]bool{}
	for _, e := range m.Source.Names {
		if writeback.IsPart(e) {
			ownFiles[e.Name] = true
			t.written[filepath.Join(repo.Real(m.Source.Dir), e.Name)] = true
		}
	}
	// Relative sources may lead to modules that are written later.
	prefix := diag.Escape(m.Source.Prefix)
	eachRelativeSource(m.Module, func(own address.Address, a *source.Attr, path string) {
		t.relativeSources = append(t.relativeSources, relativeSource{filepath.Join(place, filepath.FromSlash(path)), fmt.Sprintf(
			"%s: %s is relative to the module's directory, and the new directory lacks its target; "+
				"flatten both with -r, from a directory that holds them, or change the source", prefix+wording.Place(a), own)})
	})
	if !t.onlyConfig {
		return
	}
	// With --only-config, the files that the module may read through path.module aren't in the new directory.
	if ref, isFound := findPathModule(m.Module); isFound {
		t.pathModuleRefs = append(t.pathModuleRefs, prefix+ref)
	}
	entries, _ := os.ReadDir(m.Source.Dir)
	t.lacksFiles = t.lacksFiles || slices.ContainsFunc(entries, func(d fs.DirEntry) bool {
		return !d.IsDir() && !writeback.IsKept(d.Name()) && !ownFiles[d.Name()]
	})
}

// warnOfLeftOut warns of configuration files of a module that the new directory lacks. A shadowed file is never
// copied: another file has its place. One that only the other product reads is copied, except with --only-config.
func (t *flatTree) warnOfLeftOut(m *workspace.Module) {
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
}

// copyOthers copies all files that aren't configuration of the modules from the DIRs. A DIR inside another one is
// skipped, because it is copied with that.
func (t *flatTree) copyOthers() error {
	var roots []string
	for _, dir := range t.run.Named {
		roots = append(roots, repo.Real(repo.In(t.ws.Base(), dir)))
	}
	for i, root := range roots {
		// Skip a DIR that is named twice, or inside another one.
		isInside := func(other string) bool { return other != root && repo.IsWithin(root, other) }
		isRepeated := slices.Contains(roots[:i], root)
		if isRepeated || slices.ContainsFunc(roots, isInside) {
			continue
		}
		place, err := t.modulePath(t.run.Named[i])
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

// eachRelativeSource calls visit for each module call whose effective source starts with ./ or ../: with the address
// of the argument source, the argument itself, and its value.
func eachRelativeSource(m *merge.Module, visit func(addr address.Address, a *source.Attr, path string)) {
	isCall := func(f *source.File, i int) bool { return language.HasModuleSource(f.Engine, string(f.TypeOf(i))) }
	// The walk visits everything in the calls, so look for their sources.
	address.WalkChosen(m, isCall, (*merge.MergedBody).All, func(addr address.Address, e *merge.MergedItem) {
		for _, it := range e.Live { // the effective ones
			a, isAttr := it.(*source.Attr)
			if !isAttr || !language.IsModuleSource(a) {
				continue
			}
			if text, isText := constant.String(a); isText && (strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")) {
				visit(addr, a, text)
			}
		}
	})
}

// findPathModule returns the first location at which a module refers to path.module. In the new directory, that
// expression names another directory than before.
func findPathModule(m *merge.Module) (place string, isFound bool) {
	for _, f := range m.Source.Files {
		for block := range f.Len() {
			if !bytes.Contains(f.TextOf(block), []byte("path.module")) { // quick, and rules out most blocks
				continue
			}
			at := f.Block(block).Extent()
			// The text may be in a string or a comment, so look for the three tokens.
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
