package rules

import (
	"cmp"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
)

// All describes the effects of override files, as observed on the releases that engine.Observed
// lists: a row for each path, the rows inside a block after the block's. If releases differ, a path
// has a row for each behaviour; a row without Engines holds wherever the language knows the path.
// https://opentofu.org/docs/language/files/override/ and
// https://developer.hashicorp.com/terraform/language/files/override document most of it;
// Contradicts marks rows that differ from them.
var All = sync.OnceValue(func() []*Rule { return inTreeOrder(rows()) })

// rows are the rows in the order of the patterns. Nearly every run of the program makes this list, so that it copies
// only those for several paths.
var rows = sync.OnceValue(func() []*Rule { return rowsOf(settingRules, resourceRules) })

// rowsOf returns the rows of lists in order. A pattern for several paths, as in {resource,data}/count,
// becomes a row for each.
func rowsOf(lists ...[]Rule) (rows []*Rule) {
	for _, list := range lists {
		for i := range list {
			pattern := &list[i]
			if !strings.Contains(pattern.Path, "{") {
				rows = append(rows, pattern)
				continue
			}
			for _, path := range pathsOf(pattern.Path) {
				row := *pattern
				row.Path = path
				rows = append(rows, &row)
			}
		}
	}
	return rows
}

// inTreeOrder lists rows path by path. Paths in one block stay in order.
func inTreeOrder(rows []*Rule) []*Rule {
	of := map[string][]*Rule{}      // by path
	inside := map[string][]string{} // paths by the path of the block around them
	for _, r := range rows {
		if of[r.Path] == nil {
			inside[Parent(r.Path)] = append(inside[Parent(r.Path)], r.Path)
		}
		of[r.Path] = append(of[r.Path], r)
	}
	var list []*Rule
	var add func(around string)
	add = func(around string) {
		for _, path := range inside[around] {
			list = append(list, of[path]...)
			add(path)
		}
	}
	add("")
	return list
}

// pathsOf lists the paths that a pattern is for: "{module,output}/depends_on" is for two.
func pathsOf(pattern string) (list []string) {
	before, choices, isSeveral := strings.Cut(pattern, "{")
	if !isSeveral {
		return []string{pattern}
	}
	choices, after, _ := strings.Cut(choices, "}")
	for choice := range strings.SplitSeq(choices, ",") {
		list = append(list, before+choice+after)
	}
	return list
}

// byParent are the rows by the path around them.
var byParent = sync.OnceValue(func() map[string][]*Rule {
	within := map[string][]*Rule{}
	for _, r := range rows() {
		within[Parent(r.Path)] = append(within[Parent(r.Path)], r)
	}
	return within
})

// A Set is the table as one engine follows it. Nobody changes its maps.
type Set struct {
	engine   engine.Release
	language *language.BodyShape
	others   *names   // of blocks that no row of the table is inside of
	within   sync.Map // of *names, by the path around them: those that were needed so far
	kinds    sync.Map // of *Kind, by the path

	Clearing     map[string][]*Rule  // by which a later block removes what it lacks, by the path of the block
	Ranked       map[string][]*Rule  // that outrank others, by the top-level type, in the order of the table
	Addressing   map[string][]string // top-level types that may address the items at a path
	HoldsTargets map[string]bool     // paths of the blocks in which top-level blocks may address items
}

// At returns the rule with a path, or nil.
func (s *Set) At(path string) *Rule { return s.names(Parent(path)).Own(Base(path)) }

// For returns the rule of the items at a path, which may be one of any name there.
func (s *Set) For(path string) *Rule { return s.names(Parent(path)).Find(Base(path), false) }

// A Kind is what bodies of one path have in common.
type Kind struct {
	Path  string
	Rules *Set
	Names *names              // the rules for the names in Path
	Shape *language.BodyShape // nil if only the rules know the path
}

// Kind returns the kind of the bodies of a path.
func (s *Set) Kind(path string) *Kind {
	if known, ok := s.kinds.Load(path); ok {
		return known.(*Kind)
	}
	known, _ := s.kinds.LoadOrStore(path, &Kind{path, s, s.names(path), s.language.At(path)})
	return known.(*Kind)
}

// NewSet returns the rules that an engine follows. It looks at few of them: a run needs those of some paths only.
func NewSet(e engine.Release) *Set {
	s := &Set{
		engine:   e,
		language: language.Of(e),

		Clearing:     map[string][]*Rule{},
		Ranked:       map[string][]*Rule{},
		Addressing:   map[string][]string{},
		HoldsTargets: map[string]bool{},
	}
	s.others = &names{}
	s.others.fallback = s.At("*")
	for _, r := range rows() {
		if r.Absent != clearEarlier && len(r.Outranks)+len(r.Targets) == 0 || !r.isIn(e) {
			continue
		}
		if r.Absent == clearEarlier {
			s.Clearing[Parent(r.Path)] = append(s.Clearing[Parent(r.Path)], r)
		}
		if len(r.Outranks) > 0 {
			top, _, _ := strings.Cut(r.Path, "/")
			s.Ranked[top] = append(s.Ranked[top], r)
		}
		for _, target := range r.Targets {
			s.Addressing[target] = append(s.Addressing[target], r.Path)
			s.HoldsTargets[Parent(target)] = true
		}
	}
	return s
}

// isIn reports whether the row is in the table of an engine.
func (r *Rule) isIn(e engine.Release) bool { return r.Engines.Has(e) && language.HasPath(r.Path, e) }

// names are the rules inside the body of one path.
type names struct {
	byName   map[string]*Rule
	fallback *Rule // of the names that have none of their own
}

// names returns the rules inside the body of a path.
func (s *Set) names(path string) *names {
	list := byParent()[path]
	if list == nil {
		return s.others
	}
	if known, ok := s.within.Load(path); ok {
		return known.(*names)
	}
	n := &names{map[string]*Rule{}, s.others.fallback}
	for _, r := range list {
		if r.isIn(s.engine) {
			n.byName[Base(r.Path)] = r
		}
	}
	n.fallback = cmp.Or(n.byName["*"], n.fallback)
	known, _ := s.within.LoadOrStore(path, n)
	return known.(*names)
}

// Find returns the rule of a name. A name that an escaping block keeps from the language has no
// separate rule.
func (n *names) Find(name string, isEscaped bool) *Rule {
	if !isEscaped {
		if r := n.byName[name]; r != nil {
			return r
		}
	}
	return n.fallback
}

// Own returns the separate rule of a name, or nil.
func (n *names) Own(name string) *Rule { return n.byName[name] }

// Holds reports whether an engine follows the rule: it knows the path, and does not
// pass over the block around it.
func (r *Rule) Holds(e engine.Release) bool {
	if !r.isIn(e) {
		return false
	}
	for path := Parent(r.Path); path != ""; path = Parent(path) {
		if around := Of(path, e); around != nil && around.Do == Drop && !r.Strict {
			return false
		}
	}
	return true
}

// Of is the row of the table with a path that an engine follows, or nil.
func Of(path string, e engine.Release) *Rule {
	for _, r := range rows() {
		if r.Path == path && r.isIn(e) {
			return r
		}
	}
	return nil
}

// IsSameEffect reports whether the table has several rows for a path, whose items have the same effect:
// only what releases check, or how they read a value, differs.
func IsSameEffect(path string) bool {
	var first *Rule
	n := 0
	for _, r := range rows() {
		if r.Path != path {
			continue
		}
		first = cmp.Or(first, r)
		n++
		if r.Do != first.Do || (r.Unless == nil) != (first.Unless == nil) || (r.Keeps == nil) != (first.Keeps == nil) {
			return false
		}
	}
	return n > 1
}

// MayDiffer reports whether releases may treat the items of the rule differently: by another row, or by
// refusing them.
func (r *Rule) MayDiffer() bool {
	return (!r.Engines.IsAll() || language.Varies(r.Path)) && !IsSameEffect(r.Path)
}

// Scope states in parentheses for which releases the rule holds; it is empty for all releases.
func (r *Rule) Scope() string {
	if words := r.Releases(); words != engine.AllReleases {
		return " (" + words + ")"
	}
	return ""
}

// Sentence is Why with the releases that the rule holds for.
func (r *Rule) Sentence() string { return r.Scoped(r.Why) }

// Scoped puts the releases of the rule at the end of a sentence, or of the last of several.
func (r *Rule) Scoped(why string) string { return strings.TrimSuffix(why, ".") + r.Scope() + "." }

// releasesOf words the releases of one product that follow the rule, without its name; empty if
// that is all of them.
func (r *Rule) releasesOf(p engine.Product) string { return p.Describe(r.Holds) }

// releases caches the releases of rules in words.
var releases sync.Map // of string, by *Rule

// Releases words the set of known releases that follow the rule.
func (r *Rule) Releases() string {
	if known, ok := releases.Load(r); ok {
		return known.(string)
	}
	words := engine.Describe(r.Holds)
	releases.Store(r, words)
	return words
}

// Messages about items without effect: a sentence that names the engine and the item it ignores,
// and the remedy.

// ignoring caches the sentences of rules for the engines of products.
var ignoring sync.Map // of string, by ignoringKey

type ignoringKey struct {
	rule    *Rule
	product engine.Product
}

// ignores returns a sentence that the engine ignores items of the rule, with the releases that do.
func (r *Rule) Ignores(e engine.Release) string {
	key := ignoringKey{r, e.Product}
	if known, ok := ignoring.Load(key); ok {
		return known.(string)
	}
	does := r.NoEffect
	if does == "" {
		does = "ignores " + r.named(e) + " in override files"
	}
	text := e.Product.Title() + " " + does
	if in := r.releasesOf(e.Product); in != "" {
		text += " (" + in + ")"
	}
	if r.Contradicts {
		text += ", although its documentation says otherwise"
	}
	text += "."
	ignoring.Store(key, text)
	return text
}

// IsIgnoring reports whether the rule is that the engine ignores items, or some of them.
func (r *Rule) IsIgnoring() bool {
	return r.Do == Drop || r.Do == KeepEarlier || r.NoEffect != ""
}

// named describes the items of the rule: by the path in the innermost block with a separate
// address, or else together with that block.
func (r *Rule) named(e engine.Release) string {
	for around := Parent(r.Path); around != ""; around = Parent(around) {
		holder := Of(around, e)
		if holder == nil || holder.Match == ByName {
			continue
		}
		name := Dotted(strings.TrimPrefix(r.Path, around+"/"))
		if strings.Contains(name, ".") || holder.Noun == "" {
			return name
		}
		return name + " of " + holder.Noun + "s"
	}
	if strings.Contains(r.Path, "/") {
		return Dotted(r.Path)
	}
	return r.Path + " blocks"
}
