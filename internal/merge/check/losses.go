package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/zclconf/go-cty/cty"
)

// judgeLostKeys adds findings if an override's argument replaced an object or a list, and lacks keys or
// elements that the earlier value has: an override replaces a value as a whole, which people forget.
func (f *findings) judgeLostKeys(e *merge.MergedItem) {
	a := e.Attr()
	if a == nil || !source.IsOverride(a) || e.Value != nil { // with a Value, no file contains the effective text
		return
	}
	for _, lost := range values.LostBy(f.m.Source, a, e.Losers(a)) {
		where := source.Where(lost.Of)
		at := placeFrom(a, lost.Of)
		formerAt := fmt.Sprintf("%s:%d", diag.Escape(where.Filename), where.Start.Line) // earlier versions gave no column
		// addLoss adds a finding with a message. former is the message of earlier versions, which baselines have.
		addLoss := func(r *Rule, message, former string) {
			x := f.add(r, a, "%s", message)
			x.Related = &diag.Related{Note: "replaced value", Range: where}
			x.Former = []Key{keyIn(r, x.Address.String(), former)}
		}
		lost.Keys = slices.DeleteFunc(lost.Keys, f.isRestored(e, lost))
		if n := len(lost.Keys); n > 0 {
			keys := strings.Join(lost.KeyNames(), ", ")
			if f.m.Source.Secrets().Covers(a) { // even its keys must not be shown
				keys = count(n, "key")
			}
			addLoss(mapReplaceDropsKeys, keysLost(keys, n, at), keysLost(keys, n, formerAt))
		}
		if n := len(lost.Elements); n > 0 {
			addLoss(listReplaceDropsElements, elementsLost(lost, at), elementsDropped(n, formerAt))
		}
	}
}

// keysLost returns the message that a value lacks n keys. keys lists them, and at is the location of the earlier
// value.
func keysLost(keys string, n int, at string) string {
	return fmt.Sprintf("This value replaces the one at %s and drops %s. Repeat %s here to keep %[3]s.", at, keys, pronoun(n))
}

// isRestored returns a function that reports whether a key that an override dropped from a variable's default makes
// no difference: the variable's type has a default for it with the same value, or discards the key. To find out, it
// converts both the earlier default, lost.Of, and the one in effect to the type, and compares them at the key. For
// other arguments, the function returns false.
func (f *findings) isRestored(e *merge.MergedItem, lost values.Loss) func(*values.Path) bool {
	never := func(*values.Path) bool { return false }
	if e.Path != "variable/default" || len(lost.Keys) == 0 {
		return never
	}
	earlier, diags := limits.Evaluate(lost.Of.Expr())
	if diags.HasErrors() {
		return never
	}
	v := f.variableOf(f.m.Root.Owner(source.Top(lost.Of))) // v.value is its default in effect
	if v.err != nil {
		return never
	}
	if !f.work.Covers(v.value, lost.Of.Expr()) {
		v.err = limits.ErrCostly // so that no further loss of this variable is compared either
		return never
	}
	earlier, err := v.Given(earlier) // converted, as v.value is
	if err != nil {
		return never
	}
	return func(at *values.Path) bool {
		was, is := valueAt(earlier, at), valueAt(v.value, at) // NilVal if it lacks the key
		if was == cty.NilVal || is == cty.NilVal {
			return was == is // both lack it: the type discards the key
		}
		return was.RawEquals(is)
	}
}

// A variable is an input variable with the value of its default.
type variable struct {
	*computed.Variable
	value cty.Value // of the default in effect, converted to the type
	err   error     // why it has no value, or that comparing it has cost too much
}

// variableOf returns the input variable of a merged item. It's evaluated once for all overrides of it.
func (f *findings) variableOf(e *merge.MergedItem) *variable {
	v := f.variables[e]
	if v == nil {
		v = &variable{Variable: f.m.Variable(e)}
		v.value, v.err = v.Given(cty.NilVal) // the value in a run that doesn't set the variable
		f.variables[e] = v
	}
	return v
}

// valueAt returns the part of a value at a path, or cty.NilVal if there is none.
func valueAt(v cty.Value, at *values.Path) cty.Value {
	for _, s := range at.Steps() {
		key := cty.StringVal(s.Name)
		if s.IsIndex {
			key = cty.NumberIntVal(int64(s.Index()))
		}
		var diags hcl.Diagnostics
		v, diags = hcl.Index(v, key, nil)
		if diags.HasErrors() {
			return cty.NilVal
		}
	}
	return v
}

// elementsLost returns the message about the elements that a list lacks. at is the location of the earlier list.
func elementsLost(lost values.Loss, at string) string {
	n := len(lost.Elements) // those without an equal in the new list
	if n <= lost.Fewer {    // the new list is shorter by all of them, so none is only changed
		return elementsDropped(n, at)
	}
	return fmt.Sprintf("This list replaces the one at %s and drops or changes %s. Repeat here what you want to keep.", at, count(n, "element"))
}

// elementsDropped returns the message that a list lacks n elements, all of them dropped. Baselines may also have it
// for elements that may only be changed, because earlier versions worded both in this way.
func elementsDropped(n int, at string) string {
	return fmt.Sprintf("This list replaces the one at %s and drops %s. Repeat %s here to keep %[3]s.", at, count(n, "element"), pronoun(n))
}

// placeFrom returns FILE:LINE of an item for a message about from, with the column if both are on one line.
func placeFrom(from, it source.Item) string {
	return diag.PlaceFrom(source.Where(from), source.Where(it))
}

// placesFrom lists the locations of items for a message about from, at most most of them.
func placesFrom[T source.Item](from source.Item, items []T, most int) string {
	return diag.SomePlaces(source.Where(from), source.Wheres(items), most)
}

// count returns a number with a noun: 1 key, 2 keys.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// pronoun returns the pronoun for n things.
func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// judgeAddsOnly adds a finding about each override file that overrides nothing, because everything in it is
// new.
func (f *findings) judgeAddsOnly() {
	type deeds struct{ adds, overrides bool }
	deedsBy := map[*source.File]*deeds{}
	of := func(it source.Item) *deeds {
		src := it.Source()
		if deedsBy[src] == nil {
			deedsBy[src] = &deeds{}
		}
		return deedsBy[src]
	}
	eachStep(f.m.Root.Items, func(e *merge.MergedItem, s merge.Step) {
		isFrame := e.Rule.OmitEmpty || e.Rule.Do == rules.Flatten // the items in such a block are judged instead
		switch {
		// An override that hides or clears another item does more than add: By is then not the item itself.
		case s.By() != nil && s.By() != s.Item && source.IsOverride(s.By()):
			of(s.By()).overrides = true
		case s.Item == nil || !source.IsOverride(s.Item): // not done by an override file
		case s.Effect == effect.Added || s.Effect == effect.Missing: // a Missing one has nothing to override
			of(s.Item).adds = true
		case s.Effect == effect.Extended && isFrame: // neither
		default:
			of(s.Item).overrides = true
		}
	})
	for _, src := range f.m.Source.Files {
		if d := deedsBy[src]; d != nil && d.adds && !d.overrides && !src.Overlay && !src.Broken {
			at := source.Where(src.Block(0))
			f.found = append(f.found, overrideAddsOnly.At(at, fmt.Sprintf("Everything in %s is new, so it overrides nothing. If it isn't meant to override, rename it.", diag.Escape(src.Name))))
		}
	}
}

// eachStep visits the steps of merged items, and of those in their merged bodies.
func eachStep(items []*merge.MergedItem, visit func(*merge.MergedItem, merge.Step)) {
	for _, e := range items {
		for _, s := range e.Steps {
			visit(e, s)
		}
		if e.Inner() != nil {
			eachStep(e.Inner().Items, visit)
		}
	}
}

// judgeReplacedBlocks adds one finding if the nested blocks of an override replaced earlier ones, and are
// fewer or lack arguments that earlier blocks set.
func (f *findings) judgeReplacedBlocks(e *merge.MergedItem) {
	// Only whole blocks of an override replace others. Blocks with Inner are merged item by item.
	if e.Inner() != nil || !e.InEffect() || e.Attr() != nil || !source.IsOverride(e.Live[0]) {
		return
	}
	if e.Rule.Once { // backend or cloud
		f.judgeReconfigured(e)
		return
	}
	layers := e.Layers(e.Live[0]) // the replaced blocks: those of primary files, then those of each override block
	if len(layers) == 0 {
		return
	}
	earlier := e.Losers(e.Live[0]) // the same blocks in one list
	// Only blocks with the labels of a new one drop arguments: the others are gone as a whole.
	dropped := values.Dropped(f.m.Source, e.Live, withSameLabels(e.Live, earlier))
	lost, isLost := f.lostBlocks(e, layers)
	switch {
	case isLost && f.looksFor(blockReplaceDropsBlocks.ID): // the arguments are part of this finding
		f.addBlocksLost(e, earlier, lost, dropped)
	case len(dropped) > 0:
		f.found = append(f.found, f.dropsArguments(e, earlier, dropped))
	}
}

// addBlocksLost adds the finding that the effective blocks are fewer than the earlier ones that they replaced.
// dropped are the arguments that they also lack.
func (f *findings) addBlocksLost(e *merge.MergedItem, earlier []source.Item, lost values.BlockLoss, dropped []string) {
	text := blocksLost{lost, e.Key.Name, e.Live, someNames(dropped)}
	x := f.add(blockReplaceDropsBlocks, e.Live[0], "%s", text.String())
	// The key needs all names, whereas the message shortens the list.
	text.arguments = strings.Join(dropped, ", ")
	x.Full = text.String()
	x.Related = &diag.Related{Note: "replaced block", Range: source.Where(lost.Gone[0])}
	x.Joint = []*Rule{blockReplaceDropsArguments} // comments that silence it cover the arguments
	// Earlier versions made a finding about the arguments of all earlier blocks instead.
	if names := values.Dropped(f.m.Source, e.Live, earlier); len(names) > 0 {
		x.Former = []Key{KeyOf(f.dropsArguments(e, earlier, names))}
	}
}

// judgeReconfigured judges a backend or cloud block that replaced one of the same type, and adds a finding if
// it lacks arguments. Lost workspaces arguments don't count if new ones select the workspaces. An empty block gets
// its settings from init, and a local backend has none that matter, so there the finding is only a notice.
func (f *findings) judgeReconfigured(e *merge.MergedItem) {
	b := e.Live[0].(*source.Block)
	earlier := withSameLabels(e.Live, e.Losers(b))
	dropped := values.Dropped(f.m.Source, e.Live, earlier)
	isSelection := func(name string) bool { return strings.HasPrefix(name, "workspaces.") }
	added := values.Dropped(f.m.Source, earlier, e.Live) // what the earlier blocks lack
	if slices.ContainsFunc(added, isSelection) {
		dropped = slices.DeleteFunc(dropped, isSelection)
	}
	if len(dropped) == 0 {
		return
	}
	x := f.dropsArguments(e, earlier, dropped)
	if len(b.Items()) == 0 || slices.Contains(b.Labels, "local") {
		x.Severity = Notice
	}
	f.found = append(f.found, x)
}

// judgeEmptied adds a finding if an empty list or null replaced nested blocks, as in ingress = [], and the
// provider's schema makes the name an argument. Without a schema it's undecided whether the blocks are lost,
// which another rule reports.
func (f *findings) judgeEmptied(e *merge.MergedItem) {
	a := e.Attr()
	if a == nil || !source.IsOverride(a) || f.m.Source.Schema.Meaning(a) != providerschema.Argument || !merge.IsEmpty(a) {
		return
	}
	layers := e.Layers(a) // the replaced blocks: those of primary files, then those of each override block
	// Report the latest layer that loses blocks.
	for _, layer := range slices.Backward(layers) {
		lost, isLost := values.NewReplacing(f.m.Source, nil).Lost(layer) // nil: no blocks are in effect
		if !isLost {
			continue
		}
		text := blocksLost{BlockLoss: lost, typ: e.Key.Name, by: e.Live}
		x := f.add(blockReplaceDropsBlocks, a, "This argument replaces %s with none and drops %s. Remove it to keep %s.", number(lost.Before, diag.Escape(e.Key.Name)), text.places(), pronoun(len(lost.Gone)))
		x.Related = &diag.Related{Note: "replaced block", Range: source.Where(lost.Gone[0])}
		return
	}
}

// dropsArguments returns the finding that the effective blocks lack arguments of the earlier blocks that they
// replaced. names are these arguments. The finding isn't added.
func (f *findings) dropsArguments(e *merge.MergedItem, earlier []source.Item, names []string) Finding {
	subject, replace, drop := "This block", "replaces", "drops"
	if len(e.Live) > 1 {
		subject, replace, drop = fmt.Sprintf("These %s blocks", diag.Escape(e.Key.Name)), "replace", "drop"
	}
	what := "the one at " + placeFrom(e.Live[0], earlier[0])
	if len(earlier) > 1 {
		what = fmt.Sprintf("%d blocks (%s)", len(earlier), placesFrom(e.Live[0], earlier, 3))
	}
	them := pronoun(len(names))
	message := func(list string) string {
		return fmt.Sprintf("%s %s %s and %s %s. Repeat %s here to keep %s.", subject, replace, what, drop, list, them, them)
	}
	x := f.finding(blockReplaceDropsArguments, e.Live[0], "%s", message(someNames(names)))
	x.Full = message(strings.Join(names, ", "))
	x.Related = &diag.Related{Note: "replaced block", Range: source.Where(earlier[0])}
	return x
}

// someNames joins the first five names, and counts the others.
func someNames(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// lostBlocks compares the effective blocks with each layer that they replaced: the blocks of all primary
// files, or of one override block. It returns the loss that says most: a certain one before an uncertain one,
// then that of the layer with the most blocks. isLost is false if no layer had more blocks.
func (f *findings) lostBlocks(e *merge.MergedItem, layers [][]source.Item) (most values.BlockLoss, isLost bool) {
	replacing := values.NewReplacing(f.m.Source, e.Live)
	for _, layer := range layers {
		lost, ok := replacing.Lost(layer)
		if !ok {
			continue
		}
		isBetter := lost.Before.Known >= most.Before.Known // of equal ones, the later layer
		if lost.IsCertain != most.IsCertain {
			isBetter = lost.IsCertain
		}
		if !isLost || isBetter {
			most, isLost = lost, true
		}
	}
	return most, isLost
}

// A blocksLost is a loss of nested blocks of a type, with the words for it.
type blocksLost struct {
	values.BlockLoss
	typ       string
	by        []source.Item // the replacing blocks
	arguments string        // what none of them has
}

// String returns the message: "This block replaces 2 ingress blocks with 1 and drops the one at main.tf:9.
// Repeat it here to keep it."
func (l blocksLost) String() string {
	subject, ending, typ := "This block", "s", diag.Escape(l.typ) // ending: of the verbs
	if len(l.by) > 1 {
		subject, ending, typ = fmt.Sprintf("These %s blocks", typ), "", ""
	}
	drop, remedy := "drop"+ending, "Repeat them here to keep them."
	if !l.IsCertain {
		drop = "may drop"
	}
	if len(l.Gone) == 1 {
		remedy = "Repeat it here to keep it."
	}
	// More blocks lack an equal than the numbers differ by, so the new ones may be changed versions of these: if 2 of
	// 3 blocks lack an equal (GoneKnown), and there is 1 block fewer, the other one may only be changed.
	if l.IsCertain && l.GoneKnown > l.Fewer {
		drop, remedy = drop+" or change"+ending, "Repeat here what you want to keep."
	}
	text := fmt.Sprintf("%s replace%s %s with %s and %s %s", subject, ending, number(l.Before, typ), number(l.After, ""), drop, l.places())
	if l.arguments != "" {
		text += ", and with " + pronoun(len(l.Gone)) + " " + l.arguments
	}
	return text + ". " + remedy
}

// number words how many blocks of a type there are: "1 ingress block", "at least 2 ingress blocks". If typ is
// empty, it returns only the number. There are from n.Known to n.Most blocks, and if n.Open isn't 0, any number more,
// since the for_each of a dynamic block is unknown.
func number(n values.Number, typ string) string {
	words, of := fmt.Sprint(n.Known), ""
	switch {
	case n.Open > 0 && n.Known == 0:
		words, of = "an unknown number", "of " // of ingress blocks
	case n.Open > 0:
		words = "at least " + words
	case n.Known == 0 && n.Most > 0:
		words = fmt.Sprint("at most ", n.Most)
	case n.Known < n.Most:
		words = fmt.Sprintf("%d to %d", n.Known, n.Most)
	case n.Known == 0: // and n.Most is 0, too
		words = "none"
	}
	switch {
	case typ == "":
		return words
	case max(n.Known, n.Most) == 1 && of == "": // "1", "at most 1" or "at least 1"
		return words + " " + typ + " block"
	}
	return words + " " + of + typ + " blocks"
}

// places returns the lost blocks by their locations: "the one at main.tf:9", "those at main.tf:9, main.tf:19".
func (l blocksLost) places() string {
	list := placesFrom(l.by[0], l.Gone, 8)
	switch {
	case len(l.Gone) == 1 && l.Gone[0].Type == source.DynamicBlock:
		return "those of the dynamic block at " + list
	case len(l.Gone) == 1 && len(l.Gone[0].Labels) > 0:
		return fmt.Sprintf("the %s one at %s", diag.Escape(strings.Join(l.Gone[0].Labels, ".")), list)
	case len(l.Gone) == 1:
		return "the one at " + list
	}
	return "those at " + list
}

// withSameLabels returns the earlier blocks that share their labels with some block in blocks. The others are
// dropped as a whole, so their arguments need no mention.
func withSameLabels(blocks, earlier []source.Item) []source.Item {
	labels := map[string]bool{}
	for _, it := range blocks {
		labels[labelsOf(it)] = true
	}
	return slices.DeleteFunc(slices.Clone(earlier), func(it source.Item) bool { return !labels[labelsOf(it)] })
}

// labelsOf returns the type and labels of a block, to be compared. It's "" for an argument, a block without
// labels, and a dynamic block, whose labels are computed.
func labelsOf(it source.Item) string {
	b, isBlock := it.(*source.Block)
	if !isBlock || b.Type == source.DynamicBlock || len(b.Labels) == 0 {
		return ""
	}
	return b.Address()
}

// judgeNarrowedType adds a finding if an override replaces the type of a variable and lacks attributes of the
// earlier object type. Engines discard what callers set there, without a message.
func (f *findings) judgeNarrowedType(e *merge.MergedItem) {
	a := e.Attr()
	if e.Path != "variable/type" || a == nil || !source.IsOverride(a) {
		return
	}
	is, _, diags := constant.DecodeType(a) // is: the type now, was: an earlier one
	if diags.HasErrors() {
		return
	}
	for _, it := range slices.Backward(e.Losers(a)) {
		was, _, diags := constant.DecodeType(it.(*source.Attr))
		names := lostAttributes("", was, is)
		if diags.HasErrors() || len(names) == 0 {
			continue
		}
		words := func(list string) string {
			return fmt.Sprintf("This type replaces the one at %s and drops %s, so values for %s are discarded. Repeat %[3]s here to keep %[3]s.",
				placeFrom(a, it), list, pronoun(len(names)))
		}
		x := f.add(mapReplaceDropsKeys, a, "%s", words(someNames(names)))
		x.Severity, x.Full = Notice, words(strings.Join(names, ", "))
		x.Related = &diag.Related{Note: "replaced type", Range: source.Where(it)}
		return
	}
}

// lostAttributes lists the attributes of the type was that the type is lacks, by their paths. It descends into
// objects and collections. path is the position of both types, "" at the start.
func lostAttributes(path string, was, is cty.Type) (names []string) {
	switch {
	case was.IsObjectType() && is.IsObjectType():
		for _, name := range slices.Sorted(maps.Keys(was.AttributeTypes())) {
			at := spelling.AppendPath(path, spelling.Named(name))
			if is.HasAttribute(name) {
				names = append(names, lostAttributes(at, was.AttributeType(name), is.AttributeType(name))...)
			} else {
				names = append(names, at)
			}
		}
	case was.IsCollectionType() && is.IsCollectionType():
		return lostAttributes(path, was.ElementType(), is.ElementType())
	}
	return names
}

// A repetition is a value that one or several overrides repeat.
type repetition struct {
	original    source.Item   // the item whose value they repeat
	overrides   []source.Item // the overrides that repeat it; of several nested blocks in one, the first
	before      []source.Item // for each of these overrides, the equal item that it replaced
	allItems    []source.Item // all items of these overrides, and of the original if it is an override
	lastOutcome merge.Outcome // of the last of overrides
}

// judgeRepeats adds findings about overrides of one name that repeat the value in effect before them. Equal
// overrides in a row get one finding together: that they repeat the value or, if a later override replaces them
// all, that they are superseded. covered are the items of these findings, which need no other. It's nil if the rule
// is off, or if an override must repeat the item to keep it.
func (f *findings) judgeRepeats(e *merge.MergedItem, outcomes []merge.Outcome) (covered map[source.Item]bool) {
	if !f.looksFor(equivalentOverride.ID) || e.Rule.MustRepeat() {
		return nil
	}
	covered = map[source.Item]bool{}
	var r *repetition // the one that the next override may continue
	for i, o := range outcomes {
		if !source.IsOverride(o.Item) || o.Effect != effect.Replaced {
			continue
		}
		earlier := e.Before(i) // the items in effect before this override
		if !IsSameAs(e, outcomes, i, earlier) {
			continue
		}
		// It continues r if the value before is that of the last override of r: both are from one block.
		isContinued := r != nil && merge.ShareOrigin(r.lastOutcome.Item, earlier[0])
		if !isContinued {
			f.addRepetition(r, covered)
			r = newRepetition(earlier)
		}
		r.before, r.overrides, r.lastOutcome = append(r.before, earlier[0]), append(r.overrides, o.Item), o
		r.allItems = append(r.allItems, fromSameBlock(outcomes[i:])...)
	}
	f.addRepetition(r, covered)
	return covered
}

// newRepetition returns a repetition of the earlier items, so far without overrides that repeat them.
func newRepetition(earlier []source.Item) *repetition {
	r := &repetition{original: earlier[0]}
	if source.IsOverride(r.original) { // an override that is repeated is covered, too
		r.allItems = append(r.allItems, earlier...)
	}
	return r
}

// addRepetition adds the finding about a repetition, and marks its items as covered: that the overrides repeat the
// original or, if a later override replaced the last one, that all are superseded. A nil repetition has none.
func (f *findings) addRepetition(r *repetition, covered map[source.Item]bool) {
	if r == nil {
		return
	}
	for _, it := range r.allItems {
		covered[it] = true
	}
	own := f.nameOf(r.overrides[0]).address.String() // all of them have this address
	if f.looksFor(supersededOverride.ID) && isSuperseded(r.lastOutcome) {
		f.addSupersededRepetition(r, own)
		return
	}
	x := f.add(equivalentOverride, r.overrides[0], "%s", r)
	x.Former = r.former(own)
	x.Also = r.overrides[1:]
	if len(x.Also) > 0 {
		x.Related = &diag.Related{Note: "and here", Range: source.Where(x.Also[0])}
	} else {
		x.Related = &diag.Related{Note: "same here", Range: source.Where(r.original)}
	}
	if len(x.Also) > 0 || source.IsOverride(r.original) { // an override superseded another
		x.Joint = []*Rule{supersededOverride}
	}
}

// addSupersededRepetition adds the finding that the overrides of a repetition at address own are superseded. It is
// about the last one, which the later override replaced, and Also has the others. They repeat a value, too (Joint).
func (f *findings) addSupersededRepetition(r *repetition, own string) {
	last := r.lastOutcome.Item
	x := f.addSuperseded(r.lastOutcome)
	x.Former = append(r.former(own), keyIn(supersededOverride, own, x.Message))
	x.Joint = []*Rule{equivalentOverride}
	x.Also = slices.DeleteFunc(r.allItems, func(it source.Item) bool { return it == last })
	if others := r.othersThanLast(); len(others) > 0 {
		x.Message = fmt.Sprintf("Superseded by %s, and so is the same override at %s. Remove them.", supersededBy(r.lastOutcome.By, last), placesFrom(last, others, 3))
	}
}

// othersThanLast returns the overrides that equal the last one, among them the original if it is an override.
func (r *repetition) othersThanLast() (list []source.Item) {
	if source.IsOverride(r.original) {
		list = append(list, r.original)
	}
	return append(list, r.overrides[:len(r.overrides)-1]...)
}

// String returns the message of the finding about a repetition that is not superseded.
func (r *repetition) String() string {
	if len(r.overrides) == 1 {
		return repeatsMessage(r.overrides[0], r.original)
	}
	return fmt.Sprintf("Same as %s, and so is the override at %s. Remove them, or keep one to pin the value.", placeFrom(r.overrides[0], r.original), placesFrom(r.overrides[0], r.overrides[1:], 3))
}

// repeatsMessage returns the message that a single override repeats the original.
func repeatsMessage(override, original source.Item) string {
	return fmt.Sprintf("Same as %s. Remove it, or keep it to pin the value.", placeFrom(override, original))
}

// former returns the keys of the findings that earlier versions made: one about each override that repeats a
// value, and one about each that the next supersedes. own is the address.
func (r *repetition) former(own string) (keys []Key) {
	for i, it := range r.overrides {
		keys = append(keys, keyIn(equivalentOverride, own, repeatsMessage(it, r.before[i])))
		if source.IsOverride(r.before[i]) {
			keys = append(keys, keyIn(supersededOverride, own, fmt.Sprintf(supersededText, supersededBy(it, r.before[i]))))
		}
	}
	return keys
}

// IsSameAs reports whether the items that one override block sets equal the earlier ones, which they replaced.
// outcomes[first] is the first item of that block. If it's another one, the result is false, so that each block
// counts once.
func IsSameAs(e *merge.MergedItem, outcomes []merge.Outcome, first int, earlier []source.Item) bool {
	// A computed value takes the item's place. It may differ although the texts are equal: an override of a
	// variable's type converts default = {} to another value.
	isComputed := e.Value != nil && e.Has(outcomes[first].Item)
	isNotFirst := first > 0 && merge.ShareOrigin(outcomes[first-1].Item, outcomes[first].Item)
	if isComputed || isNotFirst {
		return false
	}
	return slices.EqualFunc(earlier, fromSameBlock(outcomes[first:]), equal.Items)
}

// fromSameBlock returns the items of the first outcomes, as far as they come from the same block as the first
// one.
func fromSameBlock(outcomes []merge.Outcome) (list []source.Item) {
	for _, o := range outcomes {
		if !merge.ShareOrigin(o.Item, outcomes[0].Item) {
			break
		}
		list = append(list, o.Item)
	}
	return list
}

// isSuperseded reports whether an override in another block replaced or hid an item later, so that the item is
// pointless.
func isSuperseded(o merge.Outcome) bool {
	isLost := o.Status == effect.StatusReplaced || o.Status == effect.StatusHidden
	return isLost && o.By != nil && source.IsOverride(o.By) && !merge.ShareOrigin(o.By, o.Item)
}

// addSuperseded adds the finding about an item that a later override made pointless. Like add, it returns the
// finding to be completed.
func (f *findings) addSuperseded(o merge.Outcome) *Finding {
	x := f.add(supersededOverride, o.Item, supersededText, supersededBy(o.By, o.Item))
	x.Related = &diag.Related{Note: "later override", Range: source.Where(o.By)}
	return x
}

const supersededText = "Superseded by %s. Remove one of the two."

// supersededBy returns the location of the item by, which superseded it, preceded by its name if the two names
// differ.
func supersededBy(by, it source.Item) string {
	if by.Called() != it.Called() {
		return diag.Escape(by.Called()) + " at " + placeFrom(it, by)
	}
	return placeFrom(it, by)
}
