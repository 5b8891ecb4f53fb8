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

// repeatKeys returns the fix for an override that replaces an object and so drops keys of it: it inserts these keys.
// If it can't, it says why. The finding's Related locates the argument that has the keys.
func (x *Fixer) repeatKeys(f check.Finding) (*Fix, string) {
	a := f.Item.Attr()
	if a == nil || f.Related == nil {
		return nil, whyNotPlain
	}
	if x.last == nil || x.last.to != a { // the finding before was about another argument
		x.last = x.repetitionIn(a, f.Item)
	}
	lost := x.last.lost[f.Related.Range]
	if len(lost.Keys) == 0 {
		return nil, whyNotPlain
	}
	inserts, why := x.last.insertAll(lost)
	if why != "" {
		return nil, why
	}
	secrets := x.module.Source.Secrets()
	return &Fix{Finding: f, IsSecret: secrets.Covers(a) || secrets.Covers(lost.Of), inserts: inserts}, ""
}

// A repetition repeats keys of earlier arguments in the one that replaced them. Parsed values are
// kept, since there may be very many.
type repetition struct {
	*Fixer
	to, from     *source.Attr              // keys of from, an earlier argument, are put into to
	lost         map[hcl.Range]values.Loss // by the position of the earlier argument
	goal, origin hcl.Expression            // the parsed values of to and from; nil until needed
	// known caches the items of object constructors, by their keys.
	known map[hcl.Expression]map[string]hclsyntax.ObjectConsItem
}

// repetitionIn prepares the repetition of keys in to, the argument in effect of e, and finds what it drops.
func (x *Fixer) repetitionIn(to *source.Attr, e *merge.MergedItem) *repetition {
	r := &repetition{Fixer: x, to: to, lost: map[hcl.Range]values.Loss{}, known: map[hcl.Expression]map[string]hclsyntax.ObjectConsItem{}}
	for _, lost := range values.LostBy(x.module.Source, to, e.Losers(to)) {
		r.lost[source.Where(lost.Of)] = lost
	}
	return r
}

// An object is one that keys are put into: native is set in a native file, json in a JSON file.
type object struct {
	native *hclsyntax.ObjectConsExpr
	json   jsontree.Value
}

// insertAll returns the insertions that repeat lost keys of an earlier argument, or says why it can't. Keys of one
// object come together, since an empty object gets them all in one edit.
func (r *repetition) insertAll(lost values.Loss) (list []insertion, why string) {
	r.from, r.origin = lost.Of, nil // nativeKey parses r.origin anew
	if r.to.File.Syntax != r.from.File.Syntax {
		return nil, whySyntax
	}
	keyAt := r.nativeKey
	if r.to.File.Syntax == source.JSON {
		keyAt = r.jsonKey
	}
	var goals []object             // the objects that get keys, in the order in which they are found
	texts := map[object][]string{} // by object
	for _, path := range lost.Keys {
		goal, text, why := keyAt(path.Steps())
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
			edit = insertIntoObject(r.to.File, goal.native, texts[goal])
		} else {
			edit = r.document(r.to.File).appendMembers(goal.json, texts[goal])
		}
		list = append(list, insertion{r.to.File, edit})
	}
	return list, ""
}

// nativeKey looks up a dropped key in the native argument r.from; steps are the path to it. It returns the object of
// r.to in which the key belongs and the text KEY = VALUE to insert there, or why it can't be inserted.
func (r *repetition) nativeKey(steps []*values.Path) (goal object, text, why string) {
	// Both arguments are parsed once for all keys.
	if r.goal == nil {
		r.goal = r.to.Expr()
	}
	if r.origin == nil {
		r.origin = r.from.Expr()
	}
	into, origin := r.goal, r.origin
	// Follow the path from object to object: into is the one in r.to, origin the one in r.from.
	for i, s := range steps {
		was, ok := r.itemOf(origin, s.Name)
		if !ok || s.IsIndex {
			return object{}, "", whyNotPlain
		}
		if i == len(steps)-1 { // the last step is the dropped key
			return r.repeatedIn(into, was)
		}
		is, ok := r.itemOf(into, s.Name) // on the way, both objects have the key
		if !ok {
			return object{}, "", whyNotPlain
		}
		into, origin = is.ValueExpr, was.ValueExpr
	}
	return object{}, "", whyNotPlain
}

// repeatedIn returns the object into, and the text KEY = VALUE of dropped, an item of r.from, for its place there. It
// says why if the item can't be repeated.
func (r *repetition) repeatedIn(into hcl.Expression, dropped hclsyntax.ObjectConsItem) (goal object, text, why string) {
	f := r.from.File
	given := slices.Concat(f.Text(dropped.KeyExpr.Range()), []byte(" = "), f.Text(dropped.ValueExpr.Range()))
	cons, isObject := into.(*hclsyntax.ObjectConsExpr)
	switch {
	case bytes.Contains(given, []byte("<<")): // its text can't be indented anew
		return object{}, "", whyHeredoc
	case !isObject:
		return object{}, "", whyNotPlain
	// One line needs no indenting: looking for the indentation takes long if very many keys are on one line.
	case textedit.IsOneLine(string(given)):
		return object{native: cons}, string(given), ""
	}
	indent := textedit.IndentAt(f.Native, dropped.KeyExpr.Range().Start.Byte)
	return object{native: cons}, textedit.Relocate(given, indent, indentIn(r.to.File.Native, cons), r.to.File.LineEnd), ""
}

// itemOf returns the item of an object constructor whose key is name; false if e is something else or lacks it. It
// reads the keys of each constructor once, since very many may be looked up.
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

// isInLines reports whether a line end follows the last item of an object constructor, of which there must be one.
// Then further items go on lines of their own.
func isInLines(src []byte, cons *hclsyntax.ObjectConsExpr) bool {
	end := cons.Items[len(cons.Items)-1].ValueExpr.Range().End.Byte
	isHeredoc := bytes.HasSuffix(src[:end], []byte("\n")) // its range includes its line end
	return isHeredoc || bytes.IndexByte(src[end:cons.Range().End.Byte-1], '\n') >= 0
}

// indentIn returns the indentation for items inserted into an object constructor: that of the line on which
// insertIntoObject starts them or, if they get lines of their own, that of the last item.
func indentIn(src []byte, cons *hclsyntax.ObjectConsExpr) string {
	if len(cons.Items) == 0 { // they start on the line of the opening brace
		return textedit.IndentAt(src, cons.Range().Start.Byte)
	}
	last := cons.Items[len(cons.Items)-1]
	if isInLines(src, cons) { // they get lines like that of the last key
		return textedit.IndentAt(src, last.KeyExpr.Range().Start.Byte)
	}
	return textedit.IndentAt(src, last.ValueExpr.Range().End.Byte) // they follow the last value on its line
}

// insertIntoObject returns the edit that inserts items, given as texts, behind all others of an object constructor:
// on lines of their own if those are.
func insertIntoObject(f *source.File, cons *hclsyntax.ObjectConsExpr, texts []string) textedit.Edit {
	src := f.Native
	if len(cons.Items) == 0 {
		return textedit.Replace(cons.Range().Start.Byte, cons.Range().End.Byte, "{ "+strings.Join(texts, ", ")+" }")
	}
	// Behind the last item: on its line, or on new lines below.
	end := cons.Items[len(cons.Items)-1].ValueExpr.Range().End.Byte
	if !isInLines(src, cons) {
		return textedit.Replace(end, end, ", "+strings.Join(texts, ", "))
	}
	indent, at := indentIn(src, cons), textedit.AfterLine(src, end)
	return textedit.Replace(at, at, indent+strings.Join(texts, f.LineEnd+indent)+f.LineEnd)
}

// repeatArguments returns the fix for a nested block that replaces another one and so drops arguments and blocks of
// it: it inserts these. If it can't, it says why.
func (x *Fixer) repeatArguments(f check.Finding) (*Fix, string) {
	if f.Item == nil || len(f.Item.Live) != 1 {
		return nil, whySeveral
	}
	to, isBlock := f.Item.Live[0].(*source.Block)
	if !isBlock {
		return nil, whySeveral
	}
	if f.Item.Rule.Once { // a backend, cloud or encryption block
		return nil, whyState
	}
	// Only whole items are repeated, no parts of an argument or block that the replacement also has.
	lost := values.Lacking(x.module.Source, f.Item.Live, f.Item.Losers(to))
	if slices.ContainsFunc(lost, values.Part.IsInside) {
		return nil, whyInside
	}
	dropped, why := droppedFrom(to, f.Item.Layers(to))
	if why != "" {
		return nil, why
	}
	// All dropped items go to the end of the body, in one insertion.
	fix := &Fix{Finding: f}
	for _, it := range dropped {
		fix.IsSecret = fix.IsSecret || x.holdsSecret(it)
	}
	if to.File.Syntax == source.JSON {
		in, why := x.insertIntoBody(to, dropped)
		if why != "" {
			return nil, why
		}
		fix.inserts = []insertion{in}
		return fix, ""
	}
	for _, it := range dropped {
		if bytes.Contains(it.Source().Text(it.Extent()), []byte("<<")) { // its text can't be indented anew
			return nil, whyHeredoc
		}
	}
	fix.inserts = []insertion{{to.File, insertIntoBlock(to, dropped)}}
	return fix, ""
}

// droppedFrom returns the items of replaced blocks whose names the replacing block to lacks: for each name the items
// of the latest layer that has it. The layers are the blocks of all primary files, then those of each override block.
// It says why if the items can't be repeated.
func droppedFrom(to *source.Block, layers [][]source.Item) (dropped []source.Item, why string) {
	has := map[string]bool{}
	for _, it := range to.Items() {
		has[it.Called()] = true
	}
	// From the latest layer to the earliest: later ones win.
	for _, layer := range slices.Backward(layers) {
		from, wasBlock := layer[0].(*source.Block)
		switch {
		case !wasBlock || len(layer) != 1: // an argument, or several blocks: nothing tells which of them was replaced
			return nil, whySeveral
		case from.Type == to.Type && from.Address() != to.Address(): // it has other labels, so it is another block
			continue
		case from.Type == source.DynamicBlock || to.Type == source.DynamicBlock:
			return nil, whyDynamic
		case from.File.Syntax != to.File.Syntax:
			return nil, whySyntax
		}
		first := len(dropped) // this layer's items start here
		for _, it := range from.Items() {
			if !has[it.Called()] {
				dropped = append(dropped, it)
			}
		}
		for _, it := range dropped[first:] { // only now, since several items may have one name
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

// insertIntoBlock returns the edit that puts items into a native block, arguments before blocks, behind all that it
// holds. A block on one line is broken into several.
func insertIntoBlock(to *source.Block, list []source.Item) textedit.Edit {
	src, eol := to.File.Native, to.File.LineEnd
	outer := textedit.IndentAt(src, to.Extent().Start.Byte)
	inner := outer + textedit.IndentUnit
	// New lines are indented as the last item, if that is below the opening line.
	if n := len(to.Items()); n > 0 {
		if last := to.Items()[n-1].Extent().Start; last.Line > to.OpenBrace().Start.Line {
			inner = textedit.IndentAt(src, last.Byte)
		}
	}
	var lines strings.Builder
	for _, wantBlock := range []bool{false, true} { // first the arguments, then the blocks
		for _, it := range list {
			if _, isBlock := it.(*source.Block); isBlock != wantBlock {
				continue
			}
			text := it.Source().Text(it.Extent())
			if a, isAttr := it.(*source.Attr); isAttr { // without the blanks that align its equals sign in its own block
				text = slices.Concat(a.File.Text(a.Header()), []byte(" = "), a.File.Text(a.Value()))
			}
			indent := textedit.IndentAt(it.Source().Native, it.Extent().Start.Byte)
			lines.WriteString(inner + textedit.Relocate(text, indent, inner, eol) + eol)
		}
	}
	closing := to.CloseBrace().Start.Byte
	start := textedit.LineStart(src, closing)
	isOnOwnLine := start > to.OpenBrace().Start.Byte && len(bytes.TrimSpace(src[start:closing])) == 0
	if isOnOwnLine { // the items go before the line of the closing brace
		return textedit.Replace(start, start, lines.String())
	}
	// Otherwise all between the braces is replaced: what is there, then the items, then the brace on its own line.
	open := to.OpenBrace().End.Byte
	contents := bytes.TrimSpace(src[open:closing]) // these get a line of their own
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

// repeatBlocks returns the fix for nested blocks that replace others and drop some of them: it inserts the dropped
// ones at their positions between those that stay. If it can't, it says why.
func (x *Fixer) repeatBlocks(f check.Finding) (*Fix, string) {
	layer, lost := x.lostBlocks(f)
	switch {
	case len(lost.Gone) == 0 || !lost.IsRest: // IsRest: the later blocks are all equal to earlier ones
		return nil, whyOthers
	case len(lost.Stay) == 0: // Nothing marks where the repeated blocks would go.
		return nil, whyNone
	case slices.ContainsFunc(lost.Gone, func(b *source.Block) bool { return b.File.Syntax != f.Item.Live[0].Source().Syntax }):
		return nil, whySyntax
	}
	fix := &Fix{Finding: f}
	for _, b := range lost.Gone {
		fix.IsSecret = fix.IsSecret || x.holdsSecret(b)
	}
	runs := runsOf(layer, lost)
	for _, run := range runs {
		beside := x.insertBesideBlock
		if run.at.File.Syntax == source.JSON {
			beside = x.insertBesideElement
		}
		edits, why := beside(run, len(runs) == 1)
		if why != "" {
			return nil, why
		}
		for _, e := range edits {
			fix.inserts = append(fix.inserts, insertion{run.at.File, e})
		}
	}
	return fix, ""
}

// lostBlocks returns the replaced nested blocks that a finding is about, and which of them were dropped. Blocks that
// replaced each other form layers: one of all primary files, then one of each block of an override file. The finding
// is about the layer that holds the block at its Related. lostBlocks returns nil if no layer does.
func (x *Fixer) lostBlocks(f check.Finding) ([]source.Item, values.BlockLoss) {
	if f.Item == nil || f.Related == nil || !f.Item.InEffect() {
		return nil, values.BlockLoss{}
	}
	for _, layer := range f.Item.Layers(f.Item.Live[0]) {
		isRelated := func(it source.Item) bool { return source.Where(it) == f.Related.Range }
		if slices.ContainsFunc(layer, isRelated) {
			lost, _ := values.NewReplacing(x.module.Source, f.Item.Live).Lost(layer)
			return layer, lost
		}
	}
	return nil, values.BlockLoss{}
}

// A blockRun is dropped blocks that are inserted together, before or after one that stayed.
type blockRun struct {
	list  []*source.Block
	at    *source.Block // the block in effect that stayed
	after bool          // they go after it, not before
}

// runsOf groups the dropped blocks of a layer by their positions between those that stay: each run goes before the
// next block that stays, and the last one may go behind all.
func runsOf(layer []source.Item, lost values.BlockLoss) (runs []blockRun) {
	var run []*source.Block
	var lastStaying *source.Block
	for _, it := range layer {
		b, _ := it.(*source.Block)
		staying := lost.Stay[b] // the block in effect that is equal to b
		if staying == nil {
			run = append(run, b)
			continue
		}
		lastStaying = staying
		if len(run) > 0 {
			runs = append(runs, blockRun{list: run, at: staying})
			run = nil
		}
	}
	// No staying block follows the last run, so it goes behind the last one.
	if len(run) > 0 {
		runs = append(runs, blockRun{list: run, at: lastStaying, after: true})
	}
	return runs
}

// insertBesideBlock inserts the blocks of a run on lines of their own, before or after run.at, or says why it can't.
// They are a blank line apart if run.at has one above it. The bool is unused: insertBesideElement needs it.
func (x *Fixer) insertBesideBlock(run blockRun, _ bool) ([]textedit.Edit, string) {
	src, eol := run.at.File.Native, run.at.File.LineEnd
	trivia := source.TriviaOf(run.at)
	at := textedit.TextStart(src, trivia.Lead)
	gap := "" // between two blocks
	if textedit.IsBlankBefore(src, at) {
		gap = eol
	}
	// The blocks go above run.at and its comments, or below.
	if run.after {
		at = textedit.AfterLine(src, trivia.End)
	}
	indent := textedit.IndentAt(src, run.at.Extent().Start.Byte)
	text := ""
	for _, b := range run.list {
		given := b.File.Text(b.Extent())
		if bytes.Contains(given, []byte("<<")) { // its text can't be indented anew
			return nil, whyHeredoc
		}
		block := indent + textedit.Relocate(given, textedit.IndentAt(b.File.Native, b.Extent().Start.Byte), indent, eol) + eol
		if run.after {
			text += gap + block
		} else {
			text += block + gap
		}
	}
	return []textedit.Edit{textedit.Replace(at, at, text)}, ""
}
