package check

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// Comments are the comments of a module that switch rules off. They record how many findings they
// silence, and are for one goroutine.
type Comments struct {
	module  *load.Module
	all     []*comment
	entries map[entryKey]*entry
	onItems map[string]bool // files in which a comment switches rules off for an item
	added   map[*entry]bool // that the other state of Reveal doesn't have
}

// An entry is a rule that is off for something, perhaps by several comments.
type entry struct {
	rule     *Rule
	by       *comment // the first one
	silenced int      // findings
}

// An entryKey is the rule of an entry and its subject: an item by its extent, a line by its number,
// or a whole file.
type entryKey struct {
	file  string
	reach reach
	at    extent
	rule  *Rule
}

// An extent is the stretch of a file that an item covers. It identifies the item, of which there
// may be several copies in memory.
type extent [2]int

func extentOf(it source.Item) extent {
	from, to := source.Spread(it)
	return extent{from, to}
}

// CommentsOf finds the comments of a module.
func CommentsOf(m *load.Module) *Comments {
	c := &Comments{module: m, entries: map[entryKey]*entry{}, onItems: map[string]bool{}}
	for _, f := range m.Files {
		for _, k := range commentsOf(f) {
			c.add(k)
		}
	}
	return c
}

// add registers the rules of a comment for its subject.
func (c *Comments) add(k *comment) {
	c.all = append(c.all, k)
	key := entryKey{file: k.File.Name, reach: k.reach}
	switch k.reach {
	case nothing:
		return
	case itsItem, itsHeader:
		key.at = extentOf(k.item)
		c.onItems[k.File.Name] = true
	case itsLine:
		key.at = extent{k.Range.Start.Line}
	}
	for _, id := range k.names {
		if key.rule = FindRule(id); key.rule == nil {
			continue
		}
		if c.entries[key] == nil {
			c.entries[key] = &entry{rule: key.rule, by: k}
		}
		k.entries = append(k.entries, c.entries[key])
	}
}

// Len is how many there are.
func (c *Comments) Len() int { return len(c.all) }

// Silence reports whether a comment silences a finding, which gets the comment.
func (c *Comments) Silence(x *Finding) bool {
	if len(c.all) > 0 {
		x.By = c.silencing(x, func(e *entry, _ hcl.Range, _ bool) bool {
			e.silenced++
			return true
		})
	}
	return x.By != nil
}

// A Suppression is a warning that a comment switches off, and the finding that it would be.
type Suppression struct {
	Warning *hcl.Diagnostic
	Finding
}

// Unignored are the diagnostics of a list, but for warnings of rules that a comment
// switches off. These are listed, too.
func Unignored(m *load.Module, diags hcl.Diagnostics) (shown hcl.Diagnostics, silenced []Suppression) {
	c := CommentsOf(m)
	if len(c.all) == 0 {
		return diags, nil
	}
	shown = slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool {
		x, isFound := findingOf(m, d)
		if !isFound || !c.Silence(&x) {
			return false
		}
		silenced = append(silenced, Suppression{d, x})
		return true
	})
	return shown, silenced
}

// Addressed sets the addresses of silenced warnings' items, below own, which is empty for a module
// outside a tree.
func Addressed(m *merge.Module, own address.Address, list []Suppression) {
	var diags hcl.Diagnostics
	for i := range list {
		diags = append(diags, list[i].Warning)
	}
	f := &findings{m: m, refused: map[source.Item]bool{}}
	f.namesOf(diags, false)
	for i := range list {
		if a := f.names[load.ItemAt(m.Source, list[i].Range)].address; !a.IsEmpty() {
			list[i].Address = own.Join(a)
		}
	}
}

// silencing returns the nearest comment that silences a finding, or nil. It looks at the finding's
// line, its item, the blocks around that, the file, and then the second range. If the finding is
// about further equal items, each needs a comment, and each comment is credited. No comment hides
// an error: a refusal of the engine stays, and people whom a policy binds can't lift it.
func (c *Comments) silencing(x *Finding, counts credit) *comment {
	if x.Severity == Error || x.Rule.Unsilenced {
		return nil
	}
	by := c.over(x, x.Range, true, counts)
	isSilent := by != nil
	for _, it := range x.Also {
		isSilent = c.over(x, source.Where(it), true, counts) != nil && isSilent
	}
	if x.Related != nil && !x.isAlso(x.Related.Range) {
		if other := c.over(x, x.Related.Range, false, counts); other != nil {
			return cmp.Or(by, other)
		}
	}
	if !isSilent {
		return nil
	}
	return by
}

// A credit decides whether an entry for a range silences a finding. The range isOwn unless it is the second one.
type credit func(e *entry, place hcl.Range, isOwn bool) bool

// isAlso reports whether a range belongs to a further item of a finding.
func (f *Finding) isAlso(at hcl.Range) bool {
	return slices.ContainsFunc(f.Also, func(it source.Item) bool { return source.Where(it) == at })
}

// over is the nearest comment that silences a finding at a range; or nil. The comment may be about
// the file if the range is the finding's own.
func (c *Comments) over(x *Finding, place hcl.Range, isOwn bool, counts credit) (by *comment) {
	take := func(e *entry) {
		if e != nil && counts(e, place, isOwn) && by == nil {
			by = e.by
		}
	}
	for _, r := range append([]*Rule{x.Rule}, x.Joint...) {
		c.at(place, r, take)
		if isOwn {
			take(c.entries[entryKey{place.Filename, wholeFile, extent{}, r}])
		}
	}
	return by
}

// at visits the entries that switch a rule off at a range of a file, the nearest first.
func (c *Comments) at(place hcl.Range, r *Rule, visit func(*entry)) {
	if place.Start.Line == 0 {
		return
	}
	visit(c.entries[entryKey{place.Filename, itsLine, extent{place.Start.Line}, r}])
	if !c.onItems[place.Filename] {
		return
	}
	for it := load.ItemAt(c.module, place); it != nil; {
		visit(c.entries[entryKey{place.Filename, itsHeader, extentOf(it), r}])
		visit(c.entries[entryKey{place.Filename, itsItem, extentOf(it), r}])
		b := it.Within()
		if b == nil {
			return
		}
		it = b
	}
}
