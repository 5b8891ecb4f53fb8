package changes

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A comparison finds the changes of one merged item.
type comparison struct {
	finder   *finder
	subject  *Subject
	budget   pathBudget
	by       *Value // what made them, where that is not the value in effect
	isInside bool
}

func (c *comparison) rule(o merge.Outcome) {
	c.subject.Rule, c.subject.Why = o.Rule, o.Why()
}

// goneBy records the cause of an item that disappeared without a successor.
func (c *comparison) goneBy(o merge.Outcome) {
	c.rule(o)
	c.by = whereIs(o.Item)
	if o.By != nil {
		c.by = whereIs(o.By)
	}
}

func whereIs(it source.Item) *Value {
	v := valueOf(it)
	return &v
}

func (c *comparison) note(path *Path, was, is *node, by *Value) {
	x := Change{Subject: c.subject, Path: path, IsInside: c.isInside, by: by}
	if was != nil {
		x.Before = &was.Value
	}
	if is != nil {
		x.After = &is.Value
	}
	c.finder.block.Changes = append(c.finder.block.Changes, x)
}

// changed records that one value replaced another one.
func (c *comparison) changed(path *Path, was, is *node) {
	by := &is.Value
	if is.IsComputed {
		by = c.by
	}
	c.note(path, was, is, by)
}

// dropped records a dropped value and its cause; for a block, also its contents. A value that
// disappeared since an earlier module was dropped only if an override lacks it.
func (c *comparison) dropped(path *Path, was *node, by *Value) {
	if by != nil && c.finder.block.IsBetween && !source.IsOverride(by.Item) {
		by = nil
	}
	c.note(path, was, nil, by)
	c.inside(path, was, func(path *Path, part *node) { c.dropped(path, part, by) })
}

// added records a new value; for a block, also its contents.
func (c *comparison) added(path *Path, is *node) {
	c.note(path, nil, is, &is.Value)
	c.inside(path, is, c.added)
}

// inside visits the parts of a nested block that is added or dropped.
func (c *comparison) inside(path *Path, n *node, visit func(*Path, *node)) {
	if _, isBlock := n.Item.(*source.Block); !isBlock {
		return
	}
	outside := c.isInside
	c.isInside = true
	defer func() { c.isInside = outside }()
	for _, m := range n.members {
		at := path.name(m.name)
		if !m.isBlocks {
			visit(at, m.node)
			continue
		}
		for i, b := range m.node.elements {
			visit(at.index(i, i, len(m.node.elements) == 1), b)
		}
	}
}

// dropAll notes that an argument, or all nested blocks of a type, are gone.
func (c *comparison) dropAll(path *Path, was []*node) {
	c.each(path, was, func(path *Path, n *node) { c.dropped(path, n, c.by) })
}

// addAll notes that an argument, or all nested blocks of a type, are new.
func (c *comparison) addAll(path *Path, is []*node) { c.each(path, is, c.added) }

func (c *comparison) each(path *Path, nodes []*node, visit func(*Path, *node)) {
	for i, n := range nodes {
		at := path
		if _, isBlock := n.Item.(*source.Block); isBlock {
			at = path.index(i, i, len(nodes) == 1)
		}
		visit(at, n)
	}
}

// compare finds the differences between two values.
func (c *comparison) compare(path *Path, was, is *node) {
	switch {
	case was.sum == is.sum, was.isSameText(is):
	case was.form != is.form || was.form == whole:
		c.changed(path, was, is)
	case was.form == object:
		c.members(path, was, is)
	case was.form == list || was.form == blocks:
		c.elements(path, was, is)
	}
}

// isSameText reports whether a computed value and another one consist of the same tokens.
func (n *node) isSameText(o *node) bool {
	return n.IsComputed != o.IsComputed && sumOfText(n.Text()) == sumOfText(o.Text())
}

// members compares two objects key by key, or two blocks.
func (c *comparison) members(path *Path, was, is *node) {
	known := make(map[key]*node, len(is.members))
	for _, m := range is.members {
		known[m.key] = m.node
	}
	by := &is.Value
	for _, m := range was.members {
		at := path.name(m.name)
		now := known[m.key]
		delete(known, m.key)
		switch {
		case now != nil:
			c.member(at, m.node, now, by)
		case m.isBlocks:
			c.each(at, m.node.elements, func(path *Path, n *node) { c.dropped(path, n, by) })
		default:
			c.dropped(at, m.node, by)
		}
	}
	for _, m := range is.members {
		if known[m.key] == nil {
			continue
		}
		if at := path.name(m.name); m.isBlocks {
			c.addAll(at, m.node.elements)
		} else {
			c.added(at, m.node)
		}
	}
}

// member compares two values of one key. Nested blocks of a type are gone by the block
// that lacks them.
func (c *comparison) member(path *Path, was, is *node, by *Value) {
	if was.form == blocks {
		outer := c.by
		c.by = by
		defer func() { c.by = outer }()
	}
	c.compare(path, was, is)
}

// elements compares two lists, or nested blocks of a type: elements that both have in the same
// order stay; the others are paired by similarity.
func (c *comparison) elements(path *Path, was, is *node) {
	runs, ok := differing(was.elements, is.elements)
	if !ok && was.form == list {
		c.changed(path, was, is)
		return
	}
	isOnly := was.form == blocks && len(was.elements) <= 1 && len(is.elements) <= 1
	at := func(before, after int) *Path { return path.index(before, after, isOnly) }
	for _, r := range runs {
		old, later := was.elements[r.from:r.to], is.elements[r.start:r.end]
		pairs := paired(old, later)
		isFor, before := counterparts(pairs, len(later))
		next := 0 // in old
		drop := func(end int) {
			for ; next < end; next++ {
				if pairs[next] < 0 {
					c.dropped(at(r.from+next, -1), old[next], c.droppedBy(was, is, later))
				}
			}
		}
		for j, n := range later {
			drop(before[j])
			if i := isFor[j]; i >= 0 {
				c.compare(at(r.from+i, r.start+j), old[i], n)
			} else {
				c.added(at(-1, r.start+j), n)
			}
		}
		drop(len(old))
	}
}

// counterparts lists for each of n later elements the earlier one that it is paired with, or -1,
// and the later element before which all dropped ones are listed.
func counterparts(pairs []int, n int) (isFor, before []int) {
	isFor, before = slices.Repeat([]int{-1}, n), make([]int, n)
	for i, j := range pairs {
		if j >= 0 {
			isFor[j] = i
		}
	}
	end := len(pairs)
	for j := n - 1; j >= 0; j-- {
		if isFor[j] >= 0 {
			end = isFor[j]
		}
		before[j] = end
	}
	return isFor, before
}

// droppedBy is the cause of a dropped element: the list that lacks it, or the first of the nested
// blocks that replaced all of them.
func (c *comparison) droppedBy(was, is *node, later []*node) *Value {
	switch {
	case was.form == list:
		return &is.Value
	case len(later) > 0:
		return &later[0].Value
	case len(is.elements) > 0:
		return &is.elements[0].Value
	}
	return c.by
}
