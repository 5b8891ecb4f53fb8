package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// replaced judges nested blocks that replaced others: whether there are fewer, and which arguments
// none of them has. It is one finding.
func (f *findings) replaced(e *merge.MergedItem) {
	if e.Inner() != nil || !e.InEffect() || e.Attr() != nil || !source.IsOverride(e.Live[0]) {
		return
	}
	if e.Rule.Once {
		f.reconfigured(e)
		return
	}
	layers := e.Layers(e.Live[0])
	if len(layers) == 0 {
		return
	}
	earlier := e.Losers(e.Live[0])
	dropped := values.Dropped(f.m.Source, e.Live, alike(e.Live, earlier))
	lost, isLost := f.lostBlocks(e, layers)
	switch {
	case isLost && f.looksFor(blockReplaceDropsBlocks.ID):
		text := blocksLost{lost, e.Key.Name, e.Live, someNames(dropped)}
		x := f.add(blockReplaceDropsBlocks, e.Live[0], "%s", text.String())
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

// reconfigured judges a backend or cloud block that replaced one of the same type. What selects
// workspaces may be exchanged. An empty block gets its settings when the directory is initialized,
// and a local backend has no others that matter.
func (f *findings) reconfigured(e *merge.MergedItem) {
	b := e.Live[0].(*source.Block)
	earlier := alike(e.Live, e.Losers(b))
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

// emptied judges an empty list or null that replaced nested blocks, if the provider's schema makes
// the name an argument. Without a schema that is undecided.
func (f *findings) emptied(e *merge.MergedItem) {
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

// dropsArguments is the finding that effective blocks lack arguments of the blocks that they
// replaced.
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

// someNames joins the first five of some names, and the number of the others.
func someNames(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// lostBlocks compares the effective blocks with each of the layers they replaced. Of several layers
// with more blocks, it prefers those that certainly had more, and then the one with the most.
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

// blocksLost words what became of nested blocks of a type.
type blocksLost struct {
	values.BlockLoss
	typ       string
	by        []source.Item // the replacing blocks
	arguments string        // what none of them has
}

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
	if l.IsCertain && l.GoneKnown > l.Fewer {
		drop, last = drop+" or change"+s, "Repeat here what you want to keep."
	}
	text := fmt.Sprintf("%s replace%s %s with %s and %s %s", subject, s, number(l.Before, typ), number(l.After, ""), drop, what)
	if l.arguments != "" {
		text += ", and with " + pronoun(len(l.Gone)) + " " + l.arguments
	}
	return text + ". " + last
}

// number words how many blocks of a type there are; without the type where that is empty.
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

// places lists the locations of the lost blocks.
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
