package sourcemap

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// originals are the items in effect that overrides addressed, and those beside them.
type originals struct {
	items map[address.Address]*merge.MergedItem
	texts map[spellingKey]source.Item // the first of a spelling, of items that have numbers
}

// A spellingKey identifies an item by its address without a number, and by its tokens.
type spellingKey struct {
	own    address.Address
	tokens string
}

func originalsOf(m *merge.Module, wants func(*source.File, int) bool) originals {
	was := originals{map[address.Address]*merge.MergedItem{}, map[spellingKey]source.Item{}}
	address.WalkSome(m, wants, func(own address.Address, e *merge.MergedItem) {
		was.items[own] = e
		if e.Rule.Match != rules.ByPosition && len(e.Live) < 2 || e.Inner() != nil {
			return
		}
		for _, it := range e.Live {
			key := spellingKey{unnumbered(own, e), spelling(tokensOf(it.Source(), it.Extent()))}
			if was.texts[key] == nil {
				was.texts[key] = it
			}
		}
	})
	return was
}

// find finds the original of an item in a flattened module: the item with its number among as many,
// or the first with the same spelling.
func (was originals) find(t *text, own address.Address, e *merge.MergedItem, i int) (from source.Item, old *merge.MergedItem) {
	old = was.items[own]
	if old != nil && len(old.Live) == len(e.Live) {
		if from = old.Live[i]; e.Rule.Match != rules.ByPosition || t.isJSON() || t.sameTokens(e.Live[i].Extent(), from) {
			return from, old
		}
	}
	if !t.isJSON() {
		at := e.Live[i].Extent()
		first, last := t.between(at.Start.Byte, at.End.Byte)
		if found := was.texts[spellingKey{unnumbered(own, e), spelling(t.tokens[first:last])}]; found != nil {
			return found, nil
		}
	}
	if from == nil && old != nil && len(old.Live) > 0 {
		from = old.Live[min(i, len(old.Live)-1)]
	}
	return from, old
}

// unnumbered is the address of an item without its number, if it has one.
func unnumbered(own address.Address, e *merge.MergedItem) address.Address {
	if e.Rule.Match == rules.ByPosition && own.Last() != e.Key.Name {
		return own.Parent()
	}
	return own
}

func spelling(tokens hclsyntax.Tokens) string {
	var b strings.Builder
	for _, k := range tokens {
		b.Write(k.Bytes)
		b.WriteByte(0)
	}
	return b.String()
}

// matchItems looks up the items that overrides addressed, and their neighbours, in the flattened
// module. All other lines are those that the patch keeps.
func (mp *mapper) matchItems() {
	texts, byName := map[string][]byte{}, map[string]*text{}
	for _, t := range mp.texts {
		texts[t.name], byName[t.name] = t.src, t
	}
	flat, _ := reload(mp.module, texts)
	if flat == nil {
		return
	}
	was := originalsOf(mp.module, mp.wants)
	flattened := map[*source.File]*text{}
	for _, f := range flat.Source.Files {
		if t := byName[f.Name]; t != nil {
			t.file, flattened[f] = f, t
		}
	}
	address.WalkAll(flat, func(own address.Address, e *merge.MergedItem) {
		for i, it := range e.Live {
			t := flattened[it.Source()]
			if t == nil {
				continue
			}
			if from, old := was.find(t, own, e, i); from != nil {
				t.match(it, from, old)
			}
		}
	})
}

// match notes where the lines of an item are from.
func (t *text) match(it, from source.Item, old *merge.MergedItem) {
	isMerged := old != nil && old.Inner() != nil
	switch {
	case t.isJSON():
		if !isMerged {
			t.claimLines(it, from)
		}
		return
	case isMerged:
		t.claimFrame(it, from)
	case !t.claim(it.Extent(), from.Source(), from.Extent()):
		t.claimRoughly(it, from, old)
	}
	t.claimAround(it, from)
}

func (t *text) sameTokens(at hcl.Range, it source.Item) bool {
	first, last := t.between(at.Start.Byte, at.End.Byte)
	return slices.EqualFunc(t.tokens[first:last], tokensOf(it.Source(), it.Extent()), isSame)
}

func isSame(a, b hclsyntax.Token) bool { return a.Type == b.Type && bytes.Equal(a.Bytes, b.Bytes) }

// claim marks the tokens of a stretch as coming from a stretch in the original, if the tokens are
// equal.
func (t *text) claim(at hcl.Range, f *source.File, of hcl.Range) bool {
	first, last := t.between(at.Start.Byte, at.End.Byte)
	theirs := tokensOf(f, of)
	if !slices.EqualFunc(t.tokens[first:last], theirs, isSame) {
		return false
	}
	for i, k := range theirs {
		t.own[first+i] = mapLine{[]Origin{{f.Name, f.Place(k.Range).Start.Line}}, f.Syntax == source.JSON}
	}
	return true
}

// tokensOf are the tokens of a stretch of a file. A heredoc ends with its line, whose end is not
// part of an item.
func tokensOf(f *source.File, of hcl.Range) hclsyntax.Tokens {
	tokens := meaningful(append(f.Text(of), '\n'), of.Start)
	for i := range tokens {
		tokens[i].Range.Filename = f.Name
	}
	return tokens
}

// claimFrame notes of the header and the braces of a block where they are from.
func (t *text) claimFrame(it, from source.Item) {
	b, isBlock := it.(*source.Block)
	of, isOf := from.(*source.Block)
	if isBlock && isOf {
		t.claim(hcl.RangeBetween(b.Extent(), b.OpenBrace()), of.File, hcl.RangeBetween(of.Extent(), of.OpenBrace()))
		t.claim(b.CloseBrace(), of.File, of.CloseBrace())
	}
}

// claimAround does so for the blocks around an item, unless the patch keeps their lines.
func (t *text) claimAround(it, from source.Item) {
	b, of := it.Within(), from.Within()
	for b != nil && of != nil {
		first, _ := t.between(b.Extent().Start.Byte, b.Extent().Start.Byte)
		if _, isOwned := t.own[first]; isOwned || t.base[b.Extent().Start.Line-1] > 0 {
			return
		}
		t.claimFrame(b, of)
		b, of = b.Within(), of.Within()
	}
}

// claimRoughly notes where an item is from that no other one has the tokens of.
func (t *text) claimRoughly(it, from source.Item, old *merge.MergedItem) {
	line := roughly(from)
	if old != nil {
		if s := old.Computed(); s != nil {
			line.Origins = union(roughly(cmp.Or(s.By(), from)).Origins, line.Origins)
		}
	}
	first, last := t.between(it.Extent().Start.Byte, it.Extent().End.Byte)
	for i := first; i < last; i++ {
		t.own[i] = line
	}
}

func roughly(it source.Item) mapLine {
	return mapLine{[]Origin{{it.Source().Name, source.Where(it).Start.Line}}, true}
}

// claimLines notes where the lines of an item of a JSON file are from.
func (t *text) claimLines(it, from source.Item) {
	start, end := source.Spread(it)
	at := t.file.RawRange([2]uint32{uint32(start), uint32(end)})
	lines := at.End.Line - at.Start.Line
	line := roughly(from)
	isLined := false // line by line the same
	if f := from.Source(); f.Syntax == source.JSON {
		start, end := source.Spread(from)
		of := f.RawRange([2]uint32{uint32(start), uint32(end)})
		isLined = of.End.Line-of.Start.Line == lines
		line.Origins[0].Line = of.Start.Line
	}
	for i := range lines + 1 {
		if t.base[at.Start.Line-1+i] > 0 && !source.IsOverride(from) {
			continue
		}
		own := line
		if isLined {
			own.Origins = forward(line.Origins, i)
		}
		t.own[at.Start.Line-1+i] = own
	}
}
