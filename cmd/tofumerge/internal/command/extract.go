package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// extractOptions holds the arguments and the flags of extract.
type extractOptions struct {
	ws                  *workspace.Workspace
	since, out, newFile string
	into                string        // of --into: an override file to extend
	revision            workspace.Rev // of since, unless that is the index
	format              format
	isFormatSet         bool
	write               bool
}

// NewExtract returns the command that makes an override file of an edit.
func NewExtract(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &extractOptions{ws: ws}
	cmd := &cobra.Command{
		Use:   "extract {--since REV | BASE EDITED}",
		Short: "Turn an edit into an override file",
		Long: `extract prints the smallest override file that turns a module into its edited copy. It
merges the result and compares it before it prints.

--since compares DIR with a Git revision; :0 stands for the index. BASE and EDITED are two
directories.

Override files stay as edited and are merged on both sides. The new file must be applied
last; extract suggests a suitable name. --into adds to an existing override file instead and
keeps the rest of its bytes; it prints a patch, which --write applies.

Edits that no override can express are listed on standard error with the reason. The status
is then 2, and the override for the remaining edits is printed.

With --since, --write also reverts the edits of primary files that the override expresses.
Comments, layout and all other edits stay.`,
		Example: `  tofumerge extract --since HEAD
  tofumerge extract modules/vpc --since HEAD -o modules/vpc/z_patch_override.tf
  tofumerge extract --since HEAD -o z_local_override.tf --write
  tofumerge extract vendor/vpc edited/vpc
  tofumerge extract --since HEAD --into local_override.tf --write`,
		Args: o.arguments,
		RunE: o.run,

		ValidArgsFunction: words.Dirs,
	}
	flags := cmd.Flags()
	flags.StringVar(&o.since, "since", "", "extract what changed since the revision `REV[:DIR]`")
	flags.StringVarP(&o.out, "output", "o", "", "write the override to `FILE`, which must not exist")
	flags.StringVar(&o.into, "into", "", "add to `FILE`, an override file of the module")
	flags.StringVar(&o.newFile, "new-file", "", "with -o or --into, write new blocks to `FILE` beside it")
	flags.BoolVar(&o.write, "write", false, "change the files; with --since, revert the expressed edits")
	o.format.define(cmd, words, "print `FORMAT`: hcl or json", "hcl", "json")
	words.ForFlag(cmd, "since", words.Revisions)
	return cmd
}

// arguments refuses a wrong number of directories: at most one with --since, otherwise two.
func (o *extractOptions) arguments(cmd *cobra.Command, args []string) error {
	isSince := cmd.Flags().Changed("since")
	switch {
	case isSince && len(args) > 1:
		return fmt.Errorf("--since compares one directory with itself; %s got %d (%s)", cmd.CommandPath(), len(args), diag.Escape(strings.Join(args, ", ")))
	case !isSince && len(args) != 2:
		return fmt.Errorf("extract needs --since REV, or two directories: BASE EDITED; it got %d", len(args))
	}
	return nil
}

// refuse refuses flags that contradict each other, and parses the revision of --since.
func (o *extractOptions) refuse(cmd *cobra.Command) error {
	hasOut := cmd.Flags().Changed("output")
	o.isFormatSet = cmd.Flags().Changed("format") || cmd.Flags().Changed("json")
	for _, name := range []string{"into", "new-file"} {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return fmt.Errorf("--%s needs a name; to do without, leave the flag out", name)
		}
	}
	switch {
	case hasOut && (o.out == "" || o.out == "-"):
		return errors.New("-o needs the name of a file; for standard output, leave it out")
	case hasOut && o.into != "":
		return errors.New("-o writes a new file and --into extends an existing one; use only one of them")
	case o.write && o.into == "" && (o.since == "" || !hasOut):
		return errors.New("--write needs --into FILE, or -o FILE and --since REV, to which it reverts the edits")
	case o.newFile != "" && !hasOut && o.into == "":
		return errors.New("--new-file needs -o or --into: the two files are written together")
	case o.newFile != "" && o.write && o.since != "":
		return errors.New("--write keeps new blocks in their files; use it without --new-file")
	case o.newFile != filepath.Base(o.newFile) && o.newFile != "":
		return fmt.Errorf("--new-file takes a name without a directory, not %s; the file is written to the directory of -o", diag.Escape(o.newFile))
	case o.ws.IsWhatIf():
		return errors.New("extract compares modules as they are; leave out --overlay and --exclude-override")
	}
	if cmd.Flags().Changed("since") && o.since != workspace.IndexRev {
		name, err := workspace.ParseLeft("since", o.since)
		if err != nil {
			return err
		}
		o.revision = name
	}
	return o.format.settle(cmd)
}

// run finds the override with which BASE means what EDITED does, and lists the edits that no override can express.
// Then it prints the override or a patch, or writes the files. If edits remain, it returns ErrFound, and the exit
// status is 2.
func (o *extractOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.refuse(cmd); err != nil {
		return err
	}
	s, err := o.loadSides(args)
	if err != nil {
		return err
	}
	name, err := s.chooseName(o)
	if err != nil {
		return err
	}
	r, err := extract.Find(s.base, s.edited, extract.Options{
		Name: name, NewFile: o.newFile, Load: s.loadBase,
		Write: func(name string, parts []*merge.Part) ([]byte, hcl.Diagnostics) {
			// --into extends an existing file; any other is new.
			if name == s.into {
				return rewrite.Into(s.base.File(name), s.edited, parts, s.loadAlone)
			}
			return rewrite.Made(s.edited, name, parts)
		},
	})
	if err != nil {
		return o.reportRefusal(s, err)
	}
	// List the remaining edits, and print or write the result.
	if err := o.ws.Report(s.edited, r.Diags); err != nil {
		return err
	}
	o.listLeftEdits(s, r)
	switch {
	case o.out != "" || o.write:
		err = o.writeFiles(s, r)
	case len(r.Texts) == 0:
		o.ws.Note("Note: there is nothing to override" + s.besides)
	case o.into != "":
		err = o.printPatch(s, r.Texts)
	default:
		err = o.print(r.Texts[name])
	}
	if err == nil && len(r.Left) > 0 {
		return workspace.ErrFound
	}
	return err
}

// reportRefusal prints the errors of the module that the engine refuses. It returns the error that ends the run: err
// itself if it is about something else.
func (o *extractOptions) reportRefusal(s *extractSides, err error) error {
	var refused *extract.RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	m := s.edited // also for BASE with the override: its override files are those of EDITED
	if refused.Of == extract.Base {
		m = s.base
	}
	reported := o.ws.ReportAll(m, refused.Diags)
	// Errors of BASE or EDITED explain themselves; those of BASE with the override need a sentence.
	if refused.Of == extract.Merged {
		return errors.New("nothing was printed: the engine refuses the original with the override; see the errors")
	}
	return reported // the errors are printed already
}

// printPatch prints a patch for --into. texts are the texts of the files that it changes, by name: the extended
// override file, and the file of new blocks.
func (o *extractOptions) printPatch(s *extractSides, texts map[string][]byte) error {
	var files []*patch.File
	prefix := o.ws.Prefix(filepath.Dir(repo.In(o.ws.Base(), o.into)))
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		var was []byte
		if name == s.into {
			was = s.base.File(name).Raw
		}
		d := patch.Diff(prefix+name, was, []textedit.Edit{textedit.Replace(0, len(was), string(texts[name]))})
		d.IsNew = name != s.into
		files = append(files, d)
	}
	return writePatch(o.ws.Out, o.ws, files)
}

// print writes the override to standard output, coloured as render colours configuration.
func (o *extractOptions) print(text []byte) error {
	out := o.ws.Out
	if !o.format.isJSON && o.ws.Highlights(out) {
		text = screen.Painter{Palette: o.ws.Screen(out).Palette}.Paint(text)
	}
	_, err := out.Write(text)
	return err
}

// listLeftEdits warns of the edits that no override expresses. Each warning is about the module that has the lines.
// It also notes edits that don't change the meaning of the module.
func (o *extractOptions) listLeftEdits(s *extractSides, r *extract.Result) {
	// Separate the warnings about EDITED from those about BASE.
	var edited, base hcl.Diagnostics
	for _, l := range r.Left {
		d := leftWarning(l, o)
		if l.Kind == extract.Removed {
			base = append(base, d) // EDITED no longer has these lines
		} else {
			edited = append(edited, d)
		}
	}
	slices.SortStableFunc(edited, byPlace)
	slices.SortStableFunc(base, byPlace)
	_ = o.ws.Report(s.edited, edited) // no warning is an error
	_ = o.ws.Report(s.base, base)
	// Note the edits that change no meaning.
	var ignored []string
	for _, d := range r.Idle { // edits of items that the engine ignores anyway
		ignored = append(ignored, diag.Escape(d.Address.String()))
	}
	if n := len(ignored); n > 0 {
		edits := "that edit is"
		if n > 1 {
			edits = "those edits are"
		}
		o.ws.Note(fmt.Sprintf("Note: %s ignores %s in every file, so %s left out", s.edited.Engine.Title(), wording.Some(ignored, ", "), edits))
	}
	if o.write {
		return // revertEdits lists the edits that stay
	}
	// Note the edits that change no effective value. TakeBack finds them; it writes nothing.
	for _, f := range r.TakeBack() {
		for _, h := range f.Hunks {
			if h.Why == extract.OutOfEffect { // h.From counts lines from 0
				o.ws.Note(fmt.Sprintf("Note: the edit at %s:%d is left out: %s", diag.Escape(s.edited.Prefix+f.Name), h.From+1, h.Reason()))
			}
		}
	}
}

// byPlace orders diagnostics by file and line.
func byPlace(a, b *hcl.Diagnostic) int {
	return cmp.Or(strings.Compare(a.Subject.Filename, b.Subject.Filename), cmp.Compare(a.Subject.Start.Line, b.Subject.Start.Line))
}

// leftWarning returns the warning for an edit that no override expresses: why, and what the user can do instead.
func leftWarning(l *extract.Remainder, o *extractOptions) *hcl.Diagnostic {
	summaries := []string{"Changed, but not in the override", "New, but not in the override", "Removed, but still there with the override"}
	summary := summaries[l.Kind] // the kinds are: changed, added, removed
	text := diag.Escape(l.Address.String()) + ": " + l.Why()
	switch {
	case l.CanBeNew && o.newFile == "" && !o.write:
		text += " To write it to a new primary file, use --new-file."
	case l.CanBeNull:
		text += fmt.Sprintf(" For a provider, null is the same: write %s = null.", diag.Escape(l.Item().Called()))
	}
	return &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: text, Subject: new(source.Where(l.Item()))}
}

// writeFiles writes the override and the file of new blocks. Under --write with --since it also reverts the edits
// that the override expresses. It changes all files or none.
func (o *extractOptions) writeFiles(s *extractSides, r *extract.Result) error {
	if len(r.Texts) == 0 {
		o.ws.Note("Note: there is nothing to override, so no file was written" + s.besides)
		return nil
	}
	dir := filepath.Dir(repo.In(o.ws.Base(), cmp.Or(o.out, o.into)))
	if o.write && o.since != "" && !repo.IsSameFile(dir, s.edited.Dir) {
		return fmt.Errorf("nothing was written: with --write the override belongs beside the files that are edited, in %s", diag.Escape(s.edited.Dir))
	}
	// Collect the changes of all files, and make them together.
	set := replace.NewSet(replace.Options{Warn: o.ws.Warn, Step: o.ws.Interrupt})
	defer set.Close()
	for _, made := range slices.Sorted(maps.Keys(r.Texts)) {
		if err := s.addFile(set, dir, made, r.Texts[made]); err != nil {
			return err
		}
	}
	if o.write && o.since != "" {
		if err := o.revertEdits(set, s, r); err != nil {
			return err
		}
	}
	return set.Run()
}

// addFile adds the writing of a file in dir to a set of changes: a new file, or the file of --into with its longer
// text.
func (s *extractSides) addFile(set *replace.Set, dir, name string, text []byte) error {
	path := filepath.Join(dir, name)
	if name == s.into {
		return writeback.Rewrite(set, dir, path, name, s.base.File(name).Raw, text)
	}
	if err := set.Create(path, diag.Escape(name), text); err != nil {
		return writeback.NotWritten(name, err)
	}
	return nil
}

// revertEdits adds changes to a set by which the primary files lose the edits that the override expresses. It first
// proves that the module, with the override, keeps its meaning, and notes the edits that stay. The set must hold the
// override already, so that it is written first: then the module means the same after each written file.
func (o *extractOptions) revertEdits(set *replace.Set, s *extractSides, r *extract.Result) error {
	files := filesOf(s.edited) // the files as they will be
	maps.Copy(files, r.Texts)
	restored := r.TakeBack()
	for _, f := range restored {
		files[f.Name] = f.Text
	}
	// Prove that these texts mean what EDITED means.
	opts := s.options
	opts.Contents = files
	if err := r.Prove(func() (*load.Module, error) {
		src, diags, err := load.Dir(s.edited.Dir, opts)
		if err == nil && diags.HasErrors() {
			err = diags
		}
		return src, err
	}); err != nil {
		return err
	}
	for _, f := range restored {
		was := s.edited.File(f.Name)
		for _, h := range f.Hunks {
			if !h.IsBack { // the edit isn't taken back; h.From counts lines from 0
				o.ws.Note(fmt.Sprintf("Note: %s:%d keeps its edit: %s", diag.Escape(f.Name), h.From+1, h.Reason()))
			}
		}
		if bytes.Equal(was.Raw, f.Text) {
			continue
		}
		if err := writeback.Rewrite(set, s.edited.Dir, was.Path, f.Name, was.Raw, f.Text); err != nil {
			return err
		}
	}
	for _, f := range s.edited.Files {
		// The proof holds only for these texts: if a file has changed since, nothing is written.
		set.Expect(f.Path, diag.Escape(f.Name), f.Raw)
	}
	return nil
}

// The two modules of extract. Both are kept in memory as they were read: the proof is about these
// texts, and a file that changes meanwhile is detected when it is written.

// extractSides holds the two modules that extract compares: EDITED, and BASE with the override files of EDITED.
type extractSides struct {
	baseName     string // as the user wrote it
	baseDir      string
	base, edited *load.Module
	options      load.Options
	files        map[string][]byte // the files of base, by name
	names        []string          // the names of files, sorted
	into         string            // the name of the file of --into; empty if a new file is written
	besides      string            // what to add to "there is nothing to override"
}

// loadSides loads both modules, and reports their errors. BASE gets the override files of EDITED instead of its own,
// because the new override must work together with them.
func (o *extractOptions) loadSides(args []string) (s *extractSides, err error) {
	s = &extractSides{baseName: "."}
	if len(args) > 0 {
		s.baseName = args[0]
	}
	s.baseDir = repo.In(o.ws.Base(), s.baseName)
	editedDir := s.baseDir // with --since, both are states of one directory
	if len(args) == 2 {
		editedDir = repo.In(o.ws.Base(), args[1])
	}
	// Load EDITED.
	if s.options, err = o.ws.OptionsFor(editedDir); err != nil {
		return nil, err
	}
	s.options.Cache = load.NewCache() // the two have most blocks in common
	edited, diags, err := load.Dir(editedDir, s.options)
	if err != nil {
		return nil, err
	}
	if len(args) == 2 {
		edited.Prefix = filepath.ToSlash(args[1]) + "/"
	}
	if err := o.ws.Report(edited, diag.Errors(diags)); err != nil {
		return nil, err
	}
	s.edited = edited
	// Collect the primary files of BASE, and the override files of EDITED.
	files, prefix, err := o.baseFiles(s)
	if err != nil {
		return nil, err
	}
	s.files = extract.Earlier(files, filesOf(edited))
	if !maps.EqualFunc(s.files, files, bytes.Equal) {
		s.besides = "; the edits of override files stay in them"
	}
	s.names = slices.Sorted(maps.Keys(s.files))
	// Load BASE from these texts alone: Absent hides the files of the directory. So do the loads that follow.
	s.options.From = nil
	s.options.Absent = func(string) bool { return true }
	base, diags, err := s.loadBase(nil)
	if err != nil {
		return nil, err
	}
	base.Prefix, s.base = prefix, base
	return s, o.ws.Report(base, diag.Errors(diags))
}

// baseFiles returns the files of BASE by name, and the prefix of their names in messages. BASE is a directory or,
// with --since, the state of the edited directory in the index or at a revision.
func (o *extractOptions) baseFiles(s *extractSides) (files map[string][]byte, prefix string, err error) {
	name := s.baseName
	if o.since == "" {
		src, _, err := load.Dir(s.baseDir, s.options)
		if err != nil {
			return nil, "", err
		}
		return filesOf(src), filepath.ToSlash(name) + "/", nil
	}
	var past *workspace.PastDir
	if o.since == workspace.IndexRev {
		past, err = o.ws.PastIndex(name)
	} else {
		past, err = o.ws.Past(name, o.revision)
	}
	if err != nil {
		return nil, "", err
	}
	was, err := workspace.LoadFrom(s.baseDir, past, s.options)
	if err != nil {
		return nil, "", err
	}
	if len(was.Module.Source.Files) == 0 {
		return nil, "", fmt.Errorf("%s holds no module, so there is nothing to override", diag.Escape(past.Label()))
	}
	o.ws.NoteOnce(past.RenameNote())
	return filesOf(was.Module.Source), past.Prefix(), nil
}

// filesOf returns the texts of the files that a module consists of, by name.
func filesOf(m *load.Module) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range m.Files {
		files[f.Name] = f.Raw
	}
	return files
}

// loadBase loads BASE with the files in more, by name, added to it. They replace its files of the same names. BASE is
// loaded as if it were in the directory of EDITED, so that the two differ only in their texts.
func (s *extractSides) loadBase(more map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
	opts := s.options
	opts.Contents = maps.Clone(s.files)
	maps.Copy(opts.Contents, more)
	return load.Dir(s.edited.Dir, opts)
}

// loadAlone loads a module that consists of the given files only.
func (s *extractSides) loadAlone(files map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
	opts := s.options
	opts.Contents, opts.Cache = files, nil
	return load.Dir(s.edited.Dir, opts)
}

// chooseName returns the name of the override file: of the one that --into extends, or of a new one. A new file must
// be applied last, so -o is refused if it isn't; without -o, chooseName finds a suitable name.
func (s *extractSides) chooseName(o *extractOptions) (string, error) {
	if err := s.checkNewFile(o); err != nil {
		return "", err
	}
	if o.into != "" {
		err := s.setInto(o)
		return s.into, err
	}
	// last is a name that is applied after all others.
	ending := extract.Ending(s.names, s.edited.Engine)
	if o.format.isJSON {
		ending += ".json"
	}
	last := extract.LastName(s.names, ending, s.edited.Engine)
	if o.out == "" {
		return last, nil
	}
	name := filepath.Base(o.out)
	// Check the name of -o.
	switch {
	case !extract.IsLast(name, s.names, s.edited.Engine):
		return "", fmt.Errorf("-o %s is not an override file that %s applies after all others; use a name such as %s", diag.Escape(o.out), s.edited.Engine.Title(), last)
	case o.format.isJSON != (filepath.Ext(name) == ".json"):
		remedy := "--format json"
		if o.format.isJSON {
			remedy = "--format hcl"
		}
		return "", fmt.Errorf("-o %s does not fit --format %s; use %s, or a name such as %s", diag.Escape(o.out), o.format.name, remedy, last)
	case slices.Contains(s.names, name):
		return "", fmt.Errorf("-o %s is an override file of the module already; use a name such as %s", diag.Escape(o.out), last)
	}
	return name, nil
}

// checkNewFile refuses a name for --new-file that would replace a file of the module, or make the engine ignore one.
func (s *extractSides) checkNewFile(o *extractOptions) error {
	if o.newFile == "" {
		return nil
	}
	isHidden := func(e load.DirEntry) bool { return e.By == o.newFile } // the new file shadows e
	entries := load.Classify(append(slices.Clone(s.names), o.newFile), s.edited.Engine)
	if slices.Contains(s.names, o.newFile) || slices.ContainsFunc(entries, isHidden) {
		return fmt.Errorf("--new-file %s would take the place of a file of the module; use another name", diag.Escape(o.newFile))
	}
	return nil
}

// setInto sets s.into to the name of the file of --into. It refuses a file that isn't an override file of the module,
// or that doesn't have the text that the module was loaded with.
func (s *extractSides) setInto(o *extractOptions) error {
	path := repo.In(o.ws.Base(), o.into)
	name := filepath.Base(path)
	f := s.base.File(name)
	isItsDir := func(dir string) bool { return repo.IsSameFile(dir, filepath.Dir(path)) }
	switch {
	case f == nil || f.Role != source.Override || !isItsDir(s.baseDir) && !isItsDir(s.edited.Dir):
		return fmt.Errorf("--into %s is not an override file of the module; for a new one, use -o", diag.Escape(o.into))
	case o.isFormatSet && o.format.isJSON != (f.Syntax == source.JSON):
		return fmt.Errorf("--into %s does not fit --format %s; leave --format out", diag.Escape(o.into), o.format.name)
	}
	now, err := input.Read(path, o.ws.MaxFileSize)
	if err != nil {
		return fmt.Errorf("can't read --into %s: %w", diag.Escape(o.into), input.StripPath(err))
	}
	if !bytes.Equal(now, f.Raw) {
		return fmt.Errorf("--into %s differs in the two directories; the override files of EDITED are used", diag.Escape(o.into))
	}
	s.into = name
	return nil
}
