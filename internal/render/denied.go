package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Denied lists the items of override files that a policy forbids, whether or not
// they have an effect: those whose address a pattern matches, or that of a block
// around them. Of a block and what it holds the block alone is listed. Files that
// are allowed are passed over.
func Denied(m *merge.Module, globs []Glob, allows func(name string) bool) []merge.Finding {
	d := &denial{globs: globs, allows: allows, told: map[load.Item]bool{}}
	if len(globs) > 0 {
		m.Walk(func(address string, e *merge.Entry) {
			counts := map[*load.Block]int{}
			for _, s := range e.Steps {
				if s.Item != nil && load.IsOverride(s.Item) && !allows(s.Item.Source().Name) {
					d.item(ways(address, s.Item, counts[s.Item.Within()]), e, s.Item)
					counts[s.Item.Within()]++
				}
			}
		})
	}
	return d.found
}

// A denial gathers what is forbidden.
type denial struct {
	globs  []Glob
	allows func(name string) bool
	found  []merge.Finding
	told   map[load.Item]bool // with all that they hold
}

// item judges an item that has several addresses, the plain one first.
func (d *denial) item(addresses []string, e *merge.Entry, it load.Item) {
	if d.isTold(it) {
		return
	}
	if slices.ContainsFunc(addresses, d.matches) {
		d.told[it] = true
		d.found = append(d.found, deniedItem(addresses[0], e, it))
		return
	}
	b, ok := it.(*load.Block)
	if !ok || e.Inner != nil {
		return
	}
	counts := map[string]int{}
	for _, inner := range load.ContentOf(b.Tree()).Body.Items {
		var all []string
		for _, address := range addresses {
			all = append(all, ways(address+"."+inner.Called(), inner, counts[inner.Called()])...)
		}
		counts[inner.Called()]++
		d.item(all, e, inner)
	}
}

// matches tells whether a pattern matches an address, or a part of it that leads
// there.
func (d *denial) matches(address string) bool {
	segments := strings.Split(address, ".")
	for n := 1; n <= len(segments); n++ {
		part := strings.Join(segments[:n], ".")
		if slices.ContainsFunc(d.globs, func(g Glob) bool { return g.Match(part) }) {
			return true
		}
	}
	return false
}

// ways are the ways to address an item: by its name, for a block also by its
// number among those that stand together, and by its labels.
func ways(address string, it load.Item, number int) []string {
	list := []string{address}
	b, ok := it.(*load.Block)
	if !ok || it.Within() == nil {
		return list
	}
	list = append(list, fmt.Sprintf("%s[%d]", address, number))
	if len(b.Labels) > 0 && b.Called() == b.Type {
		list = append(list, address+"."+strings.Join(b.Labels, "."))
	}
	return list
}

// isTold tells whether a block around an item is listed already.
func (d *denial) isTold(it load.Item) bool {
	for b := it.Within(); b != nil; b = b.Within() {
		if d.told[b] {
			return true
		}
	}
	return false
}

func deniedItem(address string, e *merge.Entry, it load.Item) merge.Finding {
	f := denied(whereIs(it), fmt.Sprintf("The policy denies overrides of %s. Change the primary file instead.", load.Escape(address)))
	f.Address, f.Entry = address, e
	return f
}

// DeniedFile is the finding that an override file is there although none may be.
func DeniedFile(name string) merge.Finding {
	return denied(hcl.Range{Filename: name}, "The policy denies override files. Change the primary files instead, or allow this file by its name.")
}

func denied(at hcl.Range, message string) merge.Finding {
	r := merge.FindCheckRule("denied-override")
	return merge.Finding{Rule: r, Severity: r.Severity, Range: at, Summary: r.Title + ".", Message: message}
}
