package workspace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A Run is a command's work on modules: those that its arguments name, those below a directory, or those that
// another module calls. It may compare each with another state.
type Run struct {
	ws       *Workspace
	Search   *Search
	Subjects []*Subject
	Named    []string // directories, as the arguments name them

	Merging merge.Options
	// Done is the participle for the work on one module, such as "checked". Undone is the
	// participle for work that is skipped if a module has errors, such as "printed"; empty if it
	// isn't skipped.
	Done, Undone string
	// NeedsTotals is set if the totals are part of the result.
	NeedsTotals bool
	// HidesIdle is set if nothing is printed about overrides without effect: the result shows them, or is
	// about other things.
	HidesIdle bool
	// OutputHasCounts is set if the result ends with how much overrides change.
	OutputHasCounts bool

	// IsMany is set if messages name the module, and a line of totals ends the run.
	IsMany bool
	Totals report.TotalsRecord
	Failed int // modules with errors
	// IsMisnamed is set once a directory that was named can't be read as a module.
	IsMisnamed bool

	said map[string]bool // errors that were printed and belong to no line of a file
}

// Select finds the modules that arguments and the flags of a search name; without arguments, the module in
// the working directory. It refuses flags that don't go together. With --since A..B, the workspace reads B
// from then on.
func (w *Workspace) Select(args []string, s *Search) (*Run, error) {
	r := &Run{ws: w, Search: s, Named: args, Undone: "printed", said: map[string]bool{}}
	if len(args) == 0 {
		r.Named = []string{"."}
	}
	err := s.Check()
	switch since := s.Since; {
	case err != nil: // returned below
	case since != nil && since.Right != "" && w.Tracked:
		err = fmt.Errorf("--tracked reads the index, and --since %s the revision %s; use only one of them", diag.Escape(since.Text), diag.Escape(since.Right))
	case since != nil && since.Right != "": // A..B
		w.UseRevision(since.Right)
	case s.From != "":
		paths := append(slices.Clone(r.Named), s.From)
		err = cmp.Or(w.RefuseRevisions("since", paths), w.CheckDirs(paths, false))
	}
	w.Without = s.Without
	if err != nil {
		return nil, err
	}
	r.Subjects, err = w.Subjects(args, s)
	r.IsMany = s.Recursive || len(r.Subjects) > 1
	switch {
	case err != nil:
		return nil, err
	case len(r.Subjects) == 0 && s.DirsOnly:
		return nil, r.nothingFound()
	case r.IsMany && len(w.Overlays) > 0:
		text := "--overlay is merged into one module; name only one " + s.discovery(w).Takes()
		if s.Recursive {
			text += ", without -r"
		}
		return nil, errors.New(text)
	case r.IsMany && s.Since != nil && s.Since.HasDir:
		return nil, s.Since.ForOneModule("since")
	case len(args) > 1 && s.From != "":
		return nil, fmt.Errorf("--from %s is one directory for several modules; name one DIR", diag.Escape(s.From))
	}
	return r, nil
}

// nothingFound returns the error that a search found no modules.
func (r *Run) nothingFound() error {
	return errors.New(r.Search.WhyNothing(r.Named) + "; name a directory with modules")
}

// Each calls work for every module, several at a time, and then take with the result, one at a time and in
// the order of the modules: take prints, work doesn't. Both also get modules with errors. After take, the
// memory of a module can be freed.
//
// take returns ErrReported for a module whose errors it has printed: Each then continues, and returns an
// error in the end, as it does for a directory that can't be read. Any other error ends the run.
func Each[T any](r *Run, work func(*Module) T, take func(*Module, T) error) error {
	if err := r.begin(); err != nil {
		return err
	}
	type result struct {
		m *Module
		t T
	}
	fatal := InOrder(r.ws, r.Done, r.Subjects, func(s *Subject) (done result) {
		if done.m = r.load(s); done.m != nil && done.m.err == nil {
			done.t = work(done.m)
			if r.IsMany && (r.NeedsTotals || r.ws.Summarizes()) {
				done.m.Changes() // keeps them in done.m for the totals: computed here, for several modules at a time
			}
		}
		return done
	}, func(done result) error {
		if done.m == nil { // the directory holds no module
			return nil
		}
		return r.finishModule(done.m, func() error { return take(done.m, done.t) })
	})
	if fatal != nil {
		return fatal
	}
	if r.IsMany { // for a single module, finishModule has done that
		if err := r.ws.WarnOfIdleExclusions(); err != nil {
			return err
		}
	}
	return r.outcome()
}

// outcome returns the error that ends a run on all modules; nil if it succeeded. The errors of modules have been
// printed before.
func (r *Run) outcome() error {
	switch {
	case r.Failed > 0:
		hasResults := r.Undone == "" // the modules without errors have results
		if !r.Search.Recursive || hasResults {
			return ErrReported
		}
		// Say why there is no result for the other modules.
		have := "have"
		if r.Failed == 1 {
			have = "has"
		}
		return fmt.Errorf("nothing was %s: %d of %s %s errors; to skip a directory, use --exclude",
			r.Undone, r.Failed, wording.Count(r.Totals.Modules, "module"), have)
	case r.Totals.Modules == 0 && r.Search.DirsOnly:
		return r.nothingFound()
	}
	return nil
}

// Take calls take for every module as Each does, without any work before.
func (r *Run) Take(take func(*Module) error) error {
	return Each(r, func(*Module) struct{} { return struct{}{} }, func(m *Module, _ struct{}) error { return take(m) })
}

// InOrder calls work for every subject, several at a time, and then take with the result, one at a time and
// in order, until take returns an error, which InOrder returns. It shows progress with the participle done,
// such as "checked".
func InOrder[T any](ws *Workspace, done string, list []*Subject, work func(*Subject) T, take func(T) error) (fatal error) {
	var ready atomic.Int64
	p := ws.Progress(done, len(list), &ready)
	defer p.Stop()
	results := make([]*T, len(list))
	parallel.Ordered(len(list), func(i int) {
		results[i] = new(work(list[i]))
		ready.Add(1)
	}, func(i int) {
		result := results[i]
		results[i] = nil  // frees the memory of the module
		if fatal == nil { // take may print, so the line with the progress makes room
			p.Aside(func() { fatal = take(*result) })
		}
	})
	return fatal
}

// begin reads the input that all modules share, and chooses the engine of each, so that messages about
// engines come in the order of the modules.
func (r *Run) begin() error {
	if r.IsMany {
		r.ws.ExpectMany()
	}
	if _, err := r.ws.Options(); err != nil {
		return err
	}
	for _, s := range r.Subjects {
		_, _ = r.ws.Engine(repo.In(r.ws.Base(), s.Dir)) // an error comes again when the module is loaded
	}
	return nil
}

// finishModule passes a module to take, or prints why the module can't be read, and adds it to the totals. It
// counts a module with errors in Failed, and returns only errors that end the run.
func (r *Run) finishModule(m *Module, take func() error) (fatal error) {
	if m.err != nil {
		if text := m.err.Error(); !r.said[text] { // modules may share an error, such as that of a settings file
			r.said[text] = true
			r.ws.Error(m.err)
		}
		r.IsMisnamed = r.IsMisnamed || m.isNamed
		r.Failed++
	} else {
		if err := r.ws.CheckOutput(m.Source); err != nil {
			return err
		}
		// Many modules must all be loaded before it is known which patterns are idle: then Each warns at the end.
		if !r.IsMany {
			if err := r.ws.WarnOfIdleExclusions(); err != nil {
				return err
			}
		}
		fatal = take()
		if errors.Is(fatal, ErrReported) {
			r.Failed++
			fatal = nil // the run goes on with the other modules
		}
	}
	if m.Module == nil { // it couldn't be read, so there is nothing else to count
		r.Totals.Modules++
	} else { // also if it has errors: its diagnostics count
		r.Totals.ByElement = r.NeedsTotals
		r.Totals.Add(m.Module, m.Diags, m.changes)
	}
	return fatal
}

// TotalsRecord returns the JSON record of the totals; nil if the run is on a single module.
func (r *Run) TotalsRecord() *report.TotalsRecord {
	if !r.IsMany {
		return nil
	}
	return &r.Totals
}

// Report prints the diagnostics of a module, and those for which the left side of a comparison is refused.
// For a module without errors that isn't compared, it ends with the line of Describe.
func (r *Run) Report(m *Module, diags hcl.Diagnostics) error {
	var leftErr error
	if left := m.Left; left != nil { // without its warnings: they are about lines that the run isn't about
		for _, note := range left.notes {
			r.ws.NoteOnce(note)
		}
		refusals := diag.Refusals(left.Diags)
		if len(r.Search.Without) > 0 { // both sides are made of the same files, so most errors are the same
			refusals = NotAmong(refusals, diags)
		}
		leftErr = r.ws.Report(left.Module.Source, refusals)
		if leftErr == nil && left.Diags.HasErrors() {
			leftErr = ErrReported // all of them are among diags, which are printed next
		}
	}
	err := r.ReportAll(m, r.ws.shown(m.Source, diags))
	if err == nil && m.Left == nil {
		r.Describe(m, diags)
	}
	return cmp.Or(leftErr, err)
}

// NotAmong returns the diagnostics that aren't among others. It compares text and position, the latter without the
// directory of the file, since both may be about different directories. It reuses the memory of diags.
func NotAmong(diags, others hcl.Diagnostics) hcl.Diagnostics {
	known := map[string]bool{}
	words := func(d *hcl.Diagnostic) string {
		at := hcl.Range{}
		if d.Subject != nil {
			at = *d.Subject
			at.Filename = filepath.Base(at.Filename)
		}
		return fmt.Sprintf("%d %q %q %v", d.Severity, d.Summary, d.Detail, at)
	}
	for _, d := range others {
		known[words(d)] = true
	}
	return slices.DeleteFunc(diags, func(d *hcl.Diagnostic) bool { return known[words(d)] })
}

// Describe sums up the overrides of a module in one line: under -v, or if no other module is part of the run.
//
// The line counts overrides without effect if -v asks for it, or if no warning was printed for each (--quiet,
// HidesIdle).
func (r *Run) Describe(m *Module, diags hcl.Diagnostics) {
	if !r.ws.Verbose && !r.ws.Quiet && !r.HidesIdle { // a warning was printed for each
		diags, _ = withoutIdle(diags)
	}
	items := m.Root.Items
	if m.About != nil {
		items = m.About
	}
	prefix, isWanted := "", true
	if r.IsMany {
		prefix, isWanted = m.Source.Prefix, r.ws.Verbose
	}
	r.ws.Summarize(prefix, m.Module, items, isWanted, func() string { return summary(m.Module, r.Merging.NoOverrides, diags) })
}

// Finish ends a run with a line about the overrides of all modules. A run on one module has printed its line
// already.
func (r *Run) Finish() {
	text := ""
	switch {
	case r.Totals.Modules == 0 && !r.Search.DirsOnly:
		r.ws.Warn("nothing was " + r.Done + ": " + r.Search.WhyNothing(r.Named))
	case r.IsMany:
		t := r.Totals // a copy, without the numbers that the result ends with
		if r.OutputHasCounts && !r.ws.Verbose {
			t.Changed, t.Added, t.Dropped = 0, 0, 0
		}
		text = t.String()
	}
	r.Search.Finish(r.ws, text)
}

// A Search holds the flags by which a command selects modules, and the skipped directories.
type Search struct {
	Recursive bool
	Exclude   []string          // of --exclude
	DirsOnly  bool              // a file doesn't stand for the module that it is in
	IsSingle  bool              // the command has no -r
	Filter    []address.Pattern // of --filter; none means everything
	Sides                       // what modules are compared with
	RevFlag   string            // the flag of the command that takes a revision; may be empty

	Skipped report.SkipCounts

	hasMatch int32 // atomic: --filter matches something in a module if it is 1
}

// discovery returns the search for modules in the directories of a workspace.
func (s *Search) discovery(ws *Workspace) *discover.Search {
	found := &discover.Search{
		Base: ws.Base(), Recursive: s.Recursive, Exclude: s.Exclude, DirsOnly: s.DirsOnly, Note: ws.Note,
	}
	if ws.Tracked {
		found.Tracked, found.IsTracked = ws.trackedBelow, ws.IsTracked
	}
	found.Past = s.pastOf(ws, found)
	return found
}

// PassesFilter returns a function that reports whether --filter covers an item by its address or by one of
// its aliases, in any of the modules. Items without an address don't pass. modules are the states of one
// module; some may be nil.
func (s *Search) PassesFilter(modules ...*merge.Module) func(address.Address) bool {
	if len(s.Filter) == 0 {
		return func(address.Address) bool { return true }
	}
	covers := address.NewPatterns(s.Filter...).Covers
	aliases := sync.OnceValue(func() address.AliasIndex {
		x := address.AliasIndex{}
		for _, m := range modules {
			if m != nil {
				address.Walk(m, func(own address.Address, e *merge.MergedItem) { x.Add(m, own, e) })
			}
		}
		return x
	})
	return func(own address.Address) bool {
		return covers(own) || slices.ContainsFunc(aliases().Of(own), covers)
	}
}

// NoteMatch records, for CheckMatch, whether --filter matches something in a module. hasPassed is true if
// something has passed the filter, or if m is refused: then there is no way to know.
func (s *Search) NoteMatch(hasPassed bool, m *merge.Module) {
	if atomic.LoadInt32(&s.hasMatch) == 1 { // in an earlier module
		return
	}
	isMatch := hasPassed || len(plan.Unmatched(m, s.Filter)) < len(s.Filter) // one of the patterns matches something
	// A filter may also name only a type.
	if !isMatch {
		covers := address.NewPatterns(s.Filter...).Covers
		address.Walk(m, func(own address.Address, _ *merge.MergedItem) { isMatch = isMatch || covers(own) })
	}
	if isMatch {
		atomic.StoreInt32(&s.hasMatch, 1)
	}
}

// CheckMatch refuses a filter that matches nothing in any module: a typo would hide everything.
func (s *Search) CheckMatch() error {
	if len(s.Filter) == 0 || atomic.LoadInt32(&s.hasMatch) == 1 {
		return nil
	}
	text := s.Filter[0].String()
	if discover.IsConfigName(text) {
		return fmt.Errorf("--filter takes addresses; for the effects of a file, run: tofumerge explain %s", diag.Escape(text))
	}
	return fmt.Errorf("nothing matches --filter %s; to list all addresses, run: tofumerge explain --all", diag.Escape(text))
}

// WhyNothing words why a search found no module: none is below the directories or, without -r, none is in the
// directory of a file. Without -r, named holds only files: a directory without a module is an error of its own.
func (s *Search) WhyNothing(named []string) string {
	const most = 3
	switch {
	case s.Recursive:
		return "no configuration files below " + diag.Escape(diag.Joined(named, "or"))
	case len(named) > most:
		return fmt.Sprintf("no module beside any of %d files", len(named))
	}
	return "no module beside " + diag.Escape(diag.Joined(named, "or"))
}

// Record returns the report's record of skipped directories; nil without -r.
func (s *Search) Record() *report.SkipCounts {
	if !s.Recursive {
		return nil
	}
	return &s.Skipped
}

// Finish ends a run with a line, if runs end with one: text and then the skipped directories.
func (s *Search) Finish(ws *Workspace, text string) {
	parts := slices.DeleteFunc([]string{text, s.Skipped.String()}, func(part string) bool { return part == "" })
	if len(parts) > 0 && ws.Summarizes() {
		ws.Tell(strings.Join(parts, "; "))
	}
}

// Check refuses flags that contradict each other.
func (s *Search) Check() error {
	if flags := s.Named(); len(flags) > 1 {
		return fmt.Errorf("%s and %s both name a side of the comparison; use only one of them", flags[0], flags[1])
	}
	return (&discover.Search{Recursive: s.Recursive, Exclude: s.Exclude}).Check()
}

// Which module directories a command on several of them works on.

// A Subject is a module directory and, if only files in it were named, these files.
type Subject struct {
	Dir   string // as it was given, or found below an argument
	Files map[string]bool
	// Must is set if the directory was named, so that it has to hold a module.
	Must   bool
	IsPast bool        // only the revision that it is compared with has it
	Cache  *load.Cache // what earlier loads of it parsed
}

// Subjects maps paths to module directories, in order of first appearance. A file stands for the module of
// its directory, unless that is a copy which another program keeps, as below .terraform.
func (w *Workspace) Subjects(paths []string, s *Search) ([]*Subject, error) {
	// A revision among the paths means that its flag was forgotten, unless a flag names a side already.
	if !s.AreTwo() && s.RevFlag != "" {
		if err := w.RefuseRevisions(s.RevFlag, paths); err != nil {
			return nil, err
		}
	}
	found, err := s.discovery(w).Find(paths)
	if err != nil {
		return nil, err
	}
	s.Skipped = found.Skipped
	var list []*Subject
	for _, subject := range found.Subjects {
		list = append(list, &Subject{Dir: subject.Dir, Files: subject.Files, Must: subject.Must, IsPast: subject.IsPast})
	}
	return list, nil
}

// RefuseRevisions refuses a path that doesn't exist but is the name of a revision, and names the flag that
// takes it.
func (w *Workspace) RefuseRevisions(flag string, paths []string) error {
	if i := slices.IndexFunc(paths, w.isMissing); i >= 0 {
		name := paths[i]
		rev := strings.TrimPrefix(name, "git:") // a former spelling
		named, err := ParseRev(flag, rev)
		if err != nil {
			return nil // not the name of a revision
		}
		if _, err := w.Revision(repo.In(w.Base(), "."), named.Name); err != nil {
			return nil // the repository has no such revision
		}
		return fmt.Errorf("no such directory: %s; to compare with the revision of that name, use --%s %s", diag.Escape(name), flag, diag.Escape(rev))
	}
	return nil
}

// Error prints an error. If a command wants a directory, and gets the name of a configuration file or an address
// instead, Error adds the command that takes these.
func (w *Workspace) Error(err error) {
	var missing load.MissingError
	isMissing := errors.As(err, &missing)
	name := filepath.Base(missing.Name)
	switch {
	case isMissing && missing.Kind == "" && discover.IsConfigName(name): // without a kind, a file of that name exists
		err = fmt.Errorf("%w, or for the effects of a file, run: tofumerge explain %s", err, diag.Escape(missing.Name))
	case isMissing && isLikeAddress(name):
		err = fmt.Errorf("%w; for an address, use tofumerge explain %s, or --filter in render and changes", err, diag.Escape(name))
	}
	w.Console.Error(err)
}

// isLikeAddress reports whether a name looks more like an address than like a file or a directory.
func isLikeAddress(name string) bool {
	first, rest, _ := strings.Cut(name, ".")
	isRoot := strings.Contains(first, "_") || slices.Contains([]string{"data", "local", "module", "output", "provider", "terraform", "var"}, first)
	_, err := address.Parse(name)
	return rest != "" && isRoot && err == nil && !discover.IsConfigName(name)
}

// isMissing reports whether neither the disk nor the index has a path.
func (w *Workspace) isMissing(name string) bool {
	if _, isTracked := w.IsTracked(name); isTracked || name == "" {
		return false
	}
	_, err := os.Lstat(repo.In(w.Base(), name))
	return os.IsNotExist(err)
}

// IsAbout reports whether a run looks at the file of a finding in a baseline. It always does if the finding names no
// file, or if no files of the module were named.
func (t *Subject) IsAbout(k check.Key) bool {
	return k.File == "" || t.Files == nil || t.Files[k.File]
}

// Reports of a run about problems of modules, and about the effects of their overrides.

// ErrFound ends a run with findings.
var ErrFound = errors.New("there are findings")

// ErrReported ends a run whose errors have been printed.
var ErrReported = errors.New("errors were reported")

// A StatusError ends a run with the status of a program that it ran.
type StatusError struct{ Status int }

// Error implements error.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the program ended with status %d", e.Status)
}

// Report prints diagnostics, warnings before errors, without the warnings that --quiet or a comment silences.
// It returns ErrReported if any is an error.
func (w *Workspace) Report(m *load.Module, diags hcl.Diagnostics) error {
	return w.ReportAll(m, w.shown(m, diags))
}

// shown returns the diagnostics to print, and counts those that comments silence.
func (w *Workspace) shown(m *load.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	shown, ignored := w.Unsilenced(m, diags)
	w.CountIgnored(ignored)
	return shown
}

// Unsilenced returns the diagnostics to print: under --quiet only errors, otherwise all that no comment
// silences. ignored are those that comments silence.
func (w *Workspace) Unsilenced(m *load.Module, diags hcl.Diagnostics) (shown hcl.Diagnostics, ignored []check.Suppression) {
	if w.Quiet {
		return diag.Errors(diags), nil
	}
	return w.unignored(m, diags)
}

// unignored separates the diagnostics to show from the warnings that comments silence (ignored). Under
// --no-ignore, comments silence nothing.
func (w *Workspace) unignored(m *load.Module, diags hcl.Diagnostics) (shown hcl.Diagnostics, ignored []check.Suppression) {
	if w.NoIgnore || len(diags) == 0 { // saves the search for comments
		return diags, nil
	}
	return check.Unignored(m, diags)
}

// Record adds diagnostics to a report, and marks those that comments silence.
func (w *Workspace) Record(doc *report.Report, m *merge.Module, diags hcl.Diagnostics) {
	shown, silenced := w.unignored(m.Source, diags)
	check.SetAddresses(m, silenced) // Suppress records them
	doc.Add(m.Source, shown)
	doc.Suppress(m.Source, silenced)
}

// CountIgnored adds to the totals of silenced findings, for NoteIgnored.
func (w *Workspace) CountIgnored(ignored []check.Suppression) {
	for i := range ignored {
		if w.ignored == nil {
			w.ignored = map[string]int{}
		}
		w.ignored[ignored[i].Rule.ID]++
	}
}

// NoteIgnored prints a line with the number of silenced findings, at the end of a run.
func (w *Workspace) NoteIgnored() {
	if text := report.IgnoredText(0, w.ignored); text != "" {
		w.Note("Note: " + text + "; to see what, use --no-ignore")
	}
}

// ReportAll prints diagnostics as Report does, including silenced ones.
func (w *Workspace) ReportAll(m *load.Module, diags hcl.Diagnostics) error {
	warnings := slices.DeleteFunc(slices.Clone(diags), diag.IsError)
	var text bytes.Buffer
	term.Diagnostics(&text, append(warnings, diag.Errors(diags)...), m, w.Screen(w.Err))
	if text.Len() > 0 {
		w.Block(text.Bytes())
	}
	if diags.HasErrors() {
		return ErrReported
	}
	return nil
}

// Summarize prints a line about a module, if it is wanted and runs end with one. The line names the engine
// that the module was read for, and why, unless -v has printed that. If the engine is only assumed, the line names it
// only if another release would treat one of items differently, and a note says the same if there is no line. prefix
// is the directory if the module is one of several. text words the rest of the line.
func (w *Workspace) Summarize(prefix string, mod *merge.Module, items []*merge.MergedItem, isWanted bool, text func() string) {
	name := mod.Source.Engine.String()
	choice, err := w.Engine(mod.Source.Dir)
	isChosen := err == nil && choice.Release.String() == name // the module was read for the chosen engine
	mayMatter := isChosen && choice.IsAssumed() && !w.Quiet && dependsOnRelease(mod, items)
	if !isWanted || !w.Summarizes() {
		if mayMatter { // under --quiet it is never set
			w.NoteOnce("Note: " + report.AssumedText([]string{name}))
		}
		return
	}
	switch {
	case w.Verbose || !isChosen: // only the name: the reason was printed, or there is none
	case choice.IsAssumed() && !mayMatter: // no name: all releases treat the items alike
		name = ""
	default: // the name with the reason
		name = choice.Brief()
	}
	if prefix = strings.TrimSuffix(prefix, "/"); prefix != "" {
		prefix = diag.Escape(prefix) + ": "
	}
	if name != "" {
		prefix += name + ": "
	}
	w.Tell(prefix + text())
}

// dependsOnRelease reports whether a release that required_version allows would read other files of a module,
// or treat an override of one of the items differently. It compares rows of the rules' tables, which is
// cheaper than another merge.
func dependsOnRelease(m *merge.Module, items []*merge.MergedItem) bool {
	allowed := sync.OnceValue(func() (list []engine.Release) { // once, because few modules need the list
		var required []version.Constraints
		for _, f := range m.Source.Files {
			if f.Role == source.Primary {
				required = append(required, load.RequiredBy(f)...)
			}
		}
		for _, p := range engine.Products() {
			list = append(list, p.Meeting(required)...)
		}
		return list
	})
	seen := map[*rules.Rule]bool{}
	var mergesDifferently func(*merge.MergedItem) bool // an item, or one inside it, by another release
	mergesDifferently = func(e *merge.MergedItem) bool {
		if !seen[e.Rule] && e.IsOverridden() { // each rule needs only one comparison
			seen[e.Rule] = true
			hasOtherRule := func(in engine.Release) bool { return rules.Of(e.Rule.Path, in) != e.Rule }
			if e.Rule.MayDiffer() && slices.ContainsFunc(allowed(), hasOtherRule) {
				return true
			}
		}
		return e.Inner() != nil && slices.ContainsFunc(e.Inner().Items, mergesDifferently)
	}
	isUnreadBySome := func(f *source.File) bool {
		return f.Tofu && slices.ContainsFunc(allowed(), func(e engine.Release) bool { return !e.ReadsTofuFiles() })
	}
	return slices.ContainsFunc(m.Source.Files, isUnreadBySome) || slices.ContainsFunc(items, mergesDifferently)
}

// summary words how much the override files of a module change. isLeftOut means that they weren't merged.
func summary(mod *merge.Module, isLeftOut bool, diags hcl.Diagnostics) string {
	files := 0
	for _, f := range mod.Source.Files {
		if f.Role == source.Override {
			files++
		}
	}
	idle := 0
	for _, d := range diags {
		if diag.CodeOf(d) == diag.NoEffect {
			idle++
		}
	}
	switch {
	case files > 0 && isLeftOut:
		return wording.Count(files, "override file") + " left out"
	case files == 0:
		return "no override files"
	}
	text := wording.Number(files, "override file changes ", "override files change ") + wording.Count(plan.Changed(mod), "block")
	if idle > 0 {
		text += "; " + wording.Number(idle, "item has no effect", "items have no effect")
	}
	return text
}
