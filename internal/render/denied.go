package render

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Denied lists the items of override files that a policy forbids, whether or not
// they have an effect: those whose address a pattern matches. Of a block and what
// it holds the block alone is listed. Files that are allowed are passed over.
func Denied(m *merge.Module, globs []Glob, allows func(name string) bool) []merge.Finding {
	d := &denial{globs: globs, allows: allows, told: map[load.Item]bool{}}
	if len(globs) > 0 {
		m.Walk(func(address string, e *merge.Entry) {
			for _, s := range e.Steps {
				if s.Item != nil {
					d.item(address, e, s.Item)
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

func (d *denial) item(address string, e *merge.Entry, it load.Item) {
	if !isOverride(it) || d.allows(it.Source().Name) || d.isTold(it) {
		return
	}
	for _, g := range d.globs {
		if g.Match(address) {
			d.told[it] = true
			d.found = append(d.found, deniedItem(address, e, it))
			return
		}
	}
	if b, ok := it.(*load.Block); ok && e.Inner == nil {
		for _, inner := range b.Tree().Body.Items {
			d.item(address+"."+inner.Called(), e, inner)
		}
	}
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
