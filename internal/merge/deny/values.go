package deny

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// Keys and elements. A value replaces another one as a whole, and so do the nested blocks of a
// type: it sets, changes or drops every denied part.

// A layer holds the items that one block of an override file sets for a name, and the items that were in
// effect before.
type layer struct {
	own         address.Address // of the name
	item        *merge.MergedItem
	now, before []source.Item // what the block sets, and what was in effect
	outcome     merge.Outcome // of the first of now
}

// layersOf lists the layers that override files make in a history, in load order. own is the address of e. A
// block with a merged body has none, since its items have their own.
func layersOf(own address.Address, e *merge.MergedItem) (list []layer) {
	outcomes := e.Outcomes()
	for i, o := range outcomes {
		switch {
		case e.Inner() != nil || o.Item == nil || !source.IsOverride(o.Item): // it makes no layer
		case i > 0 && merge.ShareOrigin(outcomes[i-1].Item, o.Item):
			// A further nested block of the same override block: the outcome before, an override's too, has made the layer.
			last := &list[len(list)-1]
			last.now = append(last.now, o.Item)
		default:
			list = append(list, layer{own: own, item: e, now: []source.Item{o.Item}, before: e.Before(i), outcome: o})
		}
	}
	return list
}

// judgeValues denies the parts that a layer sets, changes or drops, unless the layer is denied as a whole or
// repeats what was in effect.
func (d *denial) judgeValues(l layer) {
	at := d.matchState(l.own)
	if !d.MayMatchBelow(at) || d.isAnyListed(l.now) {
		return
	}
	if slices.EqualFunc(l.now, l.before, equal.Items) { // a repetition
		return
	}
	// Find what the patterns match on both sides, and compare the matches.
	shared := d.sharedBlocks(l.now, l.before)
	now, before := d.searchLayer(l.now, shared, at), d.searchLayer(l.before, shared, at)
	d.denySet(l, before, now)
	// One finding for the whole value suffices: its keys can't be compared.
	if len(now.hidden) > 0 {
		d.denyHidden(l, now.hidden[0])
		return
	}
	hasReplaced := l.outcome.Effect == effect.Replaced && l.outcome.Status != effect.StatusNoEffect && len(l.before) > 0
	if hasReplaced { // otherwise nothing can be dropped
		d.denyDropped(l, before, now)
	}
}

// denySet denies the matches in now, unless the earlier layer has an equal one at the same path, in the block at the
// same place: an unchanged repetition is allowed.
func (d *denial) denySet(l layer, before, now *survey) {
	for _, path := range now.order {
		for _, it := range now.found[path] {
			was := before.lastAt[placedPath{path, now.places[it]}]
			isRepeated := was != nil && equal.Items(was, it)
			if !isRepeated && !d.listed[it] {
				d.denyPart(l, path, it, before.found[path])
			}
		}
	}
}

// matchState tells how far the patterns match the address own of the item at hand, or one of its further
// addresses.
func (d *denial) matchState(own address.Address) address.Progress {
	at := d.Reach(own)
	for _, other := range d.others {
		at.Add(d.Reach(other))
	}
	return at
}

// judgeGone denies that the item in l.now removed l.before, which has another name: count removes for_each, cloud a
// backend. If patterns match only inside the removed item (MayMatchBelow), it denies that each matching part is gone.
func (d *denial) judgeGone(l layer) {
	switch at := d.matchState(l.own); {
	case d.isAnyListed(l.now): // the removing item is denied already
	case d.Covers(l.own) || slices.ContainsFunc(d.others, d.Covers):
		d.addFinding(l, address.Address{}, l.now[0], "The policy denies overrides of %s, which this %s drops. %s", l.own, noun(l.now[0]), d.remedyFor(l, l.before[0]))
	case d.MayMatchBelow(at):
		nothingNow := &survey{} // so that all matches before count as dropped
		d.denyDropped(l, d.searchLayer(l.before, nil, at), nothingNow)
	}
}

// denyDropped denies that later items lack parts of the earlier ones: it adds one finding for each path with fewer
// matches now than before. If a part only moved to another place, the number is the same: judgeValues denies that
// it's set there.
func (d *denial) denyDropped(l layer, before, now *survey) {
	for _, path := range before.order {
		if len(now.found[path]) >= len(before.found[path]) {
			continue
		}
		// Name the first part that now has no match in the block at the same place. If there is none, name the first.
		hasNoCounterpart := func(it source.Item) bool { return now.lastAt[placedPath{path, before.places[it]}] == nil }
		i := max(0, slices.IndexFunc(before.found[path], hasNoCounterpart))
		d.denyDrop(l, path, before.found[path][i], before.whole[path])
	}
	// A part that can't be seen may be dropped, too. An unchanged value would also be hidden in now, and judgeValues
	// doesn't get here then. One finding suffices.
	if len(before.hidden) > 0 {
		h := before.hidden[0]
		d.addFinding(l, h.path, l.now[0], "The policy denies overrides of %s. Only the plan shows which keys the value at %s has, so this one may drop one. "+
			"Change that value instead.", h.pattern, diag.Place(source.Where(h.item)))
	}
}

// isAnyListed reports whether one of some items, or a block around it, is denied already.
func (d *denial) isAnyListed(items []source.Item) bool {
	return slices.ContainsFunc(items, func(it source.Item) bool { return d.listed[it] || d.isInListed(it) })
}

// denyPart denies the part it, which a layer sets. path leads to it from the layer's name. was are the earlier
// parts at that path.
func (d *denial) denyPart(l layer, path address.Address, it source.Item, was []source.Item) {
	remedy := "Set it in a primary file instead."
	if len(was) > 0 {
		remedy = d.remedyFor(l, was[0])
	}
	d.addFinding(l, path, it, "The policy denies overrides of %s. %s", l.own.Join(path), remedy)
}

// remedyFor returns the sentence that says to change the earlier value was, if a primary file sets it. In an
// override file that would be denied, too, so it names the primary definition of the item instead.
func (d *denial) remedyFor(l layer, was source.Item) string {
	if source.IsOverride(was) {
		return d.remedy(l.item, l.now[0])
	}
	return "Change it at " + diag.Place(source.Where(was)) + " instead."
}

// denyDrop denies that a layer drops the earlier part was. path leads to it from the layer's name. The remedy
// is to repeat a dropped key in the override. For a whole argument or block (isWhole), the repetition would itself be
// denied. If the override has another name, as when count removes for_each, it can't hold the key. In both cases the
// remedy is to change the earlier value.
func (d *denial) denyDrop(l layer, path address.Address, was source.Item, isWhole bool) {
	it, remedy := l.now[0], "Repeat it here as it is at "+diag.Place(source.Where(was))+"."
	if isWhole || it.Called() != l.before[0].Called() {
		remedy = d.remedyFor(l, was)
	}
	d.addFinding(l, path, it, "The policy denies overrides of %s, which this %s drops. %s", l.own.Join(path), noun(it), remedy)
}

// noun returns "block" or "value" for an item.
func noun(it source.Item) string {
	if _, isBlock := it.(*source.Block); isBlock {
		return "block"
	}
	return "value"
}

// denyHidden denies a value because it may have a part that a pattern matches: only the engine knows its keys,
// or they are too long to search.
func (d *denial) denyHidden(l layer, h hiddenPart) {
	if h.isTooLong {
		d.addFinding(l, h.path, h.item, "The policy denies overrides of %s. The keys of this value are too long or nest too deep to look for it. "+
			"Shorten them.", h.pattern)
		return
	}
	d.addFinding(l, h.path, h.item, "The policy denies overrides of %s. Only the plan shows which keys this value has, so it may set or drop one. "+
		"Write it in braces with every key spelled out.", h.pattern)
}

// addFinding adds a finding about the part it of a layer. path leads to it from the layer's name. The
// finding's fact is that of the layer's first item, but with the text of the part: another run has the same
// finding only if the part is unchanged.
func (d *denial) addFinding(l layer, path address.Address, it source.Item, format string, args ...any) {
	f := check.DeniedOverride.At(source.Where(it), fmt.Sprintf(format, args...))
	f.Address, f.Item = l.own.Join(path), l.item
	if fact := d.facts.factOf(l.now[0]); fact != nil {
		fact.Tokens = equal.SumOfItem(it)
		f.Fact = fact
	}
	d.found = append(d.found, f)
}

// Facts tell whether another run has the same finding about items of override files. Each text is hashed
// once, so the work is in proportion to the text.
type Facts struct {
	outcomes  map[source.Item]outcome           // of items of override files
	sums      map[source.Item]equal.Sum         // cache of sumOf
	winners   map[*merge.MergedItem]winnerNames // cache of winnersOf
	positions map[source.Item]int               // positions of nested blocks among those of their type in one block
}

// An outcome is what became of an item, with the history that it is in.
type outcome struct {
	merge.Outcome
	of    *merge.MergedItem
	place int // position among the items of the history that are in the same block
}

// A winnerNames identifies the effective items of a history by hashes of their texts, and of their files.
type winnerNames struct{ byText, byFile string }

// FactsOf prepares the facts of a module. Only items of override files have any.
func FactsOf(m *merge.Module) *Facts {
	f := &Facts{
		outcomes: map[source.Item]outcome{}, sums: map[source.Item]equal.Sum{},
		winners: map[*merge.MergedItem]winnerNames{}, positions: map[source.Item]int{},
	}
	address.Walk(m, func(_ address.Address, e *merge.MergedItem) {
		counts := map[*source.Block]int{} // by block: how many of its items are among the outcomes so far
		for _, o := range e.Outcomes() {
			if source.IsOverride(o.Item) {
				holder := merge.Holder(o.Item)
				f.outcomes[o.Item] = outcome{Outcome: o, of: e, place: counts[holder]}
				counts[holder]++
			}
		}
	})
	return f
}

// FactOfFile returns the fact of a finding about a file as a whole, an override file that the policy doesn't allow:
// the hash of its text. By facts, --only-new recognizes findings that the earlier revision has: only the same text is
// the same finding.
func FactOfFile(text []byte) *check.Fact { return &check.Fact{Tokens: sha256.Sum256(text)} }

// factOf returns the fact of a finding about an item, or nil if f is nil. An item in a nested block has no
// outcome of its own, so it shares that of the block. The fact includes the winners: the items in effect instead of this
// one and of everything in it.
func (f *Facts) factOf(it source.Item) *check.Fact {
	if f == nil {
		return nil
	}
	owner, place := f.withOutcome(it) // owner: the item, or the block around it that has the outcome
	fact := &check.Fact{Tokens: f.sumOf(it), Place: place, Around: f.sumOf(owner)}
	w := winnerHash{facts: f, byText: sha256.New(), byFile: sha256.New()}
	if owner != it { // it has no outcome, so what became of owner counts
		w.addItem(owner)
	}
	w.addAll(it)
	w.byText.Sum(fact.Winners[:0]) // Sum fills the array
	w.byFile.Sum(fact.WinningFiles[:0])
	of := f.outcomes[owner].of
	isOneOfSeveralBlocks := of != nil && of.Inner() == nil && len(of.Live) > 1 && of.Has(owner)
	if isOneOfSeveralBlocks { // their order matters
		fact.Row = of
	}
	return fact
}

// sumOf returns the sum of an item's tokens, computed once.
func (f *Facts) sumOf(it source.Item) equal.Sum {
	sum, known := f.sums[it]
	if !known {
		sum = equal.SumOfItem(it)
		f.sums[it] = sum
	}
	return sum
}

// withOutcome returns the item itself if it has an outcome, otherwise the innermost block around it that has
// one, or the item if none has. place holds the position of that block (outcome.place) and of each block between
// (positionOf): for an argument in the first filter block in the second rule block, whose outcome counts, it's "1.0".
// It's "" if withOutcome returns the item itself.
func (f *Facts) withOutcome(it source.Item) (owner source.Item, place string) {
	if _, hasOutcome := f.outcomes[it]; hasOutcome || it.Within() == nil {
		return it, ""
	}
	// place grows at the front, from the innermost block outward.
	for b := it.Within(); ; b = b.Within() {
		o, hasOutcome := f.outcomes[b]
		switch {
		case hasOutcome:
			return b, strconv.Itoa(o.place) + place
		case b.Within() == nil:
			return it, ""
		}
		place = "." + strconv.Itoa(f.positionOf(b)) + place
	}
}

// positionOf returns the position of a nested block among those of its type in the block around it.
func (f *Facts) positionOf(it source.Item) int {
	if place, known := f.positions[it]; known {
		return place
	}
	counts := map[string]int{}
	for _, inner := range it.Within().Items() {
		f.positions[inner] = counts[inner.Called()]
		counts[inner.Called()]++
	}
	return f.positions[it]
}

// A winnerHash hashes the winners of histories: by their texts, and by their files.
type winnerHash struct {
	facts          *Facts
	byText, byFile hash.Hash
}

// addAll hashes what is in effect instead of an item, and instead of everything in it. Two runs then have the same
// finding only if the same overrides win.
func (w winnerHash) addAll(it source.Item) {
	w.addItem(it)
	if b, ok := it.(*source.Block); ok {
		for _, inner := range b.Items() {
			w.addAll(inner)
		}
	}
}

// addItem hashes what is effective instead of an item: "itself" if the item is effective, otherwise its status
// and the winners. An item without an outcome is left out.
func (w winnerHash) addItem(it source.Item) {
	o, known := w.facts.outcomes[it]
	if !known {
		return
	}
	by := winnerNames{"itself", "itself"}
	if !o.Status.IsInEffect() {
		by = w.facts.winnersOf(o)
		by.byText, by.byFile = string(o.Status)+by.byText, string(o.Status)+by.byFile
	}
	// Lengths keep two lists apart that would be the same text joined.
	fmt.Fprintf(w.byText, "%d %s", len(by.byText), by.byText)
	fmt.Fprintf(w.byFile, "%d %s", len(by.byFile), by.byFile)
}

// winnersOf identifies the items that are in effect instead of the item with outcome o: those in effect in its
// history. If the history has none, it identifies the item that decided against this one (o.By), if there is one.
func (f *Facts) winnersOf(o outcome) winnerNames {
	list := o.of.Live
	if len(list) == 0 { // nothing is in effect
		if o.By == nil {
			return winnerNames{}
		}
		return f.winnersIn([]source.Item{o.By})
	}
	if _, known := f.winners[o.of]; !known {
		f.winners[o.of] = f.winnersIn(list)
	}
	return f.winners[o.of]
}

// winnersIn identifies winners, items that are in effect instead of another: those of override files by two hashes,
// of their texts and of their files. A primary file's text may change without making a finding new, so its items all
// count the same.
func (f *Facts) winnersIn(list []source.Item) winnerNames {
	byText, byFile, lastFile := sha256.New(), sha256.New(), ""
	for _, it := range list {
		file, sum := "", equal.Sum{} // the same for all primary files
		if source.IsOverride(it) {
			file, sum = it.Source().Name, f.sumOf(it)
		}
		byText.Write(sum[:])
		if file != lastFile { // a file counts once for all its items in a row; primary files before it don't count
			fmt.Fprintf(byFile, "%d %s", len(file), file)
			lastFile = file
		}
	}
	return winnerNames{string(byText.Sum(nil)), string(byFile.Sum(nil))}
}

// Most arguments that are expressions are a number or a text. The module's variables and local
// values often suffice to know that, so a pattern such as aws_*.**.Name denies only values that may
// have such a key.

// maxDepth is how many local values are followed, one after the other.
const maxDepth = 16

// A declarations holds the effective types of variables and the local values, by their names.
type declarations struct {
	types, locals map[string]*source.Attr
}

// declarations returns the types of variables and the local values of the module. It reads them on the first
// call.
func (d *denial) declarations() *declarations {
	if d.declared != nil {
		return d.declared
	}
	d.declared = &declarations{types: map[string]*source.Attr{}, locals: map[string]*source.Attr{}}
	isWanted := func(f *source.File, i int) bool {
		start := address.Start(f.TypeOf(i))
		return start == "var" || start == "local"
	}
	address.WalkSome(d.module, isWanted, func(own address.Address, e *merge.MergedItem) {
		a := e.Attr()
		switch list := own.Segments(); {
		case a == nil:
		case len(list) == 3 && list[0].Name == "var" && list[2].Name == "type": // var.NAME.type
			d.declared.types[list[1].Name] = a
		case len(list) == 2 && list[0].Name == "local": // local.NAME
			d.declared.locals[list[1].Name] = a
		}
	})
	return d.declared
}

// takesSingle reports whether the language gives an argument a type without keys and elements. It's also true for an
// element of depends_on or ignore_changes, since that is a reference, even in quotes: "aws_instance.web".
func takesSingle(a *source.Attr) bool {
	shape, ok := language.ArgOf(a)
	return ok && (!shape.Kind.HasParts() || a.IsPart() && language.TakesQuotes(a))
}

// isSingleExpr reports whether an expression is certainly a number, a text or the like. It follows references
// to typed variables and to local values. depth is the number of local values followed so far.
func (d *denial) isSingleExpr(e hcl.Expression, depth int) bool {
	return parts.IsSingle(e, func(ref hcl.Traversal) bool {
		isPlain := len(ref) == 2 // var.NAME or local.NAME, without anything behind it
		if !isPlain || depth == maxDepth {
			return false
		}
		step, _ := ref[1].(hcl.TraverseAttr)
		switch ref.RootName() {
		case "var":
			a := d.declarations().types[step.Name]
			if a == nil { // a variable without a type may hold anything
				return false
			}
			switch hcl.ExprAsKeyword(a.Expr()) {
			case "string", "number", "bool":
				return true
			}
		case "local":
			a := d.declarations().locals[step.Name]
			return a != nil && d.isSingleExpr(a.Expr(), depth+1)
		}
		return false
	})
}

// Numbers. A block or an element may have another number in the list that replaces it. A pattern
// that has the old one also matches what became of it, as package changes pairs the two lists;
// everything else compares them number by number.

// denyMoved denies changes of blocks and elements whose old number a pattern names, and which now have another
// number or are gone. judgeValues compares number by number, so it misses them. What d.found already says is
// not repeated.
func (d *denial) denyMoved(aliases address.AliasIndex) {
	// Each finding is known by its whole address, and by its position, since another finding about the same text may
	// write the address with other numbers or without.
	isKnown := map[findingPlace]bool{}
	for _, f := range d.found {
		isKnown[findingPlace{file: f.Range.Filename, about: f.Address}] = true
		isKnown[findingPlaceOf(f.Range, f.Address)] = true
	}
	changes.Each(d.module, func(b *changes.Block) {
		for i := range b.Changes {
			c := &b.Changes[i]
			by := c.ByItem()
			if c.Before == nil || by == nil || !source.IsOverride(by) || !hasMoved(c.Path) {
				continue
			}
			d.usePatternsFor(by)
			if !d.HasIndex() || d.isAnyListed([]source.Item{by}) {
				continue
			}
			// The finding is about the address with the old numbers.
			d.others = aliases.Of(c.Address)
			path, isMatch := d.matchFormer(c)
			at := c.Address.Join(path)
			isReported := isKnown[findingPlaceOf(c.By(), at)] || isKnown[findingPlace{file: c.By().Filename, about: at}]
			if isMatch && !isReported {
				d.denyChange(c, by, path)
			}
		}
	})
}

// hasMoved reports whether a block or an element on the path p has another number now, or none.
func hasMoved(p *values.Path) bool {
	for ; p != nil; p = p.From {
		if p.IsIndex && p.Before != p.After {
			return true
		}
	}
	return false
}

// A findingPlace identifies a finding by its file and either its position and its address without numbers, or
// its whole address.
type findingPlace struct {
	file  string
	byte  int // from 1; 0 if about has the numbers
	about address.Address
}

// findingPlaceOf returns the place of a finding by its range and its address. It removes the numbers from the
// address, since the old and the new ones may differ.
func findingPlaceOf(r hcl.Range, of address.Address) findingPlace {
	p := findingPlace{file: r.Filename, byte: r.Start.Byte + 1} // 0 means no position
	for _, s := range of.Segments() {
		if !s.IsIndex() {
			p.about = p.about.Step(s)
		}
	}
	return p
}

// matchFormer returns the path to a change with the old numbers. isMatch tells whether a pattern matches that path or
// a beginning of it. But it's false if a pattern matches with the new numbers, since such matches have been judged.
// If the change is inside a dropped block, a match of the block doesn't count, since the block has its own change.
func (d *denial) matchFormer(c *changes.Change) (path address.Address, isMatch bool) {
	atOld := d.matchState(c.Address) // how far the patterns match the path with the old numbers
	atNew, steps := atOld, c.Path.Steps()
	for i, s := range steps {
		oldStep, newStep := spelling.Named(s.Name), spelling.Named(s.Name)
		if s.IsIndex {
			oldStep, newStep = spelling.At(s.Before), spelling.At(s.After)
		}
		atOld, path = d.Follow(atOld, oldStep), path.Step(oldStep)
		isGone := s.IsIndex && s.After < 0 // it has no new number, so atNew stays at the state judged before
		if !isGone {
			atNew = d.Follow(atNew, newStep)
		}
		if d.HasMatchAt(atNew) { // judged by the new numbers
			return path, false
		}
		// Inside a dropped block, only a match of the last step counts.
		mayMatchHere := i == len(steps)-1 || !c.IsInside
		if mayMatchHere && d.HasMatchAt(atOld) {
			isMatch = true
		}
	}
	return path, isMatch
}

// denyChange denies a change that the override by made to a block or an element that had another number before, or
// to something in it: if an override drops ingress[0], the block ingress[1] gets the number 0. path leads from
// c.Address to the changed item, with the old numbers.
func (d *denial) denyChange(c *changes.Change, by source.Item, path address.Address) {
	dropped := ""
	if c.Kind() == changes.Dropped {
		dropped = fmt.Sprintf(", which this %s drops", noun(by))
	}
	d.addFinding(layer{own: c.Address, item: c.Item, now: []source.Item{by}}, path, by,
		"The policy denies overrides of %s%s. Change it at %s instead.", c.Address.Join(path), dropped, diag.Place(c.Before.Place()))
	// The change may be about a part of by.
	d.found[len(d.found)-1].Range = c.By()
}
