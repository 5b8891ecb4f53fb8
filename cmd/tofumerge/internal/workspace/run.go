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

// A Run is a command's work on the modules that its arguments select, whether these are named,
// found below a directory, called by another module or compared with a revision.
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
	// CountsChanges is set if the result ends with how much overrides change.
	CountsChanges bool

	// IsMany reports whether messages name the module, and a line of totals ends the run.
	IsMany bool
	Totals report.TotalsRecord
	Failed int // modules with errors
	// IsMisnamed is set once a directory that was named can't be read as a module.
	IsMisnamed bool

	said map[string]bool // errors that belong to no line of a file
}

// Select finds the modules that arguments and the flags of a search name. Without arguments it is
// the module in the working directory.
func (w *Workspace) Select(args []string, s *Search) (*Run, error) {
	r := &Run{ws: w, Search: s, Undone: "printed", said: map[string]bool{}}
	if r.Named = args; len(args) == 0 {
		r.Named = []string{"."}
	}
	err := s.Check()
	switch since := s.Since; { // the workspace reads the right side from here on
	case err != nil:
	case since != nil && since.Right != "" && w.Tracked:
		err = fmt.Errorf("--tracked reads the index, and --since %s the revision %s; use only one of them", diag.Escape(since.Text), diag.Escape(since.Right))
	case since != nil && since.Right != "":
		w.UseRevision(since.Right)
	case s.From != "":
		paths := append(slices.Clone(r.Named), s.From)
		err = cmp.Or(w.RefuseRevisions("since", paths), w.CheckDirs(paths, false))
	}
	if w.Without = s.Without; err != nil {
		return nil, err
	}
	r.Subjects, err = w.Subjects(args, s)
	switch r.IsMany = s.Recursive || len(r.Subjects) > 1; {
	case err != nil:
		return nil, err
	case len(r.Subjects) == 0 && s.DirsOnly:
		return nil, r.nothing()
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

// nothing is the error that there are no modules.
func (r *Run) nothing() error {
	return errors.New(r.Search.WhyNothing(r.Named) + "; name a directory with modules")
}

// Each calls work for every module, several at a time, and then take with the result, one at a time
// and in the order of the modules: take prints, work does not. Both get modules with errors, too. A
// module is let go once it has been taken.
//
// take returns ErrReported for a module whose errors it has printed. Each continues with the others
// then, and returns an error in the end, as it does if a directory can't be read. Any other error
// ends the run.
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
				done.m.Changes()
			}
		}
		return done
	}, func(done result) error {
		if done.m == nil {
			return nil
		}
		return r.take(done.m, func() error { return take(done.m, done.t) })
	})
	if fatal != nil {
		return fatal
	}
	if r.IsMany {
		if err := r.ws.WarnOfIdleExclusions(); err != nil {
			return err
		}
	}
	switch {
	case r.Failed > 0:
		if !r.Search.Recursive || r.Undone == "" {
			return ErrReported
		}
		// The errors have been printed, and therefore nothing comes of the other modules.
		text := fmt.Sprintf("nothing was %s: %d of %s", r.Undone, r.Failed, wording.Count(r.Totals.Modules, "module"))
		if r.Failed == 1 {
			text += " has errors"
		} else {
			text += " have errors"
		}
		return errors.New(text + "; to skip a directory, use --exclude")
	case r.Totals.Modules == 0 && r.Search.DirsOnly:
		return r.nothing()
	}
	return nil
}

// Take calls take for every module, as Each does.
func (r *Run) Take(take func(*Module) error) error {
	return Each(r, func(*Module) struct{} { return struct{}{} }, func(m *Module, _ struct{}) error { return take(m) })
}

// InOrder calls work for every subject, several at a time, and then take with the result,
// one at a time and in order, up to the first error, which it returns. It shows
// progress with a participle, such as "checked".
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
		results[i] = nil // the memory of a module is free once it has been taken
		if fatal == nil {
			p.Aside(func() { fatal = take(*result) })
		}
	})
	return fatal
}

// begin reads the common input of all modules. Messages about engines are printed in the order of
// the modules.
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

// take passes a module on, and adds it to the totals.
func (r *Run) take(m *Module, take func() error) error {
	err := m.err
	if err == nil {
		if err := r.ws.CheckOutput(m.Source); err != nil {
			return err
		}
		if !r.IsMany { // before messages about the module
			if err := r.ws.WarnOfIdleExclusions(); err != nil {
				return err
			}
		}
		err = take()
	} else {
		if text := err.Error(); !r.said[text] {
			r.said[text] = true
			r.ws.Error(err)
		}
		r.IsMisnamed = r.IsMisnamed || m.isNamed
		err = ErrReported
	}
	if errors.Is(err, ErrReported) {
		r.Failed++
		err = nil
	}
	switch {
	case m.Module == nil:
		r.Totals.Modules++
	default:
		r.Totals.ByElement = r.NeedsTotals
		r.Totals.Add(m.Module, m.Diags, m.changes)
	}
	return err
}

// TotalsRecord is the JSON record of the totals; nil for a module that was named.
func (r *Run) TotalsRecord() *report.TotalsRecord {
	if !r.IsMany {
		return nil
	}
	return &r.Totals
}

// Report reports on a module, or on both that are compared. It describes one that is not compared,
// unless it has errors.
func (r *Run) Report(m *Module, diags hcl.Diagnostics) error {
	var past error
	if left := m.Left; left != nil { // without its warnings, which are not about what the run was asked
		for _, note := range left.notes {
			r.ws.NoteOnce(note)
		}
		refusals := diag.Refusals(left.Diags)
		if len(r.Search.Without) > 0 {
			refusals = Without(refusals, diags)
		}
		if past = r.ws.Report(left.Module.Source, refusals); past == nil && left.Diags.HasErrors() {
			past = ErrReported
		}
	}
	err := r.ReportAll(m, r.ws.shown(m.Source, diags))
	if err == nil && m.Left == nil {
		r.Describe(m, diags)
	}
	return cmp.Or(past, err)
}

// Without returns diagnostics that are not among others, which are about the same files and may be as many.
func Without(diags, others hcl.Diagnostics) hcl.Diagnostics {
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

// Describe sums up the overrides of a module in one line: under -v, or if no other module is part
// of the run.
//
// Overrides without effect are totalled once: here only if the line was requested, or if no warning
// was printed about them.
func (r *Run) Describe(m *Module, diags hcl.Diagnostics) {
	if !r.ws.Verbose && !r.ws.Quiet && !r.HidesIdle {
		diags, _ = withoutIdle(diags)
	}
	items := m.Root.Items
	if m.About != nil {
		items = m.About
	}
	prefix, isWanted := "", !r.IsMany || r.ws.Verbose
	if r.IsMany {
		prefix = m.Source.Prefix
	}
	r.ws.Summarize(prefix, m.Module, items, isWanted, func() string { return summary(m.Module, r.Merging.NoOverrides, diags) })
}

// Finish ends a run with a line about the overrides of all modules; a run on one module has printed
// its own.
func (r *Run) Finish() {
	text := ""
	switch {
	case r.Totals.Modules == 0 && !r.Search.DirsOnly:
		r.ws.Warn("nothing was " + r.Done + ": " + r.Search.WhyNothing(r.Named))
	case r.IsMany:
		t := r.Totals // without what the result ends with
		if r.CountsChanges && !r.ws.Verbose {
			t.Changed, t.Added, t.Dropped = 0, 0, 0
		}
		text = t.String()
	}
	r.Search.Finish(r.ws, text)
}

// A Search describes the search of a command below the named directories, and the skipped
// directories.
type Search struct {
	Recursive bool
	Exclude   []string          // of --exclude
	DirsOnly  bool              // files are not taken for the modules that they are in
	IsSingle  bool              // the command has no -r
	Filter    []address.Pattern // of --filter; none means everything
	Sides                       // what modules are compared with
	RevFlag   string            // the flag of the command that takes a revision; may be empty

	Skipped report.SkipCounts

	hasMatch int32 // atomic: --filter matches something in a module if it is 1
}

// discovery is the search in a run of the program.
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

// PassesFilter returns a function that reports whether an item passes --filter, by any of its
// addresses: its own, and its aliases. Items without an address don't pass. The modules are
// the states of one; a nil one has no items.
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

// NoteMatch notes whether --filter matches something in a module, of which a run may have let something pass. In
// a module that is refused, that is not looked for.
func (s *Search) NoteMatch(isKnown bool, m *merge.Module) {
	isKnown = isKnown || atomic.LoadInt32(&s.hasMatch) == 1 || len(plan.Unmatched(m, s.Filter)) < len(s.Filter)
	if covers := address.NewPatterns(s.Filter...).Covers; !isKnown { // of a type, too
		address.Walk(m, func(own address.Address, _ *merge.MergedItem) { isKnown = isKnown || covers(own) })
	}
	if isKnown {
		atomic.StoreInt32(&s.hasMatch, 1)
	}
}

// CheckMatch refuses a filter that matches nothing in any module: a slip of the pen would hide everything.
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

// WhyNothing words why a search found no module: below directories, or, without -r, beside files,
// since a directory that is named must have one.
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

// Record is the report's record of skipped directories; nil without -r.
func (s *Search) Record() *report.SkipCounts {
	if !s.Recursive {
		return nil
	}
	return &s.Skipped
}

// Finish ends a run with a line that starts with text, if one is wanted.
func (s *Search) Finish(ws *Workspace, text string) {
	if all := strings.TrimPrefix(text+s.Skipped.Behind(), "; "); all != "" && ws.Summarizes() {
		ws.Tell(all)
	}
}

// Check refuses flags that contradict each other.
func (s *Search) Check() error {
	switch flags := s.Named(); {
	case len(flags) > 1:
		return fmt.Errorf("%s and %s both name a side of the comparison; use only one of them", flags[0], flags[1])
	}
	return (&discover.Search{Recursive: s.Recursive, Exclude: s.Exclude}).Check()
}

// Which module directories a command on several of them works on.

// A Subject is a module directory, and the files of it that were named. If the directory itself was
// named, or was found, files is nil.
type Subject struct {
	Dir   string // as it was given, or found below an argument
	Files map[string]bool
	// Must is set if the directory was named, so that it has to hold a module.
	Must   bool
	IsPast bool        // only the revision that it is compared with has it
	Cache  *load.Cache // of earlier looks at it
}

// Subjects maps paths to module directories, in the order in which they come up
// first. Files belong to the module of their directory, but for those in copies
// that other programs keep.
func (w *Workspace) Subjects(paths []string, s *Search) ([]*Subject, error) {
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

// RefuseRevisions refuses a missing path that is the name of a revision, which a flag takes.
func (w *Workspace) RefuseRevisions(flag string, paths []string) error {
	if i := slices.IndexFunc(paths, w.isMissing); i >= 0 {
		name := paths[i]
		rev := strings.TrimPrefix(name, "git:") // which builds from before the first release wanted
		named, err := ParseRev(flag, rev)
		if err != nil {
			return nil
		}
		if _, err := w.Revision(repo.In(w.Base(), "."), named.Name); err != nil {
			return nil
		}
		return fmt.Errorf("no such directory: %s; to compare with the revision of that name, use --%s %s", diag.Escape(name), flag, diag.Escape(rev))
	}
	return nil
}

// Error prints an error. If it is about a directory whose name is an address or a file's, it says how to use these.
func (w *Workspace) Error(err error) {
	var missing load.MissingError
	switch isMissing, name := errors.As(err, &missing), filepath.Base(missing.Name); {
	case isMissing && missing.Kind == "" && discover.IsConfigName(name):
		err = fmt.Errorf("%w, or for the effects of a file, run: tofumerge explain %s", err, diag.Escape(missing.Name))
	case isMissing && isLikeAddress(name):
		err = fmt.Errorf("%w; for an address, use tofumerge explain %s, or --filter in render and changes", err, diag.Escape(name))
	}
	w.Console.Error(err)
}

// isLikeAddress reports whether a name is rather an address than a file's or a directory's.
func isLikeAddress(name string) bool {
	first, rest, _ := strings.Cut(name, ".")
	isRoot := strings.Contains(first, "_") || slices.Contains([]string{"data", "local", "module", "output", "provider", "terraform", "var"}, first)
	_, err := address.Parse(name)
	return rest != "" && isRoot && err == nil && !discover.IsConfigName(name)
}

// isMissing reports whether nothing has a name, on the disk or in the index.
func (w *Workspace) isMissing(name string) bool {
	if _, isTracked := w.IsTracked(name); isTracked || name == "" {
		return false
	}
	_, err := os.Lstat(repo.In(w.Base(), name))
	return os.IsNotExist(err)
}

// IsAbout reports whether a run is about the file that a finding of a baseline is in.
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

// Report prints diagnostics, warnings before errors, except for warnings that --quiet or a comment
// silences. The error is ErrReported if there are errors among them.
func (w *Workspace) Report(m *load.Module, diags hcl.Diagnostics) error {
	return w.ReportAll(m, w.shown(m, diags))
}

// shown returns the diagnostics that nothing silences. Those that comments silence are totalled.
func (w *Workspace) shown(m *load.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	shown, ignored := w.Unsilenced(m, diags)
	w.CountIgnored(ignored)
	return shown
}

// Unsilenced returns diagnostics without unwanted warnings, and those among the unwanted that
// comments silence.
func (w *Workspace) Unsilenced(m *load.Module, diags hcl.Diagnostics) (shown hcl.Diagnostics, ignored []check.Suppression) {
	if w.Quiet {
		return diag.Errors(diags), nil
	}
	return w.unignored(m, diags)
}

// unignored are diagnostics without the warnings that comments silence, unless the user wants
// these.
func (w *Workspace) unignored(m *load.Module, diags hcl.Diagnostics) (shown hcl.Diagnostics, ignored []check.Suppression) {
	if w.NoIgnore || len(diags) == 0 { // without a search of all files
		return diags, nil
	}
	return check.Unignored(m, diags)
}

// Record adds diagnostics to a report, marking those that comments silence.
func (w *Workspace) Record(doc *report.Report, m *merge.Module, diags hcl.Diagnostics) {
	shown, silenced := w.unignored(m.Source, diags)
	check.Addressed(m, silenced)
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

// NoteIgnored ends a run with a line about the number of silenced findings.
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

// Summarize prints a line about a module, if runs end with one and it is wanted, with the engine that it was read
// for and the reason. Under -v the reason was printed before. An engine that was assumed is named only if
// another release would treat some items differently, but then even without the line. The line names the
// module by its prefix, if it is one of several.
func (w *Workspace) Summarize(prefix string, mod *merge.Module, items []*merge.MergedItem, isWanted bool, text func() string) {
	name := mod.Source.Engine.String()
	choice, err := w.Engine(mod.Source.Dir)
	isKnown := err == nil && choice.Release.String() == name
	isAssumed := isKnown && choice.IsAssumed() && !w.Quiet && dependsOnRelease(mod, items)
	if isWanted = isWanted && w.Summarizes(); !isWanted {
		if isAssumed {
			w.NoteOnce("Note: " + report.AssumedText([]string{name}))
		}
		return
	}
	switch {
	case w.Verbose || !isKnown:
	case choice.IsAssumed() && !isAssumed:
		name = ""
	default:
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

// dependsOnRelease reports whether a known release that required_version allows treats a file of a
// module differently, or what overrides do to some of its items: by the rows of the tables for them,
// without another merge.
func dependsOnRelease(m *merge.Module, items []*merge.MergedItem) bool {
	allowed := sync.OnceValue(func() (list []engine.Release) { // next to no module needs them
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
	var isUnlike func(*merge.MergedItem) bool
	isUnlike = func(e *merge.MergedItem) bool {
		if !seen[e.Rule] && e.IsOverridden() {
			seen[e.Rule] = true
			isOther := func(in engine.Release) bool { return rules.Of(e.Rule.Path, in) != e.Rule }
			if e.Rule.MayDiffer() && slices.ContainsFunc(allowed(), isOther) {
				return true
			}
		}
		return e.Inner() != nil && slices.ContainsFunc(e.Inner().Items, isUnlike)
	}
	isOnlyTofu := func(f *source.File) bool {
		return f.Tofu && slices.ContainsFunc(allowed(), func(e engine.Release) bool { return !e.ReadsTofuFiles() })
	}
	return slices.ContainsFunc(m.Source.Files, isOnlyTofu) || slices.ContainsFunc(items, isUnlike)
}

// summary words how much the overrides of a module change.
func summary(mod *merge.Module, left bool, diags hcl.Diagnostics) string {
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
	case files > 0 && left:
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
