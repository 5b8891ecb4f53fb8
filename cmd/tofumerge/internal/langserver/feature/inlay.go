package feature

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// hintColumns is the maximum width of a value in a hint, and tooltipColumns of one in its tooltip.
const (
	hintColumns    = 40
	tooltipColumns = 2000
)

// hintPlaces is the maximum number of locations that a hint lists.
const hintPlaces = 2

// InlayHints returns short texts to show after the items in a range of a file. In a primary file they show
// the effective value instead of an item, in an override file the effect of an item:
//
//	instance_type = "m5.large" ← "t3.micro"  local_override.tf:7
//	instance_type = "t3.micro" was "m5.large" (main.tf:11)
//
// An argument that an override adds has no hint, since it can't surprise anyone.
func InlayHints(v *view.View, name string, in protocol.Range) []protocol.InlayHint {
	x, text := indexOf(v), v.Text(name)
	if x == nil || text == nil {
		return nil
	}
	// First the hints of items that overrides touch.
	from, to := text.Offset(in.Start, v.Encoding), text.Offset(in.End, v.Encoding)
	known := outcomesOf(v)
	var hints []protocol.InlayHint
	for _, it := range x.itemsOf(name) {
		at := hintOffset(it)
		if at < from || at > to {
			continue
		}
		h := &hint{view: v, index: x, outcome: known.of[it], hidden: known.hidden[it]}
		if h.write(); len(h.parts) == 0 {
			continue
		}
		hints = append(hints, protocol.InlayHint{
			Position: text.Position(at, v.Encoding), Label: h.parts, Tooltip: h.tooltip(), PaddingLeft: true,
		})
	}
	// Then those of values inside items, all in the order of the text.
	hints = append(hints, changeHints(v, name, in)...)
	slices.SortStableFunc(hints, func(a, b protocol.InlayHint) int {
		return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Character, b.Position.Character))
	})
	return hints
}

// hintOffset returns the offset in File.Raw at which an item's hint is shown: the end of the line on which an
// argument's value or a block's body starts. If the item ends on that line, it is the end of the item.
func hintOffset(it source.Item) int {
	from, to := source.Spread(it) // the whole item, in Raw
	switch it := it.(type) {
	case *source.Attr:
		// An item of a JSON file has offsets in a translation to native syntax, only its origin has those in Raw. A
		// native file isn't translated, so the offsets of its items are those in Raw.
		if origin := it.Origin(); origin != nil {
			from = int(origin.Value[0])
		} else {
			from = it.Value().Start.Byte
		}
	case *source.Block:
		if it.From != nil { // likewise
			from = int(it.From.Value[0])
		} else {
			from = it.Header().End.Byte
		}
	}
	return lineEnd(it.Source().Raw[:to], from) // without a line end up to to, lineEnd returns to
}

// A hint collects the parts of an inlay hint about an item: text, and links to locations.
type hint struct {
	view  *view.View
	index *index
	outcome
	hidden []source.Item // not in effect because the item takes precedence
	parts  []protocol.InlayHintLabelPart
	whole  string // the value, if the hint shows it without its middle, for the tooltip
}

// write adds the parts of the hint; none for an item without a history.
func (h *hint) write() {
	switch {
	case h.merged == nil:
	case source.IsOverride(h.Item):
		h.override()
	default:
		h.primary()
	}
}

// text adds text, to the last part unless that is a link.
func (h *hint) text(text string) {
	if n := len(h.parts); n > 0 && h.parts[n-1].Location == nil {
		h.parts[n-1].Value += text
		return
	}
	h.parts = append(h.parts, protocol.InlayHintLabelPart{Value: text})
}

// value adds a value, without its middle if it is long; then it keeps the value in whole.
func (h *hint) value(value string) {
	cut := screen.CutMiddle(value, hintColumns)
	h.text(cut)
	if cut != value {
		h.whole = screen.Cut(value, tooltipColumns)
	}
}

// effective adds the value in effect and its location: ← "t3.micro"  local_override.tf:7. The value comes first,
// because the end of a long line may be out of sight. An empty value is left out.
func (h *hint) effective(value string, at hcl.Range) {
	h.text("← ")
	if value != "" {
		h.value(value)
		h.text("  ")
	}
	h.link(at)
}

// place adds the location of an item as a link.
func (h *hint) place(it source.Item) { h.link(source.Where(it)) }

// link adds FILE:LINE as a link; without a file, words instead.
func (h *hint) link(at hcl.Range) {
	if at.Filename == "" {
		h.text("an override file")
		return
	}
	h.linkAs(diag.Place(at), at)
}

// linkAs adds a text as a link.
func (h *hint) linkAs(text string, at hcl.Range) {
	target := protocol.Location{URI: h.view.URI(at.Filename), Range: h.view.Range(at)}
	h.parts = append(h.parts, protocol.InlayHintLabelPart{Value: text, Location: &target})
}

// places adds links to the first few items, and how many more there are.
func (h *hint) places(items []source.Item) {
	h.list(len(items), hintPlaces, func(i int) { h.place(items[i]) })
}

// list adds n elements: the first most ones by add(i), between commas, and then how many more there are.
func (h *hint) list(n, most int, add func(i int)) {
	for i := range min(n, most) {
		if i > 0 {
			h.text(", ")
		}
		add(i)
	}
	if n > most {
		h.text(fmt.Sprintf(" … %d more", n-most))
	}
}

// primary adds the hint of an item of a primary file: the value or blocks in effect instead of it, or what removed
// it. An item that stays in effect as it is has no hint.
func (h *hint) primary() {
	switch computed := h.merged.Computed(); {
	case h.Status == effect.StatusEffective && computed != nil && h.merged.Has(h.Item):
		// The value in effect is computed from this one and others.
		h.effective(h.index.InEffect(h.merged, h.Item), source.Where(computed.By()))
	case h.Status == effect.StatusReplaced && h.merged.InEffect():
		h.replaced()
	case h.Status == effect.StatusReplaced, h.Status == effect.StatusHidden, h.Status == effect.StatusCleared:
		h.text("← ")
		h.ineffective()
	}
}

// replaced shows the argument or the blocks that replaced the item. If the number of blocks differs, the hint of the
// first replaced block says so: 3 → 1 ingress.
func (h *hint) replaced() {
	if a := h.merged.Attr(); a != nil {
		// A computed value isn't that of a alone, so it may differ even if a is equal.
		if h.merged.Computed() == nil && equal.Items(h.Item, a) {
			h.text("same as ")
			h.place(a)
			return
		}
		h.effective(h.index.InEffect(h.merged, a), source.Where(a))
		return
	}
	if n := countOf(h.view, h.merged); n.first == h.Item && !h.view.Detail.HidesCounts {
		h.text(fmt.Sprintf("%d → %d %s, ", n.before, len(h.merged.Live), h.Item.Called()))
	} else {
		h.text("← replaced by ")
	}
	h.places(h.merged.Live)
}

// ineffective says why the item is not in effect: "replaced", "outranked" or "removed", and by which item. An item of
// another name in a block comes with its name: outranked by count at local_override.tf:7. Otherwise the place says
// enough: replaced by local_override.tf:7.
func (h *hint) ineffective() {
	h.text(h.Words())
	if h.By == nil {
		return
	}
	h.text(" by ")
	if h.By.Called() != h.Item.Called() && h.By.Within() != nil {
		h.text(wording.Name(h.By) + " at ")
	}
	h.place(h.By)
}

// override adds the hint of an item of an override file: its effect on earlier items, or why it has none. An item
// that merely adds something has no hint.
func (h *hint) override() {
	switch {
	case h.Effect == effect.Ignored && h.merged.IsReportedByItems(h.Item), report.IsContinued(h.merged.Outcomes(), h.at):
		// Other hints have the words. If the items of the block are judged one by one, these are the hints of the
		// items. A later one of several blocks applied together, such as two ingress blocks, leaves them to the first.
	case h.Status == effect.StatusNoEffect:
		h.text("no effect")
	case h.Status == effect.StatusUndecided && h.By == nil: // a file can't be parsed, as while someone types
	case h.Status == effect.StatusUndecided:
		h.text("undecided")
	case h.Status == effect.StatusReplaced, h.Status == effect.StatusHidden, h.Status == effect.StatusCleared:
		h.ineffective() // replaced by main_override.tf:3
	case h.Effect == effect.Replaced:
		h.replaces(h.merged.Before(h.at)) // was "t3.micro" (main.tf:11)
	case h.Effect == effect.Added && len(h.hidden) > 0: // outranks main.tf:4, as count does a for_each there
		verb := wording.Outranks
		if _, isBlock := h.Item.(*source.Block); isBlock { // replaces main.tf:4, as cloud does a backend there
			verb = "replaces"
		}
		h.text(verb + " ")
		h.places(h.hidden)
	}
}

// replaces says which items the item of an override file replaces; of an argument, also the earlier value. If the
// item repeats them, it says that instead. earlier are the items in effect before it.
func (h *hint) replaces(earlier []source.Item) {
	if len(earlier) == 0 {
		return
	}
	last := earlier[len(earlier)-1]
	_, isAttr := last.(*source.Attr)
	switch {
	case check.IsSameAs(h.merged, h.merged.Outcomes(), h.at, earlier):
		h.text("same as ")
		h.places(earlier)
	case isAttr:
		h.text("was ")
		h.value(h.index.Value(last))
		h.text(" (")
		h.place(last)
		h.text(")")
	default:
		h.text("replaces ")
		h.places(earlier)
	}
}

// tooltip returns the address of the name, its history, one line for each item, and the rule. Of a long history
// it shows both ends.
func (h *hint) tooltip() string {
	const most = 8 // outcomes: half of them from each end
	lines := []string{h.address.String()}
	list := h.merged.Outcomes()
	for i := 0; i < len(list); i++ {
		if i == most/2 && len(list) > most {
			lines = append(lines, "  …")
			i = len(list) - most/2 // skip the middle
		}
		o := list[i]
		lines = append(lines, "  "+wording.Place(o.Item)+"  "+screen.Cut(h.index.Value(o.Item), tooltipColumns)+"  "+o.Words())
	}
	return strings.Join(append(lines, h.Sentence()), "\n")
}

// changeHints returns the hints in a range of a file that don't belong to an item: at names and keys inside items
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
			hints = append(hints, protocol.InlayHint{Position: text.Position(at, v.Encoding), Label: h.parts, Tooltip: h.whole, PaddingLeft: true})
		}
	}
	// At the line ends: what is dropped or changed inside items.
	if !v.Detail.HidesDropped {
		for _, line := range linesOf(g.inner[name], text.Bytes()) {
			add(line.end, line.hint(v))
		}
	}
	// At the ends of blocks: what overrides add to them.
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

// A changedLine holds the changes whose earlier values are on one line of a primary file.
type changedLine struct {
	end  int // offset of the line end, where the hint goes
	list []changes.Change
}

// linesOf groups changes by the lines of a text on which their earlier values start. Lines, and the changes of each,
// are in the order of the text.
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

// hint returns the hint of a line; it has no parts if there is nothing to show. If overrides drop values there, it
// says which override does, and names the values if the line has more: "a, b dropped by override.tf:3". Of a list on
// one line it shows the list in effect instead. Without dropped values, it shows the value in effect of the changed
// argument or block, if there is only one: of several, one couldn't tell which it belongs to.
func (l changedLine) hint(v *view.View) *hint {
	h := &hint{view: v, index: indexOf(v)}
	// Only whole arguments and blocks count as changed, not parts of their values.
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
	case len(dropped) > 0 && l.isList(dropped): // show the list in effect: ids = ["a", "b"] ← ["a"]  override.tf:3
		// All are elements of lists in one argument, so the first stands for them. If that has an entry in the index, the
		// argument's own hint shows the list already.
		hasOwnHint := h.index.entries[dropped[0].Before.Item].merged != nil
		if a, isAttr := dropped[0].ByItem().(*source.Attr); isAttr && !hasOwnHint {
			h.effective(h.index.Value(a), source.Where(a))
		}
	case len(dropped) > 0:
		if l.isShared(dropped[0]) { // name what is dropped
			h.list(len(dropped), maxNames, func(i int) {
				address := dropped[i].Address.Join(dropped[i].Name())
				h.text(diag.Escape(address.Last()))
			})
			h.text(" ")
		}
		h.text("dropped by ")
		h.link(dropped[0].By())
	case len(changed) == 1 && changed[0].After != nil:
		value := "" // of a block there is only the place
		if _, isAttr := changed[0].After.Item.(*source.Attr); isAttr {
			value = h.index.Value(changed[0].After.Item)
		}
		h.effective(value, changed[0].After.Place())
	}
	return h
}

// isList reports whether dropped values are elements of a list that is on one line. Their indexes tell nobody
// anything, so the hint shows the list in effect instead. An element with a line of its own doesn't count.
func (l changedLine) isList(dropped []changes.Change) bool {
	return l.isShared(dropped[0]) && !slices.ContainsFunc(dropped, func(c changes.Change) bool {
		return !c.Before.IsPart || !strings.HasPrefix(c.Path.Address().Last(), "[") // it isn't an element
	})
}

// isShared reports whether the line of a change has more than the dropped value: another change, or the name of
// the argument or the block around the value. Then the hint must name what is dropped.
func (l changedLine) isShared(c changes.Change) bool {
	at := c.Before.Place().Start.Line
	if c.Before.IsPart { // part of an argument's value: the argument is around it
		return len(l.list) > 1 || source.Where(c.Before.Item).Start.Line == at
	}
	// Otherwise a whole argument or block is dropped, and a block is around it.
	around := c.Before.Item.Within()
	return len(l.list) > 1 || around != nil && source.Where(around).Start.Line == at
}

// addedHint returns the hint at the end of a block of a primary file: + and what overrides add, each as a link.
// It has no parts if they add nothing.
func addedHint(v *view.View, base *source.Block) *hint {
	h := &hint{view: v, index: indexOf(v)}
	names, at := shownChangesOf(v).addedNames(base)
	if len(names) > 0 {
		h.text("+ ")
	}
	h.list(len(names), maxNames, func(i int) { h.linkAs(diag.Escape(names[i]), at[i]) })
	return h
}

// shownChanges are the changes of a module by the part of a primary file at which hints and lenses show them. A
// module that the engine refuses has none.
type shownChanges struct {
	inner  map[string][]changes.Change        // by file: names and keys inside items that are replaced as a whole
	added  map[*source.Block][]changes.Change // by the block of a primary file that overrides add to
	counts map[blockAndFile]changes.Counts    // for the lens of a block: the changes that each file makes
	whole  map[*source.Block]*changes.Block   // the changes of the block as a whole, with its address
}

// A blockAndFile is a block of a primary file, and the override file whose changes of it are counted.
type blockAndFile struct {
	block *source.Block
	by    string
}

// shownChangesOf returns the changes of a view.
var shownChangesOf = view.Cached(newShownChanges)

// newShownChanges assigns changes to the blocks of primary files. Items with a history of their own have hints that
// show their changes, and what overrides add to the same name. So inner and added hold only the other changes.
func newShownChanges(v *view.View) *shownChanges {
	g := &shownChanges{
		inner: map[string][]changes.Change{}, added: map[*source.Block][]changes.Change{},
		counts: map[blockAndFile]changes.Counts{}, whole: map[*source.Block]*changes.Block{},
	}
	x := indexOf(v)
	if x == nil || v.Diags.HasErrors() {
		return g
	}
	primary := primaryNames{}
	changes.Each(v.Merged, func(b *changes.Block) {
		if b.IsNew {
			return // no primary file has it
		}
		bases := basesOf(b.Item)
		for _, c := range b.Changes {
			base := baseOfChange(c, bases)
			if base == nil {
				continue
			}
			// Every change counts in the lens of the block; some also get a hint.
			g.whole[base] = b
			g.count(base, c)
			switch {
			case c.Kind() == changes.Added:
				// All of a new argument or block: no name in an added block (IsInside), and no key in a map (IsPart).
				if !c.IsInside && !c.After.IsPart && !primary.has(c.Item) {
					g.added[base] = append(g.added[base], c)
				}
			case c.Before.IsPart || x.entries[c.Before.Item].merged == nil:
				// No hint of an item shows it: it is a part of a value, or in a block that is replaced as a whole.
				name := c.Before.Place().Filename
				g.inner[name] = append(g.inner[name], c)
			}
		}
	})
	return g
}

// primaryNames caches which names primary files have. What overrides set there isn't an addition: the hints of the
// primary items show it.
type primaryNames map[*merge.MergedItem]bool

// has reports whether a primary file has a name.
func (known primaryNames) has(e *merge.MergedItem) bool {
	isPrimary, isKnown := known[e]
	if !isKnown {
		isPrimary = len(basesOf(e)) > 0
		known[e] = isPrimary
	}
	return isPrimary
}

// baseOfChange returns the block of a primary file at which a change is shown: the block with the earlier value.
// Without one, it is the only block in bases, the primary files' blocks of the name, or nil if these aren't exactly
// one.
func baseOfChange(c changes.Change, bases []source.Item) *source.Block {
	if c.Before != nil && !source.IsOverride(c.Before.Item) {
		return source.Top(c.Before.Item)
	}
	if len(bases) != 1 {
		return nil
	}
	return source.Top(bases[0])
}

// count counts a change of a block of a primary file for the override file that made it. A change that no file
// made isn't counted.
func (g *shownChanges) count(base *source.Block, c changes.Change) {
	key := blockAndFile{base, c.By().Filename}
	if key.by == "" {
		return
	}
	counts := g.counts[key]
	counts.AddOne(c.Kind())
	g.counts[key] = counts
}

// maxLensFiles is how many override files a lens names.
const maxLensFiles = 2

// summary words what each of files, which override a block, changes in it: "a_override.tf: 2 changed, 1 dropped".
func (g *shownChanges) summary(base *source.Block, files []string) string {
	var words []string
	for i, name := range files {
		if i == maxLensFiles {
			words = append(words, wording.Count(len(files)-i, "more file"))
			break
		}
		what := report.Kinds(g.counts[blockAndFile{base, name}], false)
		words = append(words, diag.Escape(name)+": "+cmp.Or(what, "changes nothing"))
	}
	return strings.Join(words, " · ")
}

// addedNames returns the names that overrides add to a block, as addresses within it, each once. at has their
// locations, with the same indexes.
func (g *shownChanges) addedNames(base *source.Block) (names []string, at []hcl.Range) {
	known := map[string]bool{}
	for _, c := range g.added[base] {
		name := c.Address.String() // in full if it isn't below the block's address
		if within, ok := c.Address.In(g.whole[base].Address); ok {
			name = within.String()
		}
		if !known[name] {
			known[name] = true
			names, at = append(names, name), append(at, c.After.Place())
		}
	}
	return names, at
}
