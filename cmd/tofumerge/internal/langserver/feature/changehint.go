package feature

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
)

// changeHints are the hints of a file that don't belong to an item: at names and keys inside items
// that are replaced as a whole, and at the ends of blocks that overrides extend:
//
//	encrypted = true dropped by local_override.tf:10
//	} + access_key, endpoints
func changeHints(v *view.View, name string, in protocol.Range) []protocol.InlayHint {
	g, text := shownChangesOf(v), v.Text(name)
	from, to := text.Offset(in.Start, v.Encoding), text.Offset(in.End, v.Encoding)
	var hints []protocol.InlayHint
	add := func(at int, h *hint) {
		if len(h.parts) > 0 && at >= from && at <= to {
			hints = append(hints, protocol.InlayHint{Position: text.Position(at, v.Encoding), Label: h.parts, PaddingLeft: true})
		}
	}
	if !v.Detail.HidesDropped {
		for _, line := range linesOf(g.inner[name], text.Bytes()) {
			add(line.end, line.hint(v))
		}
	}
	if f := v.Merged.Source.File(name); f != nil && !v.Detail.HidesAdded {
		for i := range f.Len() {
			base := f.Block(i)
			if len(g.added[base]) == 0 {
				continue
			}
			_, end := source.Spread(base)
			add(end, addedHint(v, base))
		}
	}
	return hints
}

// A changedLine holds the changes whose earlier values are on one line.
type changedLine struct {
	end  int
	list []changes.Change
}

// linesOf groups changes by the lines of a text.
func linesOf(list []changes.Change, text []byte) (lines []changedLine) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b changes.Change) int { return a.Before.Place().Start.Byte - b.Before.Place().Start.Byte })
	for _, c := range list {
		end := lineEnd(text, min(c.Before.Place().Start.Byte, len(text)))
		if n := len(lines); n > 0 && lines[n-1].end == end {
			lines[n-1].list = append(lines[n-1].list, c)
		} else {
			lines = append(lines, changedLine{end, []changes.Change{c}})
		}
	}
	return lines
}

// maxNames is how many names a hint lists.
const maxNames = 3

// hint words a line. Dropped values come first; a replaced value is only named if the line has
// nothing else.
func (l changedLine) hint(v *view.View) *hint {
	h := &hint{view: v, index: indexOf(v)}
	var dropped, changed []changes.Change
	for _, c := range l.list {
		switch {
		case c.Kind() == changes.Dropped:
			dropped = append(dropped, c)
		case !c.Before.IsPart:
			changed = append(changed, c)
		}
	}
	switch {
	case len(dropped) > 0 && l.isList(dropped):
		if a, isAttr := dropped[0].ByItem().(*source.Attr); isAttr && h.index.entries[dropped[0].Before.Item].merged == nil {
			h.text("← ")
			h.place(a)
			h.text(" " + short(h.index.Value(a)))
		}
	case len(dropped) > 0:
		if l.isShared(dropped[0]) {
			h.list(len(dropped), maxNames, func(i int) {
				address := dropped[i].Address.Join(dropped[i].Path.Address())
				h.text(diag.Escape(address.Last()))
			})
			h.text(" ")
		}
		h.text("dropped by ")
		h.link(dropped[0].By())
	case len(changed) == 1 && changed[0].After != nil:
		h.text("← ")
		h.link(changed[0].After.Place())
		if _, isAttr := changed[0].After.Item.(*source.Attr); isAttr {
			h.text(" " + short(h.index.Value(changed[0].After.Item)))
		}
	}
	return h
}

// isList reports whether dropped values are elements of a list on one line. Their numbers tell nobody
// anything, so the hint has the list that is in effect, unless that of the argument has it already.
func (l changedLine) isList(dropped []changes.Change) bool {
	return l.isShared(dropped[0]) && !slices.ContainsFunc(dropped, func(c changes.Change) bool {
		return !c.Before.IsPart || !strings.HasPrefix(c.Path.Address().Last(), "[")
	})
}

// isShared reports whether the line of a change has more than the value that is dropped, such as
// the name of the argument or the block that the value is in.
func (l changedLine) isShared(c changes.Change) bool {
	at := c.Before.Place().Start.Line
	if c.Before.IsPart {
		return len(l.list) > 1 || source.Where(c.Before.Item).Start.Line == at
	}
	around := c.Before.Item.Within()
	return len(l.list) > 1 || around != nil && source.Where(around).Start.Line == at
}

// addedHint lists the additions of overrides to a block, each as a link.
func addedHint(v *view.View, base *source.Block) *hint {
	h := &hint{view: v, index: indexOf(v)}
	names, at := shownChangesOf(v).addedNames(base)
	if len(names) > 0 {
		h.text("+ ")
	}
	h.list(len(names), maxNames, func(i int) { h.linkAs(diag.Escape(names[i]), at[i]) })
	return h
}
