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

// Count returns how many findings it stands for, itself included.
func (f *Finding) Count() int { return max(1, f.More) }

// Count returns how many findings a list stands for.
func Count(found []Finding) (n int) {
	for i := range found {
		n += found[i].Count()
	}
	return n
}

// IsRefusal reports whether the engine refuses the module because of the finding, or the program can't judge
// it.
func (f *Finding) IsRefusal() bool {
	return f.Severity == Error && (f.Rule.Refusal || f.Rule.Severity < Error)
}

// Plain returns the message, or the summary if the message may quote values of the configuration. Names of
// arguments and keys aren't values.
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

// Each calls visit with the findings of Findings, one by one: a module may have very many, and few of them
// are kept.
func Each(m *merge.Module, diags hcl.Diagnostics, looksFor func(id string) bool, visit func(Finding)) {
	diagnosed(m, diags, looksFor, visit).undiagnosed(diags.HasErrors())
}

// diagnosed visits the findings made of diagnostics, which include all refusals. It returns the state for
// undiagnosed.
func diagnosed(m *merge.Module, diags hcl.Diagnostics, looksFor func(id string) bool, visit func(Finding)) *findings {
	f := &findings{m: m, looksFor: looksFor, visit: visit, refused: map[source.Item]bool{}, paths: map[string]bool{}, variables: map[*merge.MergedItem]*variable{}, work: limits.FreeBudget / 4}
	diags = withoutRepeats(diags)
	f.namesOf(diags, looksFor(unmarkedOverride.ID))
	for _, d := range diags {
		f.diagnostic(d)
		f.handOver()
	}
	return f
}

// undiagnosed visits the findings made of file names and histories. isRefused tells that the engine refuses
// the module.
func (f *findings) undiagnosed(isRefused bool) {
	for _, e := range f.m.Source.Names {
		f.judgeName(e)
	}
	address.Walk(f.m, func(own address.Address, e *merge.MergedItem) {
		f.current = nameItem{own, e}
		f.history(e)
		f.handOver()
	})
	f.current = nameItem{}
	if f.looksFor(unmarkedOverride.ID) {
		f.unmarked(isRefused)
	}
	f.addsOnly()
	f.handOver()
}

// handOver visits the findings made so far. From then on, no pointer from add may be used.
func (f *findings) handOver() {
	for _, x := range f.found {
		f.visit(x)
	}
	clear(f.found)
	f.found = f.found[:0]
}

// namesOf fills in f.names and f.refused: the names of the items in diagnostics, or with isAll those of all
// items in histories.
func (f *findings) namesOf(diags hcl.Diagnostics, isAll bool) {
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

// Unreadable returns the finding that a file can't be read, or with an empty name the directory itself.
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

// Ignored returns the finding that git tracks an override file although a .gitignore file names it; at is
// where.
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

// nameOf returns the name that an item addresses; by default that of the history being judged.
func (f *findings) nameOf(it source.Item) nameItem {
	if known, ok := f.names[it]; ok {
		return known
	}
	return f.current
}

// judgeName judges the name of a file: one that another file shadows, or that only resembles an override
// file's.
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

// history judges the history of one merged item.
func (f *findings) history(e *merge.MergedItem) {
	outcomes := e.Outcomes()
	var repeated map[source.Item]bool
	if e.Inner() == nil {
		repeated = f.repeats(e, outcomes)
	}
	for _, o := range outcomes {
		if e.Inner() == nil && source.IsOverride(o.Item) && !repeated[o.Item] && isSuperseded(o) {
			f.superseded(o)
		}
		if e.Rule.TofuOnly && o.Status == effect.StatusNoEffect && !source.IsOverride(o.Item) {
			f.add(inertRequiredVersion, o.Item, "%s %s", o.Why(), merge.RemedyTofuOnly(o.Item))
		}
	}
	if e.InEffect() && f.isRefused(e.Live[0]) {
		return
	}
	f.replaced(e)
	f.emptied(e)
	f.lost(e)
	f.versioned(e)
	f.narrowed(e)
}

// isRefused reports whether an item, or a block around it, has an error. Its other effects matter
// only once that is corrected.
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

// A boundKey identifies findings that share the limit maxAlike.
type boundKey struct {
	rule     *Rule
	severity Severity
	file     string
}

// Bounded lists, of each rule in each file, the first maxAlike findings, followed by one that stands for the
// others. found must be in order.
func Bounded(found []Finding) []Finding {
	counts := map[boundKey]int{}
	for i := range found {
		counts[kindOf(&found[i])] += found[i].Count()
	}
	isFew := true
	for _, n := range counts {
		isFew = isFew && n <= maxAlike
	}
	if isFew {
		return found
	}
	seen := map[boundKey]int{}
	var list []Finding
	for i := range found {
		if found[i].More > 0 {
			continue
		}
		kind := kindOf(&found[i])
		seen[kind]++
		if seen[kind] <= maxAlike {
			list = append(list, found[i])
		}
		if more := counts[kind] - maxAlike; seen[kind] == maxAlike && more > 0 {
			list = append(list, moreFindings(kind, more))
		}
	}
	return list
}

// A List gathers findings of a module. With IsShort, it keeps few more findings than Bounded lists, so its
// memory is bounded.
type List struct {
	IsShort bool

	kinds map[boundKey]*findingGroup
	count int
}

// A findingGroup holds the findings with one boundKey.
type findingGroup struct {
	list []*numberedFinding
	more int // that are not in the list
}

// A numberedFinding is a finding with its number in the list, and the index of its file, both to sort by.
type numberedFinding struct {
	Finding
	number, file int
}

// Add adds a finding that stands for itself only.
func (l *List) Add(f Finding) {
	kind := kindOf(&f)
	of := l.kinds[kind]
	if of == nil {
		if l.kinds == nil {
			l.kinds = map[boundKey]*findingGroup{}
		}
		of = &findingGroup{}
		l.kinds[kind] = of
	}
	l.count++
	if of.list = append(of.list, &numberedFinding{Finding: f, number: l.count}); l.IsShort && len(of.list) == 2*maxAlike {
		of.shorten()
	}
}

// shorten keeps the maxAlike findings that come first in the file, and counts the others.
func (g *findingGroup) shorten() {
	slices.SortStableFunc(g.list, func(a, b *numberedFinding) int { return a.Range.Start.Byte - b.Range.Start.Byte })
	g.more += len(g.list) - maxAlike
	clear(g.list[maxAlike:])
	g.list = g.list[:maxAlike]
}

// All returns the findings in the order of Sort. Findings are large, so it sorts pointers.
func (l *List) All(m *merge.Module) []Finding {
	order := make(map[string]int, len(m.Source.Files))
	for i, file := range m.Source.Files {
		order[file.Name] = i - len(m.Source.Files)
	}
	list := make([]*numberedFinding, 0, min(l.count, 2*maxAlike*len(l.kinds)))
	for kind, of := range l.kinds {
		if l.IsShort && len(of.list) > maxAlike {
			of.shorten()
		}
		from := len(list)
		if list = append(list, of.list...); of.more > 0 {
			list = append(list, &numberedFinding{Finding: moreFindings(kind, of.more), number: of.list[0].number})
		}
		for _, x := range list[from:] {
			x.file = order[kind.file]
		}
	}
	slices.SortFunc(list, func(a, b *numberedFinding) int {
		return cmp.Or(a.file-b.file, strings.Compare(a.Range.Filename, b.Range.Filename), min(a.More, 1)-min(b.More, 1),
			a.Range.Start.Byte-b.Range.Start.Byte, a.number-b.number)
	})
	found := make([]Finding, len(list))
	for i, x := range list {
		found[i] = x.Finding
	}
	return found
}

// Terse yields findings that are shown together, in order. It leaves out a sentence that an earlier message
// already contains. Don't use them for a Key, which must not depend on other findings.
func Terse(found []Finding) iter.Seq2[int, Finding] {
	return func(yield func(int, Finding) bool) {
		traps := diag.Traps{}
		for i, f := range found {
			f.Message = traps.Once(f.Range.Filename, f.Message)
			if !yield(i, f) {
				return
			}
		}
	}
}

// kindOf returns the key of the limit that a finding counts for.
func kindOf(f *Finding) boundKey { return boundKey{f.Rule, f.Severity, f.Range.Filename} }

// moreFindings returns the finding that stands for n others.
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

// Take sorts one finding.
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

// TakeComments makes and sorts the findings about comments. All others must have been taken. With isWhole
// false, m isn't the module that the comments were written for, but one without some of its files: then a
// comment that silences nothing is no finding.
func (s *Sieve) TakeComments(m *merge.Module, isWhole bool) {
	if s.Comments == nil {
		return
	}
	about := s.Comments.misnamed(m)
	if isWhole {
		about = append(about, s.Comments.unused(m, s.errors, func(r *Rule) bool {
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

func (s *Sieve) leaveOut(f Finding) {
	if s.LeftOut != nil {
		s.LeftOut(f)
	}
}
