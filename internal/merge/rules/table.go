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

// rows lists the rows in the order in which rules.go writes them. Nearly every run makes this list, so only rows for
// several paths are copied.
var rows = sync.OnceValue(func() []*Rule { return rowsOf(settingRules, resourceRules) })

// rowsOf returns the rows of lists in order. A row whose path is a pattern for several paths, as in
// {resource,data}/count, becomes a row for each.
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

// inTreeOrder sorts rows so that those inside a block come right after the block's. Rows of one path stay together,
// and otherwise the order stays.
func inTreeOrder(rows []*Rule) []*Rule {
	rowsByPath := map[string][]*Rule{}
	pathsInside := map[string][]string{} // paths by the path of the block around them
	for _, r := range rows {
		if rowsByPath[r.Path] == nil {
			pathsInside[Parent(r.Path)] = append(pathsInside[Parent(r.Path)], r.Path)
		}
		rowsByPath[r.Path] = append(rowsByPath[r.Path], r)
	}
	var list []*Rule
	// add appends the rows inside a block, each followed by those inside it.
	var add func(around string)
	add = func(around string) {
		for _, path := range pathsInside[around] {
			list = append(list, rowsByPath[path]...)
			add(path)
		}
	}
	add("")
	return list
}

// pathsOf lists the paths that a pattern with at most one pair of braces stands for: "{module,output}/depends_on"
// for two.
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

// rowsByParent holds the rows by the path of the block around them.
var rowsByParent = sync.OnceValue(func() map[string][]*Rule {
	within := map[string][]*Rule{}
	for _, r := range rows() {
		within[Parent(r.Path)] = append(within[Parent(r.Path)], r)
	}
	return within
})

// A Set is the table of rules as one engine follows it. Nobody changes its maps.
type Set struct {
	engine        engine.Release
	language      *language.BodyShape
	defaultNames  *names   // of blocks that no row of the table is inside of
	namesByParent sync.Map // of *names, by the path around them: those that were needed so far
	kinds         sync.Map // of *Kind, by the path

	Clearing     map[string][]*Rule  // by which a later block removes what it lacks, by the path of the block
	Ranked       map[string][]*Rule  // that outrank others, by the top-level type, in the order of the table
	Addressing   map[string][]string // top-level types that may address the items at a path
	HoldsTargets map[string]bool     // paths of the blocks in which top-level blocks may address items
}

// At returns the rule with exactly this path, or nil.
func (s *Set) At(path string) *Rule { return s.namesIn(Parent(path)).Own(Base(path)) }

// For returns the rule of the items at a path. If the path has no rule of its own, that is the one for any name
// there.
func (s *Set) For(path string) *Rule { return s.namesIn(Parent(path)).Find(Base(path), false) }

// A Kind describes the bodies of all blocks at one path: which rules apply in them, and what the language allows
// there.
type Kind struct {
	Path  string
	Rules *Set
	Names *names              // the rules for the names in Path
	Shape *language.BodyShape // nil if only the rules know the path
}

// Kind returns the kind of bodies at a path. The first call makes it.
func (s *Set) Kind(path string) *Kind {
	if known, ok := s.kinds.Load(path); ok {
		return known.(*Kind)
	}
	known, _ := s.kinds.LoadOrStore(path, &Kind{Path: path, Rules: s, Names: s.namesIn(path), Shape: s.language.At(path)})
	return known.(*Kind)
}

// NewSet returns the rules that an engine follows. Most of them are prepared only when their path is asked for;
// NewSet itself looks at those that affect items elsewhere.
func NewSet(e engine.Release) *Set {
	s := &Set{
		engine:   e,
		language: language.Of(e),

		Clearing:     map[string][]*Rule{},
		Ranked:       map[string][]*Rule{},
		Addressing:   map[string][]string{},
		HoldsTargets: map[string]bool{},
	}
	s.defaultNames = &names{} // At needs it
	s.defaultNames.fallback = s.At("*")
	for _, r := range rows() {
		// Most rows affect only items at their own path: namesIn looks at those when they are needed.
		affectsOthers := r.Absent == clearEarlier || len(r.Outranks) > 0 || len(r.Targets) > 0
		if !affectsOthers || !r.isFor(e) {
			continue
		}
		if r.Absent == clearEarlier { // a block that lacks the item clears it, so merging looks for rules by the block
			s.Clearing[Parent(r.Path)] = append(s.Clearing[Parent(r.Path)], r)
		}
		if len(r.Outranks) > 0 {
			top, _, _ := strings.Cut(r.Path, "/") // merging asks once for each top-level block, by its type
			s.Ranked[top] = append(s.Ranked[top], r)
		}
		for _, target := range r.Targets {
			s.Addressing[target] = append(s.Addressing[target], r.Path)
			s.HoldsTargets[Parent(target)] = true
		}
	}
	return s
}

// isFor reports whether the row is in the table of an engine: its releases include it, and it knows the path.
func (r *Rule) isFor(e engine.Release) bool { return r.Engines.Has(e) && language.HasPath(r.Path, e) }

// names are the rules for the items in bodies at one path, by the items' names.
type names struct {
	byName   map[string]*Rule
	fallback *Rule // for names that have no rule of their own
}

// namesIn returns the rules for the items in bodies at a path. The first call makes them. If the table has no rows
// inside the path, all its names share the rule for any name.
func (s *Set) namesIn(path string) *names {
	list := rowsByParent()[path]
	if list == nil {
		return s.defaultNames
	}
	if known, ok := s.namesByParent.Load(path); ok {
		return known.(*names)
	}
	// A row for * replaces the rule for names without a row of their own.
	n := &names{byName: map[string]*Rule{}, fallback: s.defaultNames.fallback}
	for _, r := range list {
		if r.isFor(s.engine) {
			n.byName[Base(r.Path)] = r
		}
	}
	n.fallback = cmp.Or(n.byName["*"], n.fallback)
	known, _ := s.namesByParent.LoadOrStore(path, n) // another goroutine may have been faster
	return known.(*names)
}

// Find returns the rule of a name. isEscaped tells that the item is in an escaping block, where the name isn't the
// language's and has no rule of its own.
func (n *names) Find(name string, isEscaped bool) *Rule {
	if !isEscaped {
		if r := n.byName[name]; r != nil {
			return r
		}
	}
	return n.fallback
}

// Own returns the rule that is only for this name, or nil.
func (n *names) Own(name string) *Rule { return n.byName[name] }

// Holds reports whether an engine follows the rule: it knows the path, and doesn't ignore a block around it. A
// Strict rule holds even in an ignored block.
func (r *Rule) Holds(e engine.Release) bool {
	if !r.isFor(e) {
		return false
	}
	for path := Parent(r.Path); path != ""; path = Parent(path) {
		if around := Of(path, e); around != nil && around.Do == Drop && !r.Strict {
			return false
		}
	}
	return true
}

// Of returns the row for a path that an engine follows, or nil.
func Of(path string, e engine.Release) *Rule {
	for _, r := range rows() {
		if r.Path == path && r.isFor(e) {
			return r
		}
	}
	return nil
}

// IsSameEffect reports whether the table has several rows for a path that all have the same effect: releases only
// differ in what they check or how they read a value. Tests are functions, so it only compares whether rows have
// them.
func IsSameEffect(path string) bool {
	var first *Rule
	count := 0
	for _, r := range rows() {
		if r.Path != path {
			continue
		}
		first = cmp.Or(first, r)
		count++
		if r.Do != first.Do || (r.Unless == nil) != (first.Unless == nil) || (r.Keeps == nil) != (first.Keeps == nil) {
			return false
		}
	}
	return count > 1
}

// MayDiffer reports whether releases may treat the items of the rule differently: by another row, or by
// refusing them.
func (r *Rule) MayDiffer() bool {
	return (!r.Engines.IsAll() || language.Varies(r.Path)) && !IsSameEffect(r.Path)
}

// Scope states in parentheses for which releases the rule holds; it is empty if it holds for all.
func (r *Rule) Scope() string {
	if words := r.Releases(); words != engine.AllReleases {
		return " (" + words + ")"
	}
	return ""
}

// Sentence returns Why with the releases that the rule holds for.
func (r *Rule) Sentence() string { return r.Scoped(r.Why) }

// Scoped inserts the releases of the rule before the period at the end of why.
func (r *Rule) Scoped(why string) string { return strings.TrimSuffix(why, ".") + r.Scope() + "." }

// releasesOf describes the releases of one product that follow the rule, without the product's name; "" if all of
// them do.
func (r *Rule) releasesOf(p engine.Product) string { return p.Describe(r.Holds) }

// releasesTexts caches what Releases returns.
var releasesTexts sync.Map // of string, by *Rule

// Releases describes the known releases that follow the rule, for people. The first call for a rule makes the text.
func (r *Rule) Releases() string {
	if known, ok := releasesTexts.Load(r); ok {
		return known.(string)
	}
	words := engine.Describe(r.Holds)
	releasesTexts.Store(r, words)
	return words
}

// Messages about items without effect: a sentence that names the engine and the item it ignores,
// and the remedy.

// ignoresTexts caches what Ignores returns, which is the same for all releases of a product.
var ignoresTexts sync.Map // of string, by ignoringKey

type ignoringKey struct {
	rule    *Rule
	product engine.Product
}

// Ignores returns a sentence for people: that engine e ignores items of the rule, and which releases do.
func (r *Rule) Ignores(e engine.Release) string {
	key := ignoringKey{r, e.Product}
	if known, ok := ignoresTexts.Load(key); ok {
		return known.(string)
	}
	predicate := r.NoEffect
	if predicate == "" {
		predicate = "ignores " + r.nameOfItems(e) + " in override files"
	}
	text := e.Product.Title() + " " + predicate
	if in := r.releasesOf(e.Product); in != "" {
		text += " (" + in + ")"
	}
	if r.Contradicts {
		text += ", although its documentation says otherwise"
	}
	text += "."
	ignoresTexts.Store(key, text)
	return text
}

// IsIgnoring reports whether the engine ignores items of the rule, or some of them.
func (r *Rule) IsIgnoring() bool {
	return r.Do == Drop || r.Do == KeepEarlier || r.NoEffect != ""
}

// nameOfItems describes the items of the rule, for people. Inside a block that has an address, it is the path from
// there, such as lifecycle.enabled, and for a single name also the block: version of module calls. Elsewhere it is
// the whole path.
func (r *Rule) nameOfItems(e engine.Release) string {
	for around := Parent(r.Path); around != ""; around = Parent(around) {
		holder := Of(around, e)
		if holder == nil || holder.Match == ByName { // such as lifecycle, which has no labels
			continue
		}
		// The block has labels, and so an address.
		name := Dotted(strings.TrimPrefix(r.Path, around+"/"))
		if strings.Contains(name, ".") || holder.Noun == "" {
			return name // lifecycle.enabled
		}
		return name + " of " + holder.Noun + "s" // version of module calls
	}
	if strings.Contains(r.Path, "/") {
		return Dotted(r.Path) // terraform.experiments
	}
	return r.Path + " blocks" // ephemeral blocks
}
