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
// around them. Of a block and what it holds the block alone is listed. deniedIn gives
// the patterns for each override file.
func Denied(m *merge.Module, deniedIn func(name string) []Glob) []merge.Finding {
	d := &denial{told: map[load.Item]bool{}}
	globs, isAny := map[*load.File][]Glob{}, false
	for _, f := range m.Source.Files {
		if f.Role == load.Override {
			globs[f] = deniedIn(f.Name)
			isAny = isAny || len(globs[f]) > 0
		}
	}
	if !isAny {
		return nil
	}
	m.Walk(func(address string, e *merge.Entry) {
		counts := map[*load.Block]int{}
		for _, s := range e.Steps {
			if s.Item == nil || !load.IsOverride(s.Item) {
				continue
			}
			if d.globs = globs[s.Item.Source()]; len(d.globs) > 0 {
				d.item(d.start(), "", address, counts[s.Item.Within()], e, s.Item)
				counts[s.Item.Within()]++
			}
		}
	})
	return d.found
}

// A denial gathers what is forbidden.
type denial struct {
	globs []Glob
	found []merge.Finding
	told  map[load.Item]bool // with all that they hold
}

// A progress is how far each pattern has got, all ways to address a thing taken
// together: were each way followed by itself, every block around it would double
// their number.
type progress []reached

func (d *denial) start() progress {
	at := make(progress, len(d.globs))
	for i, g := range d.globs {
		at[i] = g.start()
	}
	return at
}

// follow goes on from what another address has reached, and tells whether a
// pattern is used up on the way.
func (d *denial) follow(from progress, address string) (progress, bool) {
	at, isMatch := slices.Clone(from), false
	for segment := range strings.SplitSeq(address, ".") {
		for i, g := range d.globs {
			at[i] = g.follow(at[i], segment)
			isMatch = isMatch || g.isAt(at[i])
		}
	}
	return at, isMatch
}

// item judges an item. around is how far the patterns got with what stands around
// it, whose address, with a dot, is before; name is how it goes on from there.
func (d *denial) item(around progress, before, name string, number int, e *merge.Entry, it load.Item) {
	if d.isTold(it) {
		return
	}
	at, isMatch := d.ways(around, name, number, it)
	if isMatch {
		d.told[it] = true
		d.found = append(d.found, deniedItem(before+name, e, it))
		return
	}
	b, ok := it.(*load.Block)
	if !ok || e.Inner != nil {
		return
	}
	counts := map[string]int{}
	for _, inner := range load.ContentOf(b.Tree()).Body.Items {
		d.item(at, before+name+".", inner.Called(), counts[inner.Called()], e, inner)
		counts[inner.Called()]++
	}
}

// ways follows the ways to address an item: by its name, for a block also by its
// number among those that stand together, and by its labels.
func (d *denial) ways(around progress, name string, number int, it load.Item) (progress, bool) {
	at, isMatch := d.follow(around, name)
	b, ok := it.(*load.Block)
	if !ok || it.Within() == nil {
		return at, isMatch
	}
	ways := []string{fmt.Sprintf("%s[%d]", name, number)}
	if len(b.Labels) > 0 && b.Called() == b.Type {
		ways = append(ways, name+"."+strings.Join(b.Labels, "."))
	}
	for _, way := range ways {
		other, isOther := d.follow(around, way)
		isMatch = isMatch || isOther
		for i := range at {
			at[i] = at[i].or(other[i])
		}
	}
	return at, isMatch
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
