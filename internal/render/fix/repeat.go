package fix

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// How dropped parts are repeated: with the text of the earlier file, at the indentation of the
// later one. Both must be written in one syntax.

// Why something isn't repeated.
const (
	whySyntax   = "one of the two files is JSON"
	whySeveral  = "it replaces several blocks, or is one of several"
	whyNotPlain = "one of the two values is not an object in braces"
	whyHeredoc  = "a dropped value has a heredoc"
	whyDynamic  = "one of the two is a dynamic block"
	whyInside   = "it drops parts of what it sets"
	whyState    = "it decides where the state is"
)

// keys repeats the keys that an object drops.
func (x *Fixer) keys(f check.Finding) (*Fix, string) {
	a := f.Item.Attr()
	if a == nil || f.Related == nil {
		return nil, whyNotPlain
	}
	if x.last == nil || x.last.to != a {
		x.last = x.repetitionIn(a, f.Item)
	}
	lost := x.last.lost[f.Related.Range]
	if len(lost.Keys) == 0 {
		return nil, whyNotPlain
	}
	secrets := x.module.Source.Secrets()
	made, why := &Fix{Finding: f, IsSecret: secrets.Covers(a) || secrets.Covers(lost.Of)}, ""
	if made.inserts, why = x.last.insertAll(lost); why != "" {
		return nil, why
	}
	return made, ""
}

// A repetition repeats keys of earlier arguments in the one that replaced them. Parsed values are
// kept, since there may be very many.
type repetition struct {
	*Fixer
	to, from     *source.Attr
	lost         map[hcl.Range]values.Loss // by the position of the earlier argument
	goal, origin hcl.Expression
	known        map[hcl.Expression]map[string]hclsyntax.ObjectConsItem
}

func (x *Fixer) repetitionIn(to *source.Attr, e *merge.MergedItem) *repetition {
	r := &repetition{Fixer: x, to: to, lost: map[hcl.Range]values.Loss{}, known: map[hcl.Expression]map[string]hclsyntax.ObjectConsItem{}}
	for _, lost := range values.LostBy(x.module.Source, to, e.Losers(to)) {
		r.lost[source.Where(lost.Of)] = lost
	}
	return r
}

// An object is one that keys are put into: of native text or of JSON.
type object struct {
	native *hclsyntax.ObjectConsExpr
	json   jsontree.Value
}

// insertAll repeats lost keys, or says why it can't. Those of one object come together, since an empty one
// gets them in one edit.
func (r *repetition) insertAll(lost values.Loss) (list []insertion, why string) {
	r.from, r.origin = lost.Of, nil
	if r.to.File.Syntax != r.from.File.Syntax {
		return nil, whySyntax
	}
	member := r.nativeKey
	if r.to.File.Syntax == source.JSON {
		member = r.jsonKey
	}
	var goals []object
	texts := map[object][]string{}
	for _, path := range lost.Keys {
		goal, text, why := member(path.Steps())
		if why != "" {
			return nil, why
		}
		if texts[goal] == nil {
			goals = append(goals, goal)
		}
		texts[goal] = append(texts[goal], text)
	}
	for _, goal := range goals {
		edit := textedit.Edit{}
		if goal.native != nil {
			edit = intoObject(r.to.File, goal.native, texts[goal])
		} else {
			edit = r.document(r.to.File).insertInto(goal.json, texts[goal])
		}
		list = append(list, insertion{r.to.File, edit})
	}
	return list, ""
}

// nativeKey returns the native text of the key at a path, and the object to insert it into, or why it
// can't.
func (r *repetition) nativeKey(steps []*values.Path) (goal object, text, why string) {
	if r.goal == nil {
		r.goal = r.to.Expr()
	}
	if r.origin == nil {
		r.origin = r.from.Expr()
	}
	into, origin := r.goal, r.origin
	for i, s := range steps {
		had, ok := r.itemOf(origin, s.Name)
		if !ok || s.IsIndex {
			return object{}, "", whyNotPlain
		}
		if i < len(steps)-1 {
			has, ok := r.itemOf(into, s.Name)
			if !ok {
				return object{}, "", whyNotPlain
			}
			into, origin = has.ValueExpr, had.ValueExpr
			continue
		}
		f := r.from.File
		given := slices.Concat(f.Text(had.KeyExpr.Range()), []byte(" = "), f.Text(had.ValueExpr.Range()))
		if bytes.Contains(given, []byte("<<")) {
			return object{}, "", whyHeredoc
		}
		if cons, ok := into.(*hclsyntax.ObjectConsExpr); ok {
			if textedit.IsOneLine(string(given)) { // which may be one of very many in its line
				return object{native: cons}, string(given), ""
			}
			indent := textedit.IndentAt(f.Native, had.KeyExpr.Range().Start.Byte)
			return object{native: cons}, textedit.Relocate(given, indent, indentIn(r.to.File.Native, cons), r.to.File.LineEnd), ""
		}
	}
	return object{}, "", whyNotPlain
}

// itemOf returns the item with a key of an object constructor. It reads the keys of each constructor once.
func (r *repetition) itemOf(e hcl.Expression, name string) (hclsyntax.ObjectConsItem, bool) {
	items, isKnown := r.known[e]
	if cons, ok := e.(*hclsyntax.ObjectConsExpr); ok && !isKnown {
		items = map[string]hclsyntax.ObjectConsItem{}
		for _, item := range cons.Items {
			if key, ok := parts.Key(item.KeyExpr); ok {
				items[key] = item
			}
		}
		r.known[e] = items
	}
	item, ok := items[name]
	return item, ok
}

// isInLines reports whether a line end follows the last item of an object constructor, so that further
// items go on lines of their own.
func isInLines(src []byte, cons *hclsyntax.ObjectConsExpr) bool {
	end := cons.Items[len(cons.Items)-1].ValueExpr.Range().End.Byte
	return bytes.IndexByte(src[end:cons.Range().End.Byte-1], '\n') >= 0 || bytes.HasSuffix(src[:end], []byte("\n"))
}

// indentIn returns the indentation for items inserted into an object constructor.
func indentIn(src []byte, cons *hclsyntax.ObjectConsExpr) string {
	if len(cons.Items) == 0 {
		return textedit.IndentAt(src, cons.Range().Start.Byte)
	}
	last := cons.Items[len(cons.Items)-1]
	if isInLines(src, cons) {
		return textedit.IndentAt(src, last.KeyExpr.Range().Start.Byte)
	}
	return textedit.IndentAt(src, last.ValueExpr.Range().End.Byte)
}

// intoObject puts items into an object constructor, behind all others: on lines of their own if those are.
func intoObject(f *source.File, cons *hclsyntax.ObjectConsExpr, texts []string) textedit.Edit {
	src := f.Native
	if len(cons.Items) == 0 {
		return textedit.Replace(cons.Range().Start.Byte, cons.Range().End.Byte, "{ "+strings.Join(texts, ", ")+" }")
	}
	end := cons.Items[len(cons.Items)-1].ValueExpr.Range().End.Byte
	if !isInLines(src, cons) {
		return textedit.Replace(end, end, ", "+strings.Join(texts, ", "))
	}
	indent, at := indentIn(src, cons), textedit.AfterLine(src, end)
	return textedit.Replace(at, at, indent+strings.Join(texts, f.LineEnd+indent)+f.LineEnd)
}

// arguments repeats the arguments and blocks that a nested block drops.
func (x *Fixer) arguments(f check.Finding) (*Fix, string) {
	if f.Item == nil || len(f.Item.Live) != 1 {
		return nil, whySeveral
	}
	to, isBlock := f.Item.Live[0].(*source.Block)
	if !isBlock {
		return nil, whySeveral
	}
	if f.Item.Rule.Once {
		return nil, whyState
	}
	isInside := func(p values.Part) bool { return p.Path.From != nil || p.Fewer > 0 }
	if slices.ContainsFunc(values.Lacking(x.module.Source, f.Item.Live, f.Item.Losers(to)), isInside) {
		return nil, whyInside
	}
	dropped, why := droppedFrom(to, f.Item.Layers(to))
	if why != "" {
		return nil, why
	}
	made := &Fix{Finding: f}
	for _, it := range dropped {
		made.IsSecret = made.IsSecret || x.holdsSecret(it)
	}
	if to.File.Syntax == source.JSON {
		in, why := x.intoBody(to, dropped)
		if why != "" {
			return nil, why
		}
		made.inserts = []insertion{in}
		return made, ""
	}
	for _, it := range dropped {
		if bytes.Contains(it.Source().Text(it.Extent()), []byte("<<")) {
			return nil, whyHeredoc
		}
	}
	made.inserts = []insertion{{to.File, intoBlock(to, dropped)}}
	return made, ""
}

// droppedFrom returns the items of replaced blocks whose names the replacing block lacks: for each
// name the items of the latest layer that has it.
func droppedFrom(to *source.Block, layers [][]source.Item) (dropped []source.Item, why string) {
	has := map[string]bool{}
	for _, it := range to.Items() {
		has[it.Called()] = true
	}
	for _, layer := range slices.Backward(layers) {
		from, wasBlock := layer[0].(*source.Block)
		switch {
		case !wasBlock || len(layer) != 1:
			return nil, whySeveral
		case from.Type == to.Type && from.Address() != to.Address():
			continue // its blocks have other labels
		case from.Type == source.DynamicBlock || to.Type == source.DynamicBlock:
			return nil, whyDynamic
		case from.File.Syntax != to.File.Syntax:
			return nil, whySyntax
		}
		first := len(dropped)
		for _, it := range from.Items() {
			if !has[it.Called()] {
				dropped = append(dropped, it)
			}
		}
		for _, it := range dropped[first:] {
			has[it.Called()] = true
		}
	}
	if len(dropped) == 0 {
		return nil, whyNotPlain
	}
	return dropped, ""
}

// holdsSecret reports whether an item is, or a block contains, an argument whose value must not be shown.
func (x *Fixer) holdsSecret(it source.Item) bool {
	switch it := it.(type) {
	case *source.Attr:
		return x.module.Source.Secrets().Covers(it)
	case *source.Block:
		return slices.ContainsFunc(it.Items(), x.holdsSecret)
	}
	return false
}

// intoBlock puts items into a native block, arguments before blocks, behind all that it
// holds. A block of one line gets several.
func intoBlock(to *source.Block, list []source.Item) textedit.Edit {
	src, eol := to.File.Native, to.File.LineEnd
	outer := textedit.IndentAt(src, to.Extent().Start.Byte)
	inner := outer + textedit.IndentUnit
	if n := len(to.Items()); n > 0 {
		if last := to.Items()[n-1].Extent().Start; last.Line > to.OpenBrace().Start.Line {
			inner = textedit.IndentAt(src, last.Byte)
		}
	}
	var lines strings.Builder
	for _, wantBlock := range []bool{false, true} {
		for _, it := range list {
			if _, isBlock := it.(*source.Block); isBlock != wantBlock {
				continue
			}
			text := it.Source().Text(it.Extent())
			if a, isAttr := it.(*source.Attr); isAttr {
				text = slices.Concat(a.File.Text(a.Header()), []byte(" = "), a.File.Text(a.Value()))
			}
			indent := textedit.IndentAt(it.Source().Native, it.Extent().Start.Byte)
			lines.WriteString(inner + textedit.Relocate(text, indent, inner, eol) + eol)
		}
	}
	closing := to.CloseBrace().Start.Byte
	if start := textedit.LineStart(src, closing); start > to.OpenBrace().Start.Byte && len(bytes.TrimSpace(src[start:closing])) == 0 {
		return textedit.Replace(start, start, lines.String())
	}
	open := to.OpenBrace().End.Byte
	contents := bytes.TrimSpace(src[open:closing])
	if len(contents) > 0 {
		contents = append([]byte(eol+inner), contents...)
	}
	return textedit.Replace(open, closing, string(contents)+eol+lines.String()+outer)
}

// How dropped nested blocks are repeated: at their positions between the remaining ones.

const (
	whyOthers = "this block equals none of those it replaces, so choose what to restore yourself"
	whyNone   = "an argument replaces all blocks"
)

// blocks repeats the nested blocks of a layer that those in effect have no equal of.
func (x *Fixer) blocks(f check.Finding) (*Fix, string) {
	layer, lost := x.lostBlocks(f)
	switch {
	case len(lost.Gone) == 0 || !lost.IsRest:
		return nil, whyOthers
	case len(lost.Stay) == 0: // Nothing marks where the repeated blocks would go.
		return nil, whyNone
	case slices.ContainsFunc(lost.Gone, func(b *source.Block) bool { return b.File.Syntax != f.Item.Live[0].Source().Syntax }):
		return nil, whySyntax
	}
	made := &Fix{Finding: f}
	for _, b := range lost.Gone {
		made.IsSecret = made.IsSecret || x.holdsSecret(b)
	}
	runs := runsOf(layer, lost)
	for _, run := range runs {
		beside := x.besideBlock
		if run.at.File.Syntax == source.JSON {
			beside = x.besideElement
		}
		edits, why := beside(run, len(runs) == 1)
		if why != "" {
			return nil, why
		}
		for _, e := range edits {
			made.inserts = append(made.inserts, insertion{run.at.File, e})
		}
	}
	return made, ""
}

// lostBlocks returns the layer that a finding is about, and its dropped blocks.
func (x *Fixer) lostBlocks(f check.Finding) ([]source.Item, values.BlockLoss) {
	if f.Item == nil || f.Related == nil || !f.Item.InEffect() {
		return nil, values.BlockLoss{}
	}
	for _, layer := range f.Item.Layers(f.Item.Live[0]) {
		if slices.ContainsFunc(layer, func(it source.Item) bool { return source.Where(it) == f.Related.Range }) {
			lost, _ := values.NewReplacing(x.module.Source, f.Item.Live).Lost(layer)
			return layer, lost
		}
	}
	return nil, values.BlockLoss{}
}

// A blockRun is blocks that come together, before or after one that is there.
type blockRun struct {
	list  []*source.Block
	at    *source.Block
	after bool
}

// runsOf groups the dropped blocks by their positions between the remaining ones.
func runsOf(layer []source.Item, lost values.BlockLoss) (runs []blockRun) {
	var list []*source.Block
	var last *source.Block
	for _, it := range layer {
		b, _ := it.(*source.Block)
		stays := lost.Stay[b]
		if stays == nil {
			list = append(list, b)
			continue
		}
		last = stays
		if len(list) > 0 {
			runs = append(runs, blockRun{list: list, at: last})
			list = nil
		}
	}
	if len(list) > 0 {
		runs = append(runs, blockRun{list: list, at: last, after: true})
	}
	return runs
}

// besideBlock inserts the blocks of a run on lines of their own, before or after the block that is there,
// or says why it can't. They are a blank line apart if that block has one above it. The flag matters only
// to besideElement.
func (x *Fixer) besideBlock(run blockRun, _ bool) ([]textedit.Edit, string) {
	src, eol := run.at.File.Native, run.at.File.LineEnd
	trivia := source.TriviaOf(run.at)
	at := textedit.TextStart(src, trivia.Lead)
	gap := ""
	if textedit.IsBlankBefore(src, at) {
		gap = eol
	}
	if run.after {
		at = textedit.AfterLine(src, trivia.End)
	}
	to := textedit.IndentAt(src, run.at.Extent().Start.Byte)
	text := ""
	for _, b := range run.list {
		given := b.File.Text(b.Extent())
		if bytes.Contains(given, []byte("<<")) {
			return nil, whyHeredoc
		}
		block := to + textedit.Relocate(given, textedit.IndentAt(b.File.Native, b.Extent().Start.Byte), to, eol) + eol
		if run.after {
			text += gap + block
		} else {
			text += block + gap
		}
	}
	return []textedit.Edit{textedit.Replace(at, at, text)}, ""
}
