package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

func lossTo(winner source.Item) lossKey { return lossKey{originOf(winner), winner.Called()} }

// LostTo reports whether an item was superseded by another one, directly or through others. It must
// be called after all files are applied.
func (c *MergedBody) LostTo(o Outcome, winner source.Item) bool {
	if o.Status != effect.StatusReplaced && o.Status != effect.StatusHidden {
		return false
	}
	w := c.ending().by[o.Item]
	return w != nil && lossTo(w) == lossTo(winner)
}

// EachHidden visits the items of other merged items that have no effect because of a
// merged item, in the content or in the blocks that it holds.
func (c *MergedBody) EachHidden(winner *MergedItem, visit func(source.Item)) {
	for _, o := range c.ending().byLoss[lossTo(winner.Live[0])] {
		if o.owner != winner {
			visit(o.item)
		}
	}
}

func (c *MergedBody) ending() *losses {
	if end := c.answers().end.Load(); end != nil {
		return end
	}
	end := &losses{by: map[source.Item]source.Item{}, byLoss: map[lossKey][]hiddenItem{}}
	end.take(c)
	for _, o := range end.hidden {
		if w := end.winnerOf(o.item); w != nil {
			end.byLoss[lossTo(w)] = append(end.byLoss[lossTo(w)], o)
		}
	}
	for _, it := range end.lost {
		end.winnerOf(it)
	}
	c.answers().end.Store(end)
	return end
}

func (end *losses) take(c *MergedBody) {
	for _, e := range c.Items {
		for _, o := range e.Outcomes() {
			if o.By == nil || o.Status != effect.StatusReplaced && o.Status != effect.StatusHidden {
				continue
			}
			end.by[o.Item] = o.By
			end.lost = append(end.lost, o.Item)
			if o.Status == effect.StatusHidden && e.Inner() == nil {
				end.hidden = append(end.hidden, hiddenItem{o.Item, e})
			}
		}
		if e.Inner() != nil {
			end.take(e.Inner())
		}
	}
}

// winnerOf returns the item that finally superseded another one. The path to it is shortened for
// every item on it.
func (end *losses) winnerOf(it source.Item) source.Item {
	w := end.by[it]
	for steps := 0; w != nil && end.by[w] != nil && steps <= len(end.by); steps++ {
		w = end.by[w]
	}
	for next := end.by[it]; next != nil && next != w; it, next = next, end.by[next] {
		end.by[it] = w
	}
	return w
}
