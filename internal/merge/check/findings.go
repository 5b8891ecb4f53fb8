package check

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// A Finding is something that check found.
type Finding struct {
	Rule     *Rule
	Severity Severity  // of Rule, or higher where the engine refuses the module for it
	Range    hcl.Range // where people find it; line 0 for a file as a whole
	Summary  string    // the problem, without any value of the configuration
	Message  string    // the same in full
	Full     string    // Message with all names instead of their number, for Key; may be empty if Message counts none
	Related  *diag.Related
	Address  address.Address
	Item     *merge.MergedItem // the history with the details, or nil
	By       *comment          // the comment that silences it, or nil
	More     int               // how many unlisted findings it stands for; 0 for an ordinary finding
	Also     []source.Item     // further items that it is about, and that its fix removes, too
	Joint    []*Rule           // other rules that find the same fact, whose comments silence it
	Former   []Key             // the keys of all findings that earlier versions made of it, with lines
	Fact     *Fact             // set for a denied item if it is compared with another run
	Fails    bool              // it makes the run fail
	Unlike   engineExcept      // the engine for which it doesn't hold; the zero value if none is known, see Qualified
}

// Count returns how many findings f stands for: 1 for an ordinary finding.
func (f *Finding) Count() int { return max(1, f.More) }

// Count returns how many findings a list stands for.
func Count(found []Finding) (n int) {
	for i := range found {
		n += found[i].Count()
	}
	return n
}

// IsRefusal reports whether the engine refuses the module because of the finding, or the program can't judge
// the module. A finding that is an error although its rule is milder was raised because the engine refuses the
// module.
func (f *Finding) IsRefusal() bool {
	return f.Severity == Error && (f.Rule.Refusal || f.Rule.Severity < Error)
}

// Plain returns the message, or only the summary if the message may quote values of the configuration, as
// those of refusals may. Names of arguments and keys aren't values.
func (f *Finding) Plain() string {
	if f.Rule.Quotes || f.IsRefusal() {
		return f.Summary
	}
	return f.Message
}

// At returns a finding of the rule at a range. Findings are made only by At, even in other packages.
func (r *Rule) At(at hcl.Range, message string) Finding {
	return Finding{Rule: r, Severity: r.Severity, Range: at, Summary: r.Title + ".", Message: message}
}

// A findings gathers the findings of a module.
type findings struct {
	m        *merge.Module
	visit    func(Finding)
	found    []Finding                // not visited so far
	names    map[source.Item]nameItem // what items address, for findings that aren't made from a history
	current  nameItem                 // the item being judged
	looksFor func(id string) bool
	refused  map[source.Item]bool // that have errors
	paths    map[string]bool      // whether local values make paths, by name

	variables map[*merge.MergedItem]*variable
	work      limits.Budget // of the values that variables are given
}

// A nameItem is the address that an item sets, and the merged item there.
type nameItem struct {
	address address.Address
	item    *merge.MergedItem
}

// Findings lists the findings of a module and of its diagnostics. Those of rules that looksFor rejects, by
// id, may be left out. Findings that comments suppress are included.
func Findings(m *merge.Module, diags hcl.Diagnostics, looksFor func(id string) bool) (list []Finding) {
	Each(m, diags, looksFor, func(f Finding) { list = append(list, f) })
	return list
}

// Each calls visit with the findings of Findings, one by one: there may be very many, and a caller may keep
// only a few.
func Each(m *merge.Module, diags hcl.Diagnostics, looksFor func(id string) bool, visit func(Finding)) {
	visitDiagnosed(m, diags, looksFor, visit).visitUndiagnosed(diags.HasErrors())
}

// visitDiagnosed visits the findings made from diagnostics, which include all refusals. It returns the state
// that visitUndiagnosed continues with.
func visitDiagnosed(m *merge.Module, diags hcl.Diagnostics, looksFor func(id string) bool, visit func(Finding)) *findings {
	f := &findings{
		m: m, looksFor: looksFor, visit: visit,
		refused: map[source.Item]bool{}, paths: map[string]bool{}, variables: map[*merge.MergedItem]*variable{},
		work: limits.FreeBudget / 4,
	}
	diags = mergeVersionDiagnostics(diags)
	// judgeUnmarked makes findings about any block, so it needs all names.
	f.collectNames(diags, looksFor(unmarkedOverride.ID))
	for _, d := range diags {
		f.addDiagnostic(d)
		f.handOver()
	}
	return f
}

// visitUndiagnosed visits the findings that no diagnostic reports: those made from file names and histories.
// isRefused tells that the engine refuses the module.
func (f *findings) visitUndiagnosed(isRefused bool) {
	for _, e := range f.m.Source.Names {
		f.judgeName(e)
	}
	address.Walk(f.m, func(own address.Address, e *merge.MergedItem) {
		f.current = nameItem{own, e}
		f.judgeHistory(e)
		f.handOver()
	})
	f.current = nameItem{}
	if f.looksFor(unmarkedOverride.ID) {
		f.judgeUnmarked(isRefused)
	}
	f.judgeAddsOnly()
	f.handOver()
}

// handOver visits the findings gathered so far, and empties f.found. From then on, pointers that add returned
// are invalid.
func (f *findings) handOver() {
	for _, x := range f.found {
		f.visit(x)
	}
	clear(f.found)
	f.found = f.found[:0]
}

// collectNames fills in f.names, since a diagnostic has a range but no address. It first marks the items of all
// diagnostics, then takes their addresses from the histories; with isAll, those of all other items as well. It also
// records the items with errors in f.refused.
func (f *findings) collectNames(diags hcl.Diagnostics, isAll bool) {
	f.names = map[source.Item]nameItem{}
	for _, d := range diags {
		x, isFound := findingOf(f.m.Source, d)
		if !isFound {
			continue
		}
		if it := load.ItemAt(f.m.Source, *d.Subject); it != nil {
			f.names[it] = nameItem{}
			f.refused[it] = f.refused[it] || diag.IsError(d)
		}
		for _, it := range x.Also {
			f.names[it] = nameItem{}
		}
	}
	if len(f.names) == 0 && !isAll {
		return
	}
	address.Walk(f.m, func(own address.Address, e *merge.MergedItem) {
		for _, s := range e.Steps {
			if _, isWanted := f.names[s.Item]; s.Item != nil && (isWanted || isAll) {
				f.names[s.Item] = nameItem{own, e}
			}
		}
	})
}

// Unreadable returns the finding that a file can't be read, or the directory itself if name is empty.
func Unreadable(name string, err error) Finding {
	return unreadable.At(hcl.Range{Filename: name}, err.Error())
}

// InternalError returns the finding that the program itself failed on a module.
func InternalError(message string) Finding {
	return internalError.At(hcl.Range{}, message)
}

// Untracked returns the finding that git doesn't track an override file.
func Untracked(name string) Finding {
	return UntrackedOverride.At(hcl.Range{Filename: name},
		"Git doesn't track this file, so it applies here and never reaches CI. To share it, run git add; otherwise remove it.")
}

// Ignored returns the finding that git tracks an override file although a .gitignore file names it. at is the
// location of that pattern.
func Ignored(name, at string) Finding {
	return IgnoredOverride.At(hcl.Range{Filename: name}, fmt.Sprintf(
		"Git tracks this file although %s names it, so it applies to everybody. To keep it to yourself, run git rm --cached; otherwise change the pattern.", at))
}

// Sort sorts findings by file, in load order, and by position. Files that aren't read come last. A finding
// that stands for others comes last in its file.
func Sort(m *merge.Module, found []Finding) {
	l := List{}
	for _, f := range found {
		l.Add(f)
	}
	copy(found, l.All(m))
}

// add appends a finding about an item, and returns it so that the caller can add to it. The pointer is valid
// until the next add.
func (f *findings) add(r *Rule, it source.Item, format string, args ...any) *Finding {
	f.found = append(f.found, f.finding(r, it, format, args...))
	return &f.found[len(f.found)-1]
}

// finding returns a finding about an item, with the item's address, without adding it.
func (f *findings) finding(r *Rule, it source.Item, format string, args ...any) Finding {
	x := r.At(source.Where(it), fmt.Sprintf(format, args...))
	of := f.nameOf(it)
	x.Address, x.Item = of.address, of.item
	return x
}

// nameOf returns the address and the merged item that an item belongs to. Without an entry in f.names it's the
// history being judged.
func (f *findings) nameOf(it source.Item) nameItem {
	if known, ok := f.names[it]; ok {
		return known
	}
	return f.current
}

// judgeName judges the name of a file. It adds a finding if another file shadows it (a.tf beside a.tofu), or
// if no engine reads the file but its name resembles an override file's.
func (f *findings) judgeName(e load.DirEntry) {
	at := hcl.Range{Filename: e.Name}
	add := func(r *Rule, format string, args ...any) {
		f.found = append(f.found, r.At(at, fmt.Sprintf(format, args...)))
	}
	switch {
	case e.Status == load.Shadowed:
		add(shadowedFile, "%s shadows this file: OpenTofu reads only that one, Terraform only this one. Remove one of the two, or keep both if the module is for both.", diag.FileName(e.By))
	case e.Meant != "" && e.Status == load.Unread:
		add(nearMissFilename, "No engine reads %s. If it is meant to override, rename it to %s.", diag.FileName(e.Name), diag.FileName(e.Meant))
	}
}

// judgeHistory adds the findings about one merged item. A superseded override gets its own finding unless
// judgeRepeats already covers it.
func (f *findings) judgeHistory(e *merge.MergedItem) {
	outcomes := e.Outcomes()
	isWhole := e.Inner() == nil // otherwise it was merged argument by argument, and these are judged instead
	var isCovered map[source.Item]bool
	if isWhole {
		isCovered = f.judgeRepeats(e, outcomes)
	}
	for _, o := range outcomes {
		isInOverride := source.IsOverride(o.Item)
		if isWhole && isInOverride && !isCovered[o.Item] && isSuperseded(o) {
			f.addSuperseded(o)
		}
		// required_version in a .tf file, which OpenTofu ignores.
		if e.Rule.TofuOnly && o.Status == effect.StatusNoEffect && !isInOverride {
			f.add(inertRequiredVersion, o.Item, "%s %s", o.Why(), merge.RemedyTofuOnly(o.Item))
		}
	}
	// What an item with an error drops matters only once the error is corrected.
	if e.InEffect() && f.isRefused(e.Live[0]) {
		return
	}
	f.judgeReplacedBlocks(e)
	f.judgeEmptied(e)
	f.judgeLostKeys(e)
	f.judgeVersion(e)
	f.judgeNarrowedType(e)
}

// isRefused reports whether an item, or a block around it, has an error.
func (f *findings) isRefused(it source.Item) bool {
	for {
		b := it.Within()
		if f.refused[it] || b == nil {
			return f.refused[it]
		}
		it = b
	}
}

// maxAlike limits how many findings of one rule in one file are listed. A small file can contain very many
// mistakes.
const maxAlike = 100

// A boundKey groups the findings that share the limit maxAlike: of one rule, severity and file.
type boundKey struct {
	rule     *Rule
	severity Severity
	file     string
}

// Bounded returns found, which must be in order, with at most maxAlike findings of each group: of one rule, severity
// and file. In a larger group, one finding that stands for all others follows them.
func Bounded(found []Finding) []Finding {
	counts := map[boundKey]int{}
	for i := range found {
		counts[boundKeyOf(&found[i])] += found[i].Count()
	}
	isWithinLimit := true
	for _, n := range counts {
		isWithinLimit = isWithinLimit && n <= maxAlike
	}
	if isWithinLimit {
		return found
	}
	seen := map[boundKey]int{}
	var list []Finding
	for i := range found {
		// This one stands for others, which a List has left out. The one added below includes them, since they are in
		// counts. It is certainly added: before a List leaves out any of a group, it keeps maxAlike.
		if found[i].More > 0 {
			continue
		}
		kind := boundKeyOf(&found[i])
		seen[kind]++
		if seen[kind] <= maxAlike {
			list = append(list, found[i])
		}
		if more := counts[kind] - maxAlike; seen[kind] == maxAlike && more > 0 { // right behind the last one listed
			list = append(list, moreFindings(kind, more))
		}
	}
	return list
}

// A List gathers findings of a module. With IsShort, each group of findings alike keeps at most twice as many
// as Bounded lists, so its memory is bounded.
type List struct {
	IsShort bool

	kinds map[boundKey]*findingGroup
	count int // of all findings ever added
}

// A findingGroup holds the findings with one boundKey.
type findingGroup struct {
	list []*numberedFinding
	more int // how many were removed from the list
}

// A numberedFinding is a finding with its number in the list, and the index of its file, both to sort by.
type numberedFinding struct {
	Finding
	number, file int
}

// Add adds a finding that stands for itself only (More is 0). With IsShort, it shortens the finding's group to
// maxAlike when the group reaches twice that size: sorting at each call would take too long.
func (l *List) Add(f Finding) {
	kind := boundKeyOf(&f)
	group := l.kinds[kind]
	if group == nil {
		if l.kinds == nil {
			l.kinds = map[boundKey]*findingGroup{}
		}
		group = &findingGroup{}
		l.kinds[kind] = group
	}
	l.count++
	group.list = append(group.list, &numberedFinding{Finding: f, number: l.count})
	if l.IsShort && len(group.list) == 2*maxAlike {
		group.shorten()
	}
}

// shorten keeps the maxAlike findings that come first in the file, and counts the others in more.
func (g *findingGroup) shorten() {
	slices.SortStableFunc(g.list, func(a, b *numberedFinding) int { return a.Range.Start.Byte - b.Range.Start.Byte })
	g.more += len(g.list) - maxAlike
	clear(g.list[maxAlike:])
	g.list = g.list[:maxAlike]
}

// All returns the findings sorted as Sort describes. It sorts pointers, because findings are large.
func (l *List) All(m *merge.Module) []Finding {
	order := make(map[string]int, len(m.Source.Files))
	for i, file := range m.Source.Files {
		order[file.Name] = i - len(m.Source.Files) // negative, so that files the module doesn't read, with 0, come last
	}
	list := make([]*numberedFinding, 0, min(l.count, 2*maxAlike*len(l.kinds)))
	for kind, group := range l.kinds {
		if l.IsShort && len(group.list) > maxAlike {
			group.shorten()
		}
		from := len(list)
		list = append(list, group.list...)
		if group.more > 0 { // the number orders it only among those that stand for others of other groups
			list = append(list, &numberedFinding{Finding: moreFindings(kind, group.more), number: group.list[0].number})
		}
		for _, x := range list[from:] {
			x.file = order[kind.file]
		}
	}
	slices.SortFunc(list, (*numberedFinding).compare)
	found := make([]Finding, len(list))
	for i, x := range list {
		found[i] = x.Finding
	}
	return found
}

// compare orders findings as Sort describes, and those at one position by their numbers.
func (x *numberedFinding) compare(y *numberedFinding) int {
	return cmp.Or(x.file-y.file, strings.Compare(x.Range.Filename, y.Range.Filename),
		min(x.More, 1)-min(y.More, 1), // those that stand for others (More > 0) last
		x.Range.Start.Byte-y.Range.Start.Byte, x.number-y.number)
}

// Terse yields findings that are shown together, in order. Some messages end with the hint that the file's name makes
// it an override file (diag.TrapOfName); of each file, only the first keeps it. Make a Key from the original finding,
// because it must not depend on others.
func Terse(found []Finding) iter.Seq2[int, Finding] {
	return func(yield func(int, Finding) bool) {
		hinted := diag.Traps{}
		for i, f := range found {
			f.Message = hinted.Once(f.Range.Filename, f.Message)
			if !yield(i, f) {
				return
			}
		}
	}
}

// boundKeyOf returns the group in which a finding counts towards maxAlike.
func boundKeyOf(f *Finding) boundKey { return boundKey{f.Rule, f.Severity, f.Range.Filename} }

// moreFindings returns the finding that stands for n unlisted ones of a group.
func moreFindings(kind boundKey, n int) Finding {
	text := fmt.Sprintf("%d more findings of this rule in this file are not listed.", n)
	if n == 1 {
		text = "1 more finding of this rule in this file is not listed."
	}
	more := kind.rule.At(hcl.Range{Filename: kind.file}, text)
	more.Severity, more.Summary, more.More = kind.severity, text, n
	return more
}

// A Sieve sorts the findings of a module into those that are wanted, silenced by comments, or left out.
type Sieve struct {
	Wants    func(Finding) bool
	Comments *Comments // nil if they must be ignored
	// LeftOut, if set, receives the other findings.
	LeftOut func(Finding)
	// Left and Silenced are the wanted findings, without and with a comment that silences them.
	Left, Silenced List

	errors errorPlaces
}

// Take puts one finding into Left or Silenced, or hands it to LeftOut.
func (s *Sieve) Take(f Finding) {
	s.errors.note(&f)
	switch {
	case !s.Wants(f):
		s.leaveOut(f)
	case s.Comments != nil && s.Comments.Silence(&f):
		s.Silenced.Add(f)
	default:
		s.Left.Add(f)
	}
}

// TakeComments makes the findings about comments that switch rules off, and puts each into Left or hands it to
// LeftOut. Call it after Take has seen all other findings. isWhole is false if m lacks some files of the module. A
// comment may then silence nothing only because of that, so none is reported as unused.
func (s *Sieve) TakeComments(m *merge.Module, isWhole bool) {
	if s.Comments == nil {
		return
	}
	about := s.Comments.findMisnamed(m)
	if isWhole {
		about = append(about, s.Comments.findUnused(m, s.errors, func(r *Rule) bool {
			return s.Wants(Finding{Rule: r, Severity: r.Severity})
		})...)
	}
	for _, f := range about {
		if s.Wants(f) {
			s.Left.Add(f)
		} else {
			s.leaveOut(f)
		}
	}
}

// leaveOut hands an unwanted finding to LeftOut, if that is set.
func (s *Sieve) leaveOut(f Finding) {
	if s.LeftOut != nil {
		s.LeftOut(f)
	}
}
