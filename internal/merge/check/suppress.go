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
	module *load.Module
	all    []*comment
	files  map[string]*fileComments
}

// fileComments are the comments of a file, by their subject.
type fileComments struct {
	whole map[*Rule]*entry
	items map[extent]map[*Rule]*entry
	lines map[int]map[*Rule]*entry
}

// An extent is the stretch of a file that an item covers. It identifies the item, of which there
// may be several copies in memory.
type extent [2]int

func extentOf(it source.Item) extent {
	from, to := source.Spread(it)
	return extent{from, to}
}

// An entry is a rule that is off for something, perhaps by several comments.
type entry struct {
	rule     *Rule
	by       *comment // the first one
	silenced int      // findings
}

// CommentsOf finds the comments of a module.
func CommentsOf(m *load.Module) *Comments {
	c := &Comments{module: m, files: map[string]*fileComments{}}
	for _, f := range m.Files {
		list := commentsOf(f)
		if len(list) == 0 {
			continue
		}
		in := &fileComments{map[*Rule]*entry{}, map[extent]map[*Rule]*entry{}, map[int]map[*Rule]*entry{}}
		c.files[f.Name] = in
		c.all = append(c.all, list...)
		for _, k := range list {
			in.add(k)
		}
	}
	return c
}

// add registers the rules of a comment for its subject.
func (f *fileComments) add(k *comment) {
	var rules map[*Rule]*entry
	switch k.reach {
	case wholeFile:
		rules = f.whole
	case itsItem:
		rules = entriesAt(f.items, extentOf(k.item))
	case itsLine:
		rules = entriesAt(f.lines, k.Range.Start.Line)
	default:
		return
	}
	for _, id := range k.names {
		r := FindRule(id)
		if r == nil {
			continue
		}
		if rules[r] == nil {
			rules[r] = &entry{rule: r, by: k}
		}
		k.entries = append(k.entries, rules[r])
	}
}

func entriesAt[K comparable](all map[K]map[*Rule]*entry, at K) map[*Rule]*entry {
	if all[at] == nil {
		all[at] = map[*Rule]*entry{}
	}
	return all[at]
}

// Len is how many there are.
func (c *Comments) Len() int { return len(c.all) }

// Silence reports whether a comment silences a finding, which gets the comment.
func (c *Comments) Silence(x *Finding) bool {
	if len(c.files) > 0 {
		x.By = c.silencing(x)
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
	if len(c.files) == 0 {
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
func (c *Comments) silencing(x *Finding) *comment {
	if x.Severity == Error || x.Rule.Unsilenced {
		return nil
	}
	by := c.over(x, x.Range, true)
	isSilent := by != nil
	for _, it := range x.Also {
		isSilent = c.over(x, source.Where(it), true) != nil && isSilent
	}
	if x.Related != nil && !x.isAlso(x.Related.Range) {
		if other := c.over(x, x.Related.Range, false); other != nil {
			return cmp.Or(by, other)
		}
	}
	if !isSilent {
		return nil
	}
	return by
}

// isAlso reports whether a range belongs to a further item of a finding.
func (f *Finding) isAlso(at hcl.Range) bool {
	return slices.ContainsFunc(f.Also, func(it source.Item) bool { return source.Where(it) == at })
}

// over is the nearest comment on a range, or on its file, that silences a finding; or nil.
func (c *Comments) over(x *Finding, place hcl.Range, orFile bool) (by *comment) {
	count := func(e *entry) {
		if e == nil {
			return
		}
		e.silenced++
		if by == nil {
			by = e.by
		}
	}
	for _, r := range append([]*Rule{x.Rule}, x.Joint...) {
		c.at(place, r, count)
		if f := c.files[place.Filename]; f != nil && orFile {
			count(f.whole[r])
		}
	}
	return by
}

// at visits the entries that switch a rule off at a range of a file, the nearest first.
func (c *Comments) at(place hcl.Range, r *Rule, visit func(*entry)) {
	f := c.files[place.Filename]
	if f == nil || place.Start.Line == 0 {
		return
	}
	visit(f.lines[place.Start.Line][r])
	if len(f.items) == 0 {
		return
	}
	for it := load.ItemAt(c.module, place); it != nil; {
		visit(f.items[extentOf(it)][r])
		b := it.Within()
		if b == nil {
			return
		}
		it = b
	}
}
