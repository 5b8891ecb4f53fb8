package check

import (
	"cmp"
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
	if a == nil || !source.IsOverride(a) || e.Value != nil {
		return
	}
	for _, lost := range values.LostBy(f.m.Source, a, e.Losers(a)) {
		where := source.Where(lost.Of)
		note := func(r *Rule, words func(at string) (now, former string)) {
			now, _ := words(placeFrom(a, lost.Of))
			x := f.add(r, a, "%s", now)
			x.Related = &diag.Related{Note: "replaced value", Range: where}
			// Earlier versions gave no column.
			_, former := words(fmt.Sprintf("%s:%d", diag.Escape(where.Filename), where.Start.Line))
			x.Former = []Key{keyIn(r, x.Address.String(), former)}
		}
		lost.Keys = slices.DeleteFunc(lost.Keys, f.isRestored(e, lost))
		if n := len(lost.Keys); n > 0 {
			keys := strings.Join(lost.KeyNames(), ", ")
			if f.m.Source.Secrets().Covers(a) {
				keys = count(n, "key")
			}
			note(mapReplaceDropsKeys, func(at string) (now, former string) {
				now = fmt.Sprintf("This value replaces the one at %s and drops %s. Repeat %s here to keep %[3]s.", at, keys, pronoun(n))
				return now, now
			})
		}
		if len(lost.Elements) > 0 {
			note(listReplaceDropsElements, func(at string) (now, former string) { return elementsLost(lost, at) })
		}
	}
}

// isRestored returns a function that reports whether a key that an override dropped from a variable's default
// makes no difference: the variable's type has a default for it with the same value, or discards the key. Both
// defaults are converted to the type and compared at the key.
func (f *findings) isRestored(e *merge.MergedItem, lost values.Loss) func(*values.Path) bool {
	none := func(*values.Path) bool { return false }
	if e.Path != "variable/default" || len(lost.Keys) == 0 {
		return none
	}
	given, diags := limits.Evaluate(lost.Of.Expr())
	if diags.HasErrors() {
		return none
	}
	v := f.variableOf(f.m.Root.Owner(source.Top(lost.Of)))
	if v.err != nil || !f.work.Covers(v.value, lost.Of.Expr()) {
		// Without budget, no further key of this variable is compared either.
		v.err = cmp.Or(v.err, limits.ErrCostly)
		return none
	}
	was, err := v.Given(given)
	if err != nil {
		return none
	}
	return func(at *values.Path) bool {
		a, b := valueAt(was, at), valueAt(v.value, at)
		if a == cty.NilVal || b == cty.NilVal {
			return a == b
		}
		return a.RawEquals(b)
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
		v.value, v.err = v.Given(cty.NilVal)
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
		if v, diags = hcl.Index(v, key, nil); diags.HasErrors() {
			return cty.NilVal
		}
	}
	return v
}

// elementsLost returns the message about the elements that a list lacks. at is the location of the earlier
// list. former is the wording of earlier versions, which didn't distinguish changed from dropped elements.
func elementsLost(lost values.Loss, at string) (now, former string) {
	n := len(lost.Elements)
	former = fmt.Sprintf("This list replaces the one at %s and drops %s. Repeat %s here to keep %[3]s.", at, count(n, "element"), pronoun(n))
	if n <= lost.Fewer { // no element changed
		return former, former
	}
	return fmt.Sprintf("This list replaces the one at %s and drops or changes %s. Repeat here what you want to keep.", at, count(n, "element")), former
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
	type file struct{ adds, others bool }
	did := map[*source.File]*file{}
	of := func(it source.Item) *file {
		src := it.Source()
		if did[src] == nil {
			did[src] = &file{}
		}
		return did[src]
	}
	eachStep(f.m.Root.Items, func(e *merge.MergedItem, s merge.Step) {
		switch {
		// An override that hides or clears another item does more than add.
		case s.By() != nil && s.By() != s.Item && source.IsOverride(s.By()):
			of(s.By()).others = true
		case s.Item == nil || !source.IsOverride(s.Item):
		case s.Effect == effect.Added || s.Effect == effect.Missing:
			of(s.Item).adds = true
		// Such a block is only a frame: the items in it are judged instead.
		case s.Effect == effect.Extended && (e.Rule.OmitEmpty || e.Rule.Do == rules.Flatten):
		default:
			of(s.Item).others = true
		}
	})
	for _, src := range f.m.Source.Files {
		if d := did[src]; d != nil && d.adds && !d.others && !src.Overlay && !src.Broken {
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
	if e.Inner() != nil || !e.InEffect() || e.Attr() != nil || !source.IsOverride(e.Live[0]) {
		return
	}
	if e.Rule.Once {
		f.judgeReconfigured(e)
		return
	}
	layers := e.Layers(e.Live[0]) // the replaced blocks: those of primary files, then those of each override block
	if len(layers) == 0 {
		return
	}
	earlier := e.Losers(e.Live[0])
	dropped := values.Dropped(f.m.Source, e.Live, withSameLabels(e.Live, earlier))
	lost, isLost := f.lostBlocks(e, layers)
	switch {
	case isLost && f.looksFor(blockReplaceDropsBlocks.ID):
		text := blocksLost{lost, e.Key.Name, e.Live, someNames(dropped)}
		x := f.add(blockReplaceDropsBlocks, e.Live[0], "%s", text.String())
		// The key needs all names, whereas the message shortens the list.
		text.arguments = strings.Join(dropped, ", ")
		x.Full = text.String()
		x.Related = &diag.Related{Note: "replaced block", Range: source.Where(lost.Gone[0])}
		x.Joint = []*Rule{blockReplaceDropsArguments}
		if names := values.Dropped(f.m.Source, e.Live, earlier); len(names) > 0 {
			x.Former = []Key{KeyOf(f.dropsArguments(e, earlier, names))}
		}
	case len(dropped) > 0:
		f.found = append(f.found, f.dropsArguments(e, earlier, dropped))
	}
}

// judgeReconfigured judges a backend or cloud block that replaced one of the same type, and adds a finding if
// it lacks arguments. Lost workspaces arguments don't count if others select the workspaces. An empty block
// gets its settings from init, and a local backend has no others that matter, so both are only notices.
func (f *findings) judgeReconfigured(e *merge.MergedItem) {
	b := e.Live[0].(*source.Block)
	earlier := withSameLabels(e.Live, e.Losers(b))
	dropped := values.Dropped(f.m.Source, e.Live, earlier)
	isSelection := func(name string) bool { return strings.HasPrefix(name, "workspaces.") }
	if slices.ContainsFunc(values.Dropped(f.m.Source, earlier, e.Live), isSelection) {
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
	layers := e.Layers(a)
	for _, layer := range slices.Backward(layers) {
		lost, isLost := values.NewReplacing(f.m.Source, nil).Lost(layer)
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
	words := func(names string, n int) string {
		return fmt.Sprintf("%s %s %s and %s %s. Repeat %s here to keep %[6]s.", subject, replace, what, drop, names, pronoun(n))
	}
	x := f.finding(blockReplaceDropsArguments, e.Live[0], "%s", words(someNames(names), len(names)))
	x.Full = words(strings.Join(names, ", "), len(names))
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
		isMore := lost.IsCertain && !most.IsCertain || lost.IsCertain == most.IsCertain && lost.Before.Known >= most.Before.Known
		if !isLost || isMore {
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
	subject, s, typ := "This block", "s", diag.Escape(l.typ)
	if len(l.by) > 1 {
		subject, s, typ = fmt.Sprintf("These %s blocks", typ), "", ""
	}
	drop, what, last := "drop"+s, l.places(), "Repeat them here to keep them."
	if !l.IsCertain {
		drop = "may drop"
	}
	if len(l.Gone) == 1 {
		last = "Repeat it here to keep it."
	}
	// More blocks lack an equal than the numbers differ by, so the new ones may be changed versions of these.
	if l.IsCertain && l.GoneKnown > l.Fewer {
		drop, last = drop+" or change"+s, "Repeat here what you want to keep."
	}
	text := fmt.Sprintf("%s replace%s %s with %s and %s %s", subject, s, number(l.Before, typ), number(l.After, ""), drop, what)
	if l.arguments != "" {
		text += ", and with " + pronoun(len(l.Gone)) + " " + l.arguments
	}
	return text + ". " + last
}

// number words how many blocks of a type there are: "1 ingress block", "at least 2 ingress blocks". If typ is
// empty, it returns only the number.
func number(n values.Number, typ string) string {
	words, of := fmt.Sprint(n.Known), ""
	switch {
	case n.Open > 0 && n.Known == 0:
		words, of = "an unknown number", "of "
	case n.Open > 0:
		words = "at least " + words
	case n.Known == 0 && n.Most > 0:
		words = fmt.Sprint("at most ", n.Most)
	case n.Known < n.Most:
		words = fmt.Sprintf("%d to %d", n.Known, n.Most)
	case n.Known == 0:
		words = "none"
	}
	switch {
	case typ == "":
		return words
	case max(n.Known, n.Most) == 1:
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
	is, _, diags := constant.DecodeType(a)
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
	first    source.Item   // the item whose value they repeat
	repeated []source.Item // the first item that each override in items repeats, in order
	items    []source.Item // the first item of each repeating override
	all      []source.Item // all items of these overrides, and of the repeated one if it is an override
	last     merge.Outcome // of the last repeating override
}

// judgeRepeats adds findings about overrides of one name that repeat the value in effect before them.
// Overrides that are equal get one finding together: that they repeat the value or, if a later override
// replaces them all, that they are superseded. It returns the items that need no other finding.
func (f *findings) judgeRepeats(e *merge.MergedItem, outcomes []merge.Outcome) (covered map[source.Item]bool) {
	if !f.looksFor(equivalentOverride.ID) || e.Rule.IsRepeated() {
		return nil
	}
	covered = map[source.Item]bool{}
	var r *repetition
	for i, o := range outcomes {
		if !source.IsOverride(o.Item) || o.Effect != effect.Replaced {
			continue
		}
		earlier := e.Before(i)
		if !IsSameAs(e, outcomes, i, earlier) {
			continue
		}
		// Another value came in between, so a new repetition begins.
		if r == nil || !merge.ShareOrigin(r.last.Item, earlier[0]) {
			f.addRepetition(r, covered)
			r = &repetition{first: earlier[0]}
			if source.IsOverride(r.first) {
				r.all = append(r.all, earlier...)
			}
		}
		r.repeated, r.items, r.last = append(r.repeated, earlier[0]), append(r.items, o.Item), o
		r.all = append(r.all, fromSameBlock(outcomes[i:])...)
	}
	f.addRepetition(r, covered)
	return covered
}

// addRepetition adds the finding about a repetition, unless that is nil, and marks its items as covered.
func (f *findings) addRepetition(r *repetition, covered map[source.Item]bool) {
	if r == nil {
		return
	}
	for _, it := range r.all {
		covered[it] = true
	}
	own := f.nameOf(r.items[0]).address.String()
	if f.looksFor(supersededOverride.ID) && isSuperseded(r.last) {
		last := r.last.Item
		x := f.addSuperseded(r.last)
		x.Former = append(r.former(own), keyIn(supersededOverride, own, x.Message))
		x.Joint = []*Rule{equivalentOverride}
		x.Also = slices.DeleteFunc(r.all, func(it source.Item) bool { return it == last })
		if others := r.equalOverrides(); len(others) > 0 {
			x.Message = fmt.Sprintf("Superseded by %s, and so is the same override at %s. Remove them.", supersededBy(r.last.By, last), placesFrom(last, others, 3))
		}
		return
	}
	x := f.add(equivalentOverride, r.items[0], "%s", r)
	x.Related = &diag.Related{Note: "same here", Range: source.Where(r.first)}
	if x.Also = r.items[1:]; len(x.Also) > 0 {
		x.Related = &diag.Related{Note: "and here", Range: source.Where(x.Also[0])}
	}
	x.Former = r.former(own)
	if len(x.Also) > 0 || source.IsOverride(r.first) {
		x.Joint = []*Rule{supersededOverride}
	}
}

// equalOverrides returns the overrides that equal the last one, without it.
func (r *repetition) equalOverrides() (list []source.Item) {
	if source.IsOverride(r.first) {
		list = append(list, r.first)
	}
	return append(list, r.items[:len(r.items)-1]...)
}

// String returns the message of the finding about a repetition that is not superseded.
func (r *repetition) String() string {
	if len(r.items) == 1 {
		return repeatsMessage(r.items[0], r.first)
	}
	return fmt.Sprintf("Same as %s, and so is the override at %s. Remove them, or keep one to pin the value.", placeFrom(r.items[0], r.first), placesFrom(r.items[0], r.items[1:], 3))
}

// repeatsMessage returns the message that a single override, it, repeats the item of.
func repeatsMessage(it, of source.Item) string {
	return fmt.Sprintf("Same as %s. Remove it, or keep it to pin the value.", placeFrom(it, of))
}

// former returns the keys of the findings that earlier versions made: one about each override that repeats a
// value, and one about each that the next supersedes. own is the address.
func (r *repetition) former(own string) (keys []Key) {
	for i, it := range r.items {
		keys = append(keys, keyIn(equivalentOverride, own, repeatsMessage(it, r.repeated[i])))
		if source.IsOverride(r.repeated[i]) {
			keys = append(keys, keyIn(supersededOverride, own, fmt.Sprintf(supersededText, supersededBy(it, r.repeated[i]))))
		}
	}
	return keys
}

// IsSameAs reports whether the items that one block of an override sets equal the earlier ones, which they
// replaced. first is the outcome of the first of these items; for any other one the result is false. It is
// also false if computed text is effective instead of the items: default = {} is another value under another
// type.
func IsSameAs(e *merge.MergedItem, outcomes []merge.Outcome, first int, earlier []source.Item) bool {
	if e.Value != nil && e.Has(outcomes[first].Item) {
		return false
	}
	if first > 0 && merge.ShareOrigin(outcomes[first-1].Item, outcomes[first].Item) { // not the first one of its block
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
	return (o.Status == effect.StatusReplaced || o.Status == effect.StatusHidden) && o.By != nil && source.IsOverride(o.By) && !merge.ShareOrigin(o.By, o.Item)
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
