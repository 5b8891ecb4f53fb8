package deny

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"strconv"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// Facts are needed to decide whether another run has the same finding about items of override
// files. Nothing is computed twice, so the work is in proportion to the text.
type Facts struct {
	outcomes map[source.Item]outcome
	sums     map[source.Item]equal.Sum
	winners  map[*merge.MergedItem]winnerNames
	places   map[source.Item]int // positions of nested blocks among those of their type in one block
}

// An outcome is what became of an item in the history that it is in.
type outcome struct {
	merge.Outcome
	of    *merge.MergedItem
	place int // among the items of the history that came with the same block
}

// winnerNames identify the winners of a history by their texts, and by their files.
type winnerNames struct{ byText, byFile string }

// FactsOf returns the facts of a module.
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

// FactOfFile returns the fact of a file as a whole.
func FactOfFile(text []byte) *check.Fact { return &check.Fact{Tokens: sha256.Sum256(text)} }

// of returns the fact of an item; nil without any.
func (f *Facts) of(it source.Item) *check.Fact {
	if f == nil {
		return nil
	}
	at, place := f.holder(it)
	fact := &check.Fact{Tokens: f.sumOf(it), Place: place, Around: f.sumOf(at)}
	w := winnerHash{f, sha256.New(), sha256.New()}
	if at != it {
		w.item(at)
	}
	w.all(it)
	w.byText.Sum(fact.Winners[:0])
	w.byFile.Sum(fact.WinningFiles[:0])
	if o := f.outcomes[at]; o.of != nil && o.of.Inner() == nil && len(o.of.Live) > 1 && o.of.Has(at) {
		fact.Row = o.of
	}
	return fact
}

// sumOf returns the sum of an item's tokens.
func (f *Facts) sumOf(it source.Item) equal.Sum {
	sum, known := f.sums[it]
	if !known {
		sum = equal.SumOfItem(it)
		f.sums[it] = sum
	}
	return sum
}

// holder is the item itself if it has an outcome, or the nested block around it that has
// one, and the way from there.
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

// placeOf is the position of a nested block among those of its type.
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

// A winnerHash hashes the winners of a history: by their texts, and by their files.
type winnerHash struct {
	facts          *Facts
	byText, byFile hash.Hash
}

// all writes who wins of an item and of all that it holds.
func (w winnerHash) all(it source.Item) {
	w.item(it)
	if b, ok := it.(*source.Block); ok {
		for _, inner := range b.Items() {
			w.all(inner)
		}
	}
}

// item writes who wins where an item is one of those that set a name.
func (w winnerHash) item(it source.Item) {
	o, known := w.facts.outcomes[it]
	if !known {
		return
	}
	by := winnerNames{"itself", "itself"}
	if o.Status != effect.StatusEffective && o.Status != effect.StatusMerged {
		by = w.facts.winnersOf(o)
		by.byText, by.byFile = string(o.Status)+by.byText, string(o.Status)+by.byFile
	}
	fmt.Fprintf(w.byText, "%d %s", len(by.byText), by.byText)
	fmt.Fprintf(w.byFile, "%d %s", len(by.byFile), by.byFile)
}

// winnersOf names the effective items if the given one isn't effective.
func (f *Facts) winnersOf(o outcome) winnerNames {
	list := o.of.Live
	if len(list) == 0 {
		if o.By == nil {
			return winnerNames{}
		}
		return f.named([]source.Item{o.By})
	}
	if _, known := f.winners[o.of]; !known {
		f.winners[o.of] = f.named(list)
	}
	return f.winners[o.of]
}

// named identifies items: each item of an override file, and the presence of items of primary
// files.
func (f *Facts) named(list []source.Item) winnerNames {
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
