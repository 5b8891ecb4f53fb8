package merge

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
)

// A merger is the state of one merge.
type merger struct {
	src *load.Module
	*definer
	once      map[*rules.Rule]source.Item // first items of the override file at hand
	hasEffect bool                        // an override of that file takes effect
	deferred  []func()                    // applied after the rest of that file

	renewals    map[renewalKey]*renewal
	spareGroups [][]group // for groups, one after the other

	vars  map[*MergedItem]*variable.State
	added map[*source.Block]bool
	order int32
	hints int // how many similar names were looked for
	// similar caches the candidates for misspelt names.
	similar map[candidatesKey]candidateSet
	// unwritten holds the ranges of diagnostics that have no counterpart in the native text of a
	// JSON file.
	unwritten      map[*hcl.Diagnostic]hcl.Range
	doubts         ambiguities
	advised        []untriedRemedy       // whose remedies are tried when all files are merged
	effectiveFiles map[*source.File]bool // see Module
	// partial is set if some primary file is broken, so that seemingly missing declarations may
	// exist.
	partial bool
}

func newMerger(src *load.Module) *merger {
	own := newDefiner(rules.NewSet(src.Engine))
	own.meant = meantNames(src)
	return &merger{
		src:            src,
		definer:        own,
		vars:           map[*MergedItem]*variable.State{},
		added:          map[*source.Block]bool{},
		once:           map[*rules.Rule]source.Item{},
		renewals:       map[renewalKey]*renewal{},
		effectiveFiles: map[*source.File]bool{},
		similar:        map[candidatesKey]candidateSet{},

		unwritten: map[*hcl.Diagnostic]hcl.Range{},
		doubts:    ambiguities{},
	}
}

// meantNames are what files would have to be called to be override files, if they seem to be meant
// to be some, and declare nothing that an override file can't: each of their blocks is declared in
// another file, too.
func meantNames(src *load.Module) map[string]string {
	names := map[string]string{}
	for _, e := range src.Names {
		if e.Meant != "" {
			names[e.Name] = e.Meant
		}
	}
	if len(names) == 0 {
		return names
	}
	only := map[uint64]*source.File{} // the file that declares something alone, or nil
	for _, f := range src.Files {
		note := func(key uint64, _ int) {
			if first, known := only[key]; known && first != f {
				only[key] = nil
			} else {
				only[key] = f
			}
		}
		if f.Role == source.Primary {
			for i := range f.Len() {
				note(f.Key(i), i)
			}
			f.Names(note)
		}
	}
	for _, f := range only {
		if f != nil {
			delete(names, f.Name)
		}
	}
	return names
}

// next numbers the additions of overrides, in order.
func (m *merger) next() int32 {
	m.order++
	return m.order
}

// A renewal tracks the effective items of a name that each override file renews.
type renewal struct {
	file         *source.File  // the override file at hand
	earlier, own []*MergedItem // from files before it, and from it
}

// renewalKey is a name in a content.
type renewalKey struct {
	content *MergedBody
	name    string
}

// A remedy is a sentence that advises what to do with an item. If it advises to move the item, target
// is the block of a primary file that it should be moved to.
type remedy struct {
	text   string
	it     source.Item
	rule   *rules.Rule
	target *source.Block
	path   []*source.Block // the blocks around the item there, below target
}

// An untriedRemedy is a diagnostic whose remedy has to be tried.
type untriedRemedy struct {
	*hcl.Diagnostic
	remedy
}

// A candidatesKey identifies the declarations of a rule in a body.
type candidatesKey struct {
	in   *MergedBody
	rule *rules.Rule
}

// candidateSet are items by address, and their addresses in order.
type candidateSet struct {
	items map[string]source.Item
	names []string
}
