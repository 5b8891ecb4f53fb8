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
	own         address.Address
	item        *merge.MergedItem
	now, before []source.Item
	outcome     merge.Outcome // of the first of now
}

// layersOf lists the layers of override files in a history, in load order; none for a block with a merged
// body.
func layersOf(own address.Address, e *merge.MergedItem) (list []layer) {
	outcomes := e.Outcomes()
	for i, o := range outcomes {
		switch {
		case e.Inner() != nil || o.Item == nil || !source.IsOverride(o.Item):
		case i > 0 && merge.ShareOrigin(outcomes[i-1].Item, o.Item):
			last := &list[len(list)-1]
			last.now = append(last.now, o.Item)
		default:
			list = append(list, layer{own, e, []source.Item{o.Item}, e.Before(i), o})
		}
	}
	return list
}

// judgeValues denies the parts that a layer sets, changes or drops, unless the layer is denied as a whole.
func (d *denial) judgeValues(l layer) {
	at := d.reach(l.own)
	if !d.MayGoOn(at) || d.isAnyListed(l.now) {
		return
	}
	if slices.EqualFunc(l.now, l.before, equal.Items) {
		return
	}
	stay := d.staying(l.now, l.before)
	now, before := d.survey(l.now, stay, at), d.survey(l.before, stay, at)
	for _, path := range now.order {
		for _, it := range now.found[path] {
			was := before.placed[placedPath{path, now.places[it]}]
			if !d.listed[it] && (was == nil || !equal.Items(was, it)) {
				d.denyPart(l, path, it, before.found[path])
			}
		}
	}
	switch {
	case len(now.hidden) > 0:
		d.denyHidden(l, now.hidden[0])
		return
	case l.outcome.Effect != effect.Replaced, l.outcome.Status == effect.StatusNoEffect, len(l.before) == 0:
		return // nothing is dropped
	}
	d.denyDropped(l, before, now)
}

// reach returns the match state of an item, by its own address and the further ones.
func (d *denial) reach(own address.Address) address.Progress {
	at := d.Reach(own)
	for _, other := range d.others {
		at.Join(d.Reach(other))
	}
	return at
}

// judgeGone denies that an item of another name removed l.before: count removes for_each, cloud a backend.
func (d *denial) judgeGone(l layer) {
	switch at := d.reach(l.own); {
	case d.isAnyListed(l.now):
	case d.Covers(l.own) || slices.ContainsFunc(d.others, d.Covers):
		d.note(l, address.Address{}, l.now[0], "The policy denies overrides of %s, which this %s drops. %s", l.own, noun(l.now[0]), d.changeAt(l, l.before[0]))
	case d.MayGoOn(at):
		d.denyDropped(l, d.survey(l.before, nil, at), &survey{})
	}
}

// denyDropped denies the parts of the earlier items that the later ones lack, and of several at one path
// those that are fewer now. A part that has another place is denied as one that was set.
func (d *denial) denyDropped(l layer, before, now *survey) {
	for _, path := range before.order {
		if len(now.found[path]) >= len(before.found[path]) {
			continue
		}
		isGone := func(it source.Item) bool { return now.placed[placedPath{path, before.places[it]}] == nil }
		i := max(0, slices.IndexFunc(before.found[path], isGone))
		d.denyDrop(l, path, before.found[path][i], before.whole[path])
	}
	if len(before.hidden) > 0 {
		h := before.hidden[0]
		d.note(l, h.path, l.now[0], "The policy denies overrides of %s. Only the plan shows which keys the value at %s has, so this one may drop one. "+
			"Change that value instead.", h.pattern, diag.Place(source.Where(h.item)))
	}
}

// isAnyListed reports whether one of some items is denied already.
func (d *denial) isAnyListed(items []source.Item) bool {
	return slices.ContainsFunc(items, func(it source.Item) bool { return d.listed[it] || d.isListed(it) })
}

// denyPart denies a part that a layer sets, at a path from its name. was are the earlier parts at that path.
func (d *denial) denyPart(l layer, path address.Address, it source.Item, was []source.Item) {
	remedy := "Set it in a primary file instead."
	if len(was) > 0 {
		remedy = d.changeAt(l, was[0])
	}
	d.note(l, path, it, "The policy denies overrides of %s. %s", l.own.Join(path), remedy)
}

// changeAt returns the remedy to change the earlier value, if a primary file sets it: in an override file
// that is denied, too.
func (d *denial) changeAt(l layer, was source.Item) string {
	if source.IsOverride(was) {
		return d.remedy(l.item, l.now[0])
	}
	return "Change it at " + diag.Place(source.Where(was)) + " instead."
}

// denyDrop denies that a layer drops a part of earlier items, at a path from its name. The remedy is to repeat a
// dropped key in the override. That doesn't work for an argument or a block (isWhole), which would be denied
// again, nor where an item of another name replaced the earlier one: then the earlier value is to be changed.
func (d *denial) denyDrop(l layer, path address.Address, was source.Item, isWhole bool) {
	it, remedy := l.now[0], "Repeat it here as it is at "+diag.Place(source.Where(was))+"."
	if isWhole || it.Called() != l.before[0].Called() {
		remedy = d.changeAt(l, was)
	}
	d.note(l, path, it, "The policy denies overrides of %s, which this %s drops. %s", l.own.Join(path), noun(it), remedy)
}

// noun returns "block" or "value" for an item.
func noun(it source.Item) string {
	if _, isBlock := it.(*source.Block); isBlock {
		return "block"
	}
	return "value"
}

// denyHidden denies a value because only the engine knows whether it has a part that a pattern matches.
func (d *denial) denyHidden(l layer, h hiddenPart) {
	if h.isTooLong {
		d.note(l, h.path, h.item, "The policy denies overrides of %s. The keys of this value are too long or nest too deep to look for it. "+
			"Shorten them.", h.pattern)
		return
	}
	d.note(l, h.path, h.item, "The policy denies overrides of %s. Only the plan shows which keys this value has, so it may set or drop one. "+
		"Write it in braces with every key spelled out.", h.pattern)
}

// note adds a finding about a part of a layer, at a path from its name and at item it. Its fact is that of
// the layer's first item, with the text of the part: in another run it is the same finding only if the part
// is unchanged.
func (d *denial) note(l layer, path address.Address, it source.Item, format string, args ...any) {
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
	outcomes map[source.Item]outcome
	sums     map[source.Item]equal.Sum
	winners  map[*merge.MergedItem]winnerNames
	places   map[source.Item]int // positions of nested blocks among those of their type in one block
}

// An outcome is what became of an item, with the history that it is in.
type outcome struct {
	merge.Outcome
	of    *merge.MergedItem
	place int // among the items of the history that came with the same block
}

// A winnerNames identifies the winners of a history by hashes of their texts, and of their files.
type winnerNames struct{ byText, byFile string }

// FactsOf returns the facts of a module. Only items of override files have any.
func FactsOf(m *merge.Module) *Facts {
	f := &Facts{
		outcomes: map[source.Item]outcome{}, sums: map[source.Item]equal.Sum{},
		winners: map[*merge.MergedItem]winnerNames{}, places: map[source.Item]int{},
	}
	address.Walk(m, func(_ address.Address, e *merge.MergedItem) {
		counts := map[*source.Block]int{}
		for _, o := range e.Outcomes() {
			if source.IsOverride(o.Item) {
				holder := merge.Holder(o.Item)
				f.outcomes[o.Item] = outcome{o, e, counts[holder]}
				counts[holder]++
			}
		}
	})
	return f
}

// FactOfFile returns the fact of a finding about a file as a whole.
func FactOfFile(text []byte) *check.Fact { return &check.Fact{Tokens: sha256.Sum256(text)} }

// factOf returns the fact of a finding about an item; nil if f is nil.
func (f *Facts) factOf(it source.Item) *check.Fact {
	if f == nil {
		return nil
	}
	at, place := f.holder(it)
	fact := &check.Fact{Tokens: f.sumOf(it), Place: place, Around: f.sumOf(at)}
	w := winnerHash{f, sha256.New(), sha256.New()}
	if at != it {
		w.addItem(at)
	}
	w.addAll(it)
	w.byText.Sum(fact.Winners[:0])
	w.byFile.Sum(fact.WinningFiles[:0])
	if o := f.outcomes[at]; o.of != nil && o.of.Inner() == nil && len(o.of.Live) > 1 && o.of.Has(at) {
		fact.Row = o.of
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

// holder returns the item itself if it has an outcome, otherwise the innermost block around it that has one.
// place is the way from there, as positions.
func (f *Facts) holder(it source.Item) (at source.Item, place string) {
	for at = it; ; at = at.Within() {
		o, known := f.outcomes[at]
		switch {
		case known && at == it:
			return at, ""
		case known:
			return at, strconv.Itoa(o.place) + place
		case at.Within() == nil:
			return it, ""
		}
		if at != it {
			place = "." + strconv.Itoa(f.placeOf(at)) + place
		}
	}
}

// placeOf returns the position of a nested block among those of its type in the block around it.
func (f *Facts) placeOf(it source.Item) int {
	if place, known := f.places[it]; known {
		return place
	}
	counts := map[string]int{}
	for _, inner := range it.Within().Items() {
		f.places[inner] = counts[inner.Called()]
		counts[inner.Called()]++
	}
	return f.places[it]
}

// A winnerHash hashes the winners of histories: by their texts, and by their files.
type winnerHash struct {
	facts          *Facts
	byText, byFile hash.Hash
}

// addAll hashes who wins over an item and over everything in it.
func (w winnerHash) addAll(it source.Item) {
	w.addItem(it)
	if b, ok := it.(*source.Block); ok {
		for _, inner := range b.Items() {
			w.addAll(inner)
		}
	}
}

// addItem hashes who wins over an item: nobody, if it is in effect. Items without an outcome are left out.
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
	fmt.Fprintf(w.byText, "%d %s", len(by.byText), by.byText)
	fmt.Fprintf(w.byFile, "%d %s", len(by.byFile), by.byFile)
}

// winnersOf identifies the items in effect where the one with outcome o isn't.
func (f *Facts) winnersOf(o outcome) winnerNames {
	list := o.of.Live
	if len(list) == 0 {
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

// winnersIn identifies items: those of override files by their texts and files. Of primary files it only
// counts that there are some.
func (f *Facts) winnersIn(list []source.Item) winnerNames {
	byText, byFile, last := sha256.New(), sha256.New(), ""
	for _, it := range list {
		layer, sum := "", equal.Sum{}
		if source.IsOverride(it) {
			layer, sum = it.Source().Name, f.sumOf(it)
		}
		byText.Write(sum[:])
		if layer != last {
			fmt.Fprintf(byFile, "%d %s", len(layer), layer)
			last = layer
		}
	}
	return winnerNames{string(byText.Sum(nil)), string(byFile.Sum(nil))}
}

// Most arguments that are expressions are a number or a text. The module's variables and local
// values often suffice to know that, so a pattern such as aws_*.**.Name denies only values that may
// have such a key.

// maxDepth is how many local values are followed, one after the other.
const maxDepth = 16

// declarations holds the effective types of variables, and local values, by their names.
type declarations struct {
	types, locals map[string]*source.Attr
}

// declarations returns the types of variables and the local values of the module, read on the first call.
func (d *denial) declarations() *declarations {
	if d.declared != nil {
		return d.declared
	}
	d.declared = &declarations{map[string]*source.Attr{}, map[string]*source.Attr{}}
	isWanted := func(f *source.File, i int) bool {
		start := address.Start(f.TypeOf(i))
		return start == "var" || start == "local"
	}
	address.WalkSome(d.module, isWanted, func(own address.Address, e *merge.MergedItem) {
		a := e.Attr()
		switch list := own.Segments(); {
		case a == nil:
		case len(list) == 3 && list[0].Name == "var" && list[2].Name == "type":
			d.declared.types[list[1].Name] = a
		case len(list) == 2 && list[0].Name == "local":
			d.declared.locals[list[1].Name] = a
		}
	})
	return d.declared
}

// takesSingle reports whether the language knows that an argument has no keys and elements. A part of an
// argument that takes references in quotes is a reference, so it has none either.
func takesSingle(a *source.Attr) bool {
	shape, ok := language.ArgOf(a)
	return ok && (!shape.Kind.HasParts() || a.IsPart() && language.TakesQuotes(a))
}

// isSingleExpr reports whether an expression is certainly a number, a text or the like. It follows references
// to variables with a type and to local values; depth counts the latter.
func (d *denial) isSingleExpr(e hcl.Expression, depth int) bool {
	return parts.IsSingle(e, func(ref hcl.Traversal) bool {
		if len(ref) != 2 || depth == maxDepth {
			return false
		}
		step, _ := ref[1].(hcl.TraverseAttr)
		switch ref.RootName() {
		case "var":
			a := d.declarations().types[step.Name]
			if a == nil {
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

// denyMoved denies changes of blocks and elements with a number that a pattern names, and that now have
// another number or are gone. Findings that say the same are known already.
func (d *denial) denyMoved(patterns map[*source.File]*address.Patterns, aliases address.AliasIndex) {
	isKnown := map[place]bool{}
	for _, f := range d.found {
		isKnown[place{file: f.Range.Filename, about: f.Address}] = true
		isKnown[placeOf(f.Range, f.Address)] = true
	}
	changes.Each(d.module, func(b *changes.Block) {
		for i := range b.Changes {
			c := &b.Changes[i]
			by := c.ByItem()
			if c.Before == nil || by == nil || !source.IsOverride(by) || !hasMoved(c.Path) {
				continue
			}
			if d.Patterns = patterns[by.Source()]; !d.HasIndex() || d.isAnyListed([]source.Item{by}) {
				continue
			}
			d.others = aliases.Of(c.Address)
			path, isMatch := d.follow(c)
			at := c.Address.Join(path)
			if isMatch && !isKnown[placeOf(c.By(), at)] && !isKnown[place{file: c.By().Filename, about: at}] {
				d.denyChange(c, by, path)
			}
		}
	})
}

// hasMoved reports whether a block or an element on a path has another number now, or none.
func hasMoved(p *values.Path) bool {
	for ; p != nil; p = p.From {
		if p.IsIndex && p.Before != p.After {
			return true
		}
	}
	return false
}

// A place is where a finding is, to compare findings: its file, with the position or with the numbers in the
// address, but not both.
type place struct {
	file  string
	byte  int // from 1
	about address.Address
}

// placeOf returns the place at a range, with the address without its numbers.
func placeOf(r hcl.Range, of address.Address) place {
	p := place{file: r.Filename, byte: r.Start.Byte + 1}
	for _, s := range of.Segments() {
		if !s.IsIndex() {
			p.about = p.about.Step(s)
		}
	}
	return p
}

// follow returns the path to a change with the numbers as they were. It reports whether a pattern matches
// these but not the numbers as they are. The contents of a dropped block don't count if the pattern matches
// the block.
func (d *denial) follow(c *changes.Change) (path address.Address, isMatch bool) {
	was := d.reach(c.Address)
	is, steps := was, c.Path.Steps()
	for i, s := range steps {
		old, now := spelling.Named(s.Name), spelling.Named(s.Name)
		if s.IsIndex {
			old, now = spelling.At(s.Before), spelling.At(s.After)
		}
		if was, path = d.Follow(was, old), path.Step(old); !s.IsIndex || s.After >= 0 {
			is = d.Follow(is, now)
		}
		if d.AreAt(is) {
			return path, false
		}
		isMatch = isMatch || d.AreAt(was) && (i == len(steps)-1 || !c.IsInside)
	}
	return path, isMatch
}

// denyChange denies what override by did to something that had another number before.
func (d *denial) denyChange(c *changes.Change, by source.Item, path address.Address) {
	dropped := ""
	if c.Kind() == changes.Dropped {
		dropped = fmt.Sprintf(", which this %s drops", noun(by))
	}
	d.note(layer{own: c.Address, item: c.Item, now: []source.Item{by}}, path, by,
		"The policy denies overrides of %s%s. Change it at %s instead.", c.Address.Join(path), dropped, diag.Place(c.Before.Place()))
	d.found[len(d.found)-1].Range = c.By()
}
