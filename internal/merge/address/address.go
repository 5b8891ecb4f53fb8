// Package address names the contents of a merged module: aws_instance.web.ami, var.region,
// provider.aws.west.
//
// An Address is a path of segments; Parse reads one. A Pattern matches addresses as a whole,
// Patterns segment by segment on the way into blocks.
//
// It visits the items of a merged module with their addresses, in load order (Walk, WalkAll,
// WalkIn). A Target is what an address names: an item of the module, or a part of a block that is
// replaced as a whole; package lookup finds it.
//
// An address may start with a block type that the short form omits, and may number blocks:
// aws_instance.web.provisioner[0]. Parse refuses texts that aren't addresses, such as one with the
// key of an instance; an address that names nothing is not an error. The names of declared items
// come from the table of rules (package merge).
package address

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// An Address names something in a module by segments, the outermost first:
//
//	resource "aws_instance" "web" {     # aws_instance.web
//	  ami = "ami-1"                     # aws_instance.web.ami
//	  provisioner "local-exec" {        # aws_instance.web.provisioner[0], also
//	    command = "true"                # aws_instance.web.provisioner.local-exec
//	  }
//	  tags = {                          # aws_instance.web.tags
//	    "app/name" = "shop"             # aws_instance.web.tags["app/name"]
//	  }
//	}
//
// The zero Address names nothing. Two addresses with the same segments are equal, so that they
// can be the keys of a map. Two that differ may name the same thing, as the two of the
// provisioner do; lookup.Find and Patterns settle that.
type Address struct {
	text string // of the segments, as package spelling writes them
}

// Parse reads an address. A block type at the start is shortened or left out, as in the program's output:
// variable.region becomes var.region. Parse refuses empty segments and empty brackets.
func Parse(text string) (Address, error) {
	parts, err := spelling.ReadPath(text)
	if err != nil {
		return Address{}, fmt.Errorf("%q is not an address: %w; write one such as aws_instance.web.ami, var.region, module.vpc.source or aws_instance.web.provisioner[0]", text, err)
	}
	var a Address
	for _, p := range shortened(parts) {
		a.text = spelling.AppendPath(a.text, p.Segment)
	}
	return a, nil
}

// New returns the address of a path of names.
func New(names ...string) Address { return Address{spelling.JoinPath(names...)} }

// Of returns the address of a top-level item.
func Of(item *merge.MergedItem) Address { return Address{item.Address()} }

// OfBlock returns the address of what a top-level block declares.
func OfBlock(m *merge.Module, b *source.Block) Address { return Address{m.Address(b)} }

// InsideOf lists the addresses of a top-level block's items if they don't continue the block's address:
// local.a for an argument of locals.
func InsideOf(m *merge.Module, b *source.Block) (list []Address) {
	for _, text := range m.OwnAddresses(b) {
		list = append(list, Address{text})
	}
	return list
}

// String returns the text of the address, which Parse can read. It is printable.
func (a Address) String() string { return a.text }

// Equal reports whether two addresses are the same.
func (a Address) Equal(b Address) bool { return a == b }

// Compare orders addresses by their texts.
func (a Address) Compare(b Address) int { return strings.Compare(a.text, b.text) }

// IsEmpty reports whether the address has no segments, and so names nothing.
func (a Address) IsEmpty() bool { return a.text == "" }

// Child returns the address with names appended. Without names that is a.
func (a Address) Child(names ...string) Address {
	return Address{spelling.ConcatPaths(a.text, spelling.JoinPath(names...))}
}

// At returns the address of one of several blocks or elements that share a, by its index, counted from 0.
func (a Address) At(index int) Address { return a.Step(spelling.At(index)) }

// Step returns the address with a segment appended.
func (a Address) Step(s spelling.Segment) Address { return Address{spelling.AppendPath(a.text, s)} }

// Join returns the address with the segments of another one appended.
func (a Address) Join(rest Address) Address { return Address{spelling.ConcatPaths(a.text, rest.text)} }

// Parent returns the address without its last segment; empty for a single segment.
func (a Address) Parent() Address {
	return Address{a.text[:max(0, lastStart(a.text))]}
}

// Last returns the text of the last segment, without a dot before it: ami, ["app/name"] or [0].
func (a Address) Last() string {
	return strings.TrimPrefix(a.text[max(0, lastStart(a.text)):], ".")
}

// lastStart returns the offset in an address at which the last segment starts, with its dot or bracket; -1 for a
// single name.
func lastStart(text string) int {
	switch {
	case strings.HasSuffix(text, `"]`):
		return strings.LastIndex(text, `["`) // inside of quotes there is a backslash between the two
	case strings.HasSuffix(text, "]"):
		return strings.LastIndexByte(text, '[')
	}
	return strings.LastIndexByte(text, '.')
}

// Kind returns the address up to its first index, which all blocks numbered there share: a.b for a.b[1].c.
func (a Address) Kind() (kind Address) {
	if strings.IndexByte(a.text, '[') < 0 {
		return a
	}
	for _, s := range a.Segments() {
		if s.IsIndex() {
			break
		}
		kind = kind.Step(s)
	}
	return kind
}

// In returns the rest of a behind around, and reports whether a is at or inside around: c and true for a.b.c in a.b,
// an empty rest if they are equal. If it reports false, the rest means nothing.
func (a Address) In(around Address) (Address, bool) {
	rest, ok := strings.CutPrefix(a.text, around.text)
	isIn := ok && (rest == "" || around.IsEmpty() || rest[0] == '.' || rest[0] == '[') // a.bc isn't in a.b
	return Address{strings.TrimPrefix(rest, ".")}, isIn
}

// Segments returns the segments of the address, none for an empty one.
func (a Address) Segments() []spelling.Segment {
	parts := a.parts()
	list := make([]spelling.Segment, len(parts))
	for i, p := range parts {
		list[i] = p.Segment
	}
	return list
}

// parts returns the segments with how each is written, none for an empty address.
func (a Address) parts() []spelling.PathPart {
	if a.IsEmpty() {
		return nil
	}
	parts, _ := spelling.ReadPath(a.text) // it was written by the package
	return parts
}

// Dotted returns the address without quotes and brackets around names: with a dot between names, whatever characters
// they contain, so it can be ambiguous. Earlier versions spelled addresses like this, so baselines that they wrote
// contain it.
func (a Address) Dotted() string {
	var out strings.Builder
	for i, s := range a.Segments() {
		switch {
		case s.IsIndex():
			out.WriteString(spelling.AppendPath("", s))
		case i > 0:
			out.WriteString("." + s.Name)
		default:
			out.WriteString(s.Name)
		}
	}
	return out.String()
}

// With returns the address with several segments appended.
func (a Address) With(list []spelling.Segment) Address {
	for _, s := range list {
		a = a.Step(s)
	}
	return a
}

// longForms maps block types to the names that replace them at the start of addresses: variable to var,
// resource to "".
var longForms = sync.OnceValue(func() map[string]string {
	forms := map[string]string{}
	for _, r := range rules.All() {
		around, _ := path.Split(r.Path)
		switch isTop := around == ""; {
		case isTop && r.Match == rules.ByLabels && len(r.Prefix) == 0:
			forms[r.Path] = ""
		case isTop && len(r.Prefix) > 0 && r.Prefix[0] != r.Path:
			forms[r.Path] = r.Prefix[0]
		case !isTop && hasOwnPrefix(r):
			forms[strings.TrimSuffix(around, "/")] = r.Prefix[0]
		}
	}
	return forms
})

// shortened returns the parts of an address with a block type at the start shortened: var for variable, nothing for
// resource. The argument isn't changed. A quoted name, or one that stands alone, isn't a block type.
func shortened(parts []spelling.PathPart) []spelling.PathPart {
	short, ok := longForms()[parts[0].Name]
	switch {
	case !ok || parts[0].IsQuoted || len(parts) == 1:
		return parts
	case short == "":
		return parts[1:]
	}
	parts = slices.Clone(parts)
	parts[0].Name = short
	return parts
}

// Start returns the first name in the addresses of a type of blocks; "" for resources, which start with their
// own type.
func Start(typ string) string {
	if short, ok := longForms()[typ]; ok {
		return short
	}
	return typ
}

// hasOwnPrefix reports whether addresses of a rule's items don't continue the address of the block around them: an
// argument of locals is local.a. The path of such a rule, locals/*, covers any argument in the block, and Prefix is
// local.
func hasOwnPrefix(r *rules.Rule) bool { return path.Base(r.Path) == "*" && len(r.Prefix) > 0 }

// A Target is what an address names: a merged item, items inside the blocks of one that is replaced as a
// whole, or a key or an element of an argument's value.
type Target struct {
	Address Address
	Item    *merge.MergedItem
	// Of is the merged item's own address, a prefix of Address.
	Of Address
	// Rest leads from the merged item to the target: a label, a name in its blocks, a key; empty for all of it.
	Rest []spelling.Segment
	// Known caches the parts of arguments, for several targets; nil caches nothing.
	Known Known
}

// A Known caches the parts of arguments, so that each value with parts is taken apart only once. A nil one caches
// nothing.
type Known map[*source.Attr]*parts.Value

// partsOf returns the parts of an argument's value, from the cache if they are in it.
func (known Known) partsOf(a *source.Attr) *parts.Value {
	v := known[a]
	if v == nil {
		v = parts.Of(a)
		if known != nil && len(v.Parts) > 0 { // finding again that a value has no parts is cheap
			known[a] = v
		}
	}
	return v
}

// IsWhole reports whether the target is a merged item as a whole.
func (t Target) IsWhole() bool { return len(t.Rest) == 0 }

// Exists reports whether the target names anything in any file, in effect or not.
func (t Target) Exists() bool {
	return len(t.Effective()) > 0 || slices.ContainsFunc(t.Item.Steps, func(s merge.Step) bool {
		return s.Item != nil && len(t.In(s.Item)) > 0
	})
}

// Effective lists the effective items that the target names.
func (t Target) Effective() []source.Item {
	return t.Known.follow(t.Item.Live, t.Rest)
}

// In lists what the target names in one item of the merged item's history, in effect or not. An index at the start
// of t.Rest numbers blocks of one layer: of all primary files, or of one block of an override file. If only an
// evaluation shows whether an argument has the part, In returns the argument.
func (t Target) In(item source.Item) []source.Item {
	// If the path starts with a block's index, that must be the item's own; the rest then leads on inside the item.
	rest := t.Rest
	_, isBlock := item.(*source.Block)
	isNumbered := isBlock || len(t.Item.Live) > 1 // otherwise an index means an element of the lone argument's list
	if len(rest) > 0 && rest[0].IsIndex() && isNumbered {
		if !t.hasIndexOf(item) {
			return nil
		}
		rest = rest[1:]
	}
	// The rest leads to parts of the item, or to an argument that may have the part.
	if found := t.Known.follow([]source.Item{item}, rest); len(found) > 0 {
		return found
	}
	if a := t.Known.firstUnclear([]source.Item{item}, rest); a != nil {
		return []source.Item{a}
	}
	return nil
}

// hasIndexOf reports whether the target's index is that of an item among the blocks of its layer. A layer replaces
// all blocks of the earlier one. So if it replaced one ingress block with two, ingress[1] names the earlier one,
// too: the last block of a layer also stands for indexes that only effective blocks have. This holds only for the
// whole block, since the path ingress[1].cidr_blocks means an argument of the second new block.
func (t Target) hasIndexOf(item source.Item) bool {
	own, last := 0, -1 // the indexes, in the layer, of the item and of the last block
	for _, s := range t.Item.Steps {
		if s.Item == nil || !merge.ShareLayer(s.Item, item) {
			continue
		}
		last++
		if s.Item == item {
			own = last
		}
	}
	index := t.Rest[0].Index
	if own == index {
		return true
	}
	isWhole := len(t.Rest) == 1                                 // the target is a block, not something in it
	isOnlyEffective := last < index && index < len(t.Item.Live) // only the blocks in effect have the index
	return isWhole && own == last && isOnlyEffective
}

// Unclear returns the effective argument that may contain the target, if only an evaluation shows whether it does,
// as in tags = merge(...). It returns nil if the files decide.
func (t Target) Unclear() *source.Attr {
	if len(t.Effective()) > 0 {
		return nil
	}
	return t.Known.firstUnclear(t.Item.Live, t.Rest)
}

// firstUnclear follows segments from items, and returns the first argument on the way in which only an evaluation
// shows the part for the next segment; nil if there is none.
func (known Known) firstUnclear(items []source.Item, rest []spelling.Segment) *source.Attr {
	for n := range rest { // n segments lead to it, and rest[n] is the next one
		for _, it := range known.follow(items, rest[:n]) {
			a, ok := it.(*source.Attr)
			if !ok {
				continue
			}
			v := known.partsOf(a)
			p := v.Part(rest[n])
			mayHaveMore := p == nil && !v.IsAll // such as computed keys
			if mayHaveMore || p != nil && !p.IsSure {
				return a
			}
		}
	}
	return nil
}

// follow returns where the segments of rest lead from items: nil if nowhere, items if rest is empty. The first
// segments can be all labels of a block in items; or one is the name of an item in a block, a key or an element of
// an argument's value, or an index into items. Without an index, it follows all of items. Blocks of one name have
// equally many labels.
func (known Known) follow(items []source.Item, rest []spelling.Segment) []source.Item {
	if len(rest) == 0 || len(items) == 0 {
		return items
	}
	var found, labelled []source.Item // labelled are blocks among items that are named by their labels
	after := rest[1:]                 // the segments behind those that lead to found, or behind all labels
	for _, it := range items {
		switch it := it.(type) {
		case *source.Attr:
			found = append(found, known.partsFor(it, rest[0])...)
		case *source.Block:
			if n := countLabels(it, rest); n > 0 {
				labelled, after = append(labelled, it), rest[n:]
				continue
			}
			for _, inner := range it.Items() {
				if rest[0] == spelling.Named(inner.Called()) {
					found = append(found, inner)
				}
			}
		}
	}
	_, isAttr := items[0].(*source.Attr)
	isLoneArgument := isAttr && len(items) == 1 // an index means an element of it
	switch {
	case len(labelled) > 0: // labels take precedence over names of items
		found = labelled
	case len(found) == 0 && rest[0].IsIndex() && rest[0].Index < len(items) && !isLoneArgument:
		found = items[rest[0].Index : rest[0].Index+1]
	}
	return known.follow(found, after)
}

// partsFor returns the parts of an argument's value that segment s names. A name on a list names that key in each
// of its elements. A part that a computed key may supersede is left out, since it may not be the effective one; the
// callers then use firstUnclear.
func (known Known) partsFor(a *source.Attr, s spelling.Segment) (found []source.Item) {
	v := known.partsOf(a)
	if p := v.Part(s); p != nil && p.IsSure {
		return []source.Item{p.Value}
	}
	if !v.IsList || s.IsIndex() { // the value certainly has no such part, or it is unsure
		return nil
	}
	for _, p := range v.Parts {
		found = append(found, known.partsFor(p.Value, s)...)
	}
	return found
}

// countLabels returns how many segments at the start of rest are the labels of block b: all its labels, or 0 if
// they aren't there.
func countLabels(b *source.Block, rest []spelling.Segment) int {
	if b.Called() != b.Type || len(rest) < len(b.Labels) {
		return 0 // the label of a dynamic block is its name
	}
	for i, label := range b.Labels {
		if rest[i] != spelling.Named(label) {
			return 0
		}
	}
	return len(b.Labels)
}

// Walk visits the items of a module with their addresses, in load order, each before its contents. It leaves out
// arguments and top-level blocks that no override addressed.
func Walk(m *merge.Module, visit func(own Address, item *merge.MergedItem)) {
	w := walker{m, visit, func(c *merge.MergedBody) []*merge.MergedItem { return c.Items }}
	w.walk(m.Root, m.Root.Items, Address{})
}

// WalkAll visits every item of a module with its address, also those that Walk leaves out.
func WalkAll(m *merge.Module, visit func(own Address, item *merge.MergedItem)) {
	walker{m, visit, (*merge.MergedBody).All}.walk(m.Root, m.All(), Address{})
}

// WalkSome is WalkAll with fewer blocks. It still visits all top-level blocks that overrides may address, but of the
// others only those for which wants returns true: see Module.AllOf.
func WalkSome(
	m *merge.Module, wants func(f *source.File, i int) bool, visit func(own Address, item *merge.MergedItem),
) {
	walker{m, visit, (*merge.MergedBody).All}.walk(m.Root, m.AllOf(wants), Address{})
}

// WalkChosen visits only the top-level items of which wants accepts a block, by file and index, and inside them only
// the items that choose returns for each body. Unlike WalkSome, it also leaves out unwanted blocks that overrides may
// address.
func WalkChosen(
	m *merge.Module, wants func(f *source.File, i int) bool,
	choose func(*merge.MergedBody) []*merge.MergedItem, visit func(own Address, item *merge.MergedItem),
) {
	isUnwanted := func(e *merge.MergedItem) bool { // none of its blocks is wanted
		return !slices.ContainsFunc(e.Steps, func(s merge.Step) bool {
			top := source.Top(s.Item)
			return wants(top.File, top.File.IndexOf(top))
		})
	}
	// AllOf returns the wanted items, and all that overrides may address.
	walker{m, visit, choose}.walk(m.Root, slices.DeleteFunc(slices.Clone(m.AllOf(wants)), isUnwanted), Address{})
}

// WalkIn is WalkAll for the contents of one body, which may be nil. around is the address of the block with the
// body.
func WalkIn(m *merge.Module, around Address, body *merge.MergedBody, visit func(own Address, inner *merge.MergedItem)) {
	if body != nil {
		walker{m, visit, (*merge.MergedBody).All}.walk(body, body.All(), around)
	}
}

// A walker visits items of a module in load order.
type walker struct {
	module  *merge.Module
	visit   func(own Address, item *merge.MergedItem)
	itemsOf func(*merge.MergedBody) []*merge.MergedItem // chooses the items to visit in a body
}

// walk visits items of body c and their contents. around is the address of the block with the body, empty for the
// top level. Items of one name that have no labels to tell them apart, such as moved blocks, get numbers if there
// are several.
func (w walker) walk(c *merge.MergedBody, items []*merge.MergedItem, around Address) {
	ordered := w.module.InLoadOrder(items)
	namesakes := map[string]int{} // how many such items have a name
	for _, item := range ordered {
		if item.Rule.Match == rules.ByPosition {
			namesakes[item.Key.Name]++
		}
	}
	seen := map[string]int{}
	for _, item := range ordered {
		own := addressIn(c, around, item)
		if namesakes[item.Key.Name] > 1 {
			own = own.At(seen[item.Key.Name])
			seen[item.Key.Name]++
		}
		if item.Rule.Do != rules.Flatten { // its items have addresses without it
			w.visit(own, item)
		}
		if item.Inner() != nil {
			w.walk(item.Inner(), w.itemsOf(item.Inner()), own)
		}
	}
}

// addressIn returns the address of an item of body c: aws_instance.web.ebs_block_device. around is the address of the
// block with the body; empty for the top level. Items whose addresses don't continue it, such as local.a, ignore it.
func addressIn(c *merge.MergedBody, around Address, item *merge.MergedItem) Address {
	if around.IsEmpty() || hasOwnPrefix(item.Rule) { // Of knows these addresses: aws_instance.web, local.a
		return Of(item)
	}
	if c.NeedsEscape(item) {
		around = around.Child(source.EscapeBlock) // the name alone means something else
	}
	own := around.Child(item.Key.Name)
	if item.Rule.Match != rules.ByPosition { // ID holds the labels of the block, if it has any, and not a position
		own = own.Join(Address{item.Key.ID})
	}
	return own
}

// Leading returns a cheap test of blocks for Module.AllOf. It returns false only if no pattern matches block i of a
// file or anything in it; true means that one may. It reads only the block's type and labels: with the pattern
// aws_instance.web.ami, it rules out all resources but aws_instance.web.
func (ps *Patterns) Leading(m *merge.Module) func(f *source.File, i int) bool {
	starts := map[string]*start{} // by type
	var labels [][]byte
	return func(f *source.File, i int) bool {
		typ := f.TypeOf(i)
		s := starts[typ]
		if s == nil {
			s = ps.startOf(m, typ)
			starts[typ] = s
		}
		if s.mayMatchAll {
			return true
		}
		if !s.hasLabels { // the address ends with the names of the type, such as terraform
			return len(s.progress) > 0
		}
		// Follow the labels one by one, from the match state after the names of the type.
		at := s.progress
		labels = f.LabelsOf(i, labels[:0])
		for n, label := range labels {
			if n == len(labels)-1 { // it only matters whether a pattern gets this far, not the state after it
				return ps.mayFollow(at, label)
			}
			if n == 0 { // the first of several labels, such as a type of resources, is cached, since many blocks share it
				at = s.afterLabel(ps, label)
			} else {
				at = ps.Follow(at, spelling.Named(string(label)))
			}
			switch {
			case len(at) == 0: // no pattern can match
				return false
			case ps.HasMatchAt(at): // a pattern matches something around the block
				return true
			}
		}
		return true // no labels
	}
}

// A start is what the type of a top-level block tells about whether patterns match it.
type start struct {
	progress    Progress // after the names that the addresses of the type start with
	hasLabels   bool     // which follow these names
	mayMatchAll bool     // a pattern may match, whatever the labels are
	// byLabel holds the states after a first label, which many blocks share.
	byLabel map[string]Progress
}

// afterLabel returns the match state after a block's first label.
func (s *start) afterLabel(ps *Patterns, label []byte) Progress {
	at, isKnown := s.byLabel[string(label)]
	if !isKnown {
		at = ps.Follow(s.progress, spelling.Named(string(label)))
		s.byLabel[string(label)] = at
	}
	return at
}

// startOf follows the names with which addresses of blocks of a type start, such as var for variable. Items in the
// blocks may have addresses that start otherwise, such as local.a in locals: if a pattern may match these, it may
// match in any block of the type.
func (ps *Patterns) startOf(m *merge.Module, typ string) *start {
	names, hasLabels, itemStarts, isKnown := m.Start(typ)
	s := &start{hasLabels: hasLabels, mayMatchAll: !isKnown, byLabel: map[string]Progress{}}
	// A pattern that gets through one of these beginnings, or goes on behind it, may match an item in any block.
	for _, itemStart := range itemStarts {
		at, isMatch := ps.followAll(ps.Start(), New(itemStart...))
		s.mayMatchAll = s.mayMatchAll || isMatch || len(at) > 0
	}
	at, isMatch := ps.followAll(ps.Start(), New(names...))
	s.progress = at
	// A ** after these names matches whatever follows.
	s.mayMatchAll = s.mayMatchAll || isMatch || slices.ContainsFunc(at, func(i int) bool { return ps.states[i].isDoubleStar })
	return s
}

// An AliasIndex holds the further addresses of items, by their own ones: a data block inside a check also has the
// address of a top-level data block.
type AliasIndex map[Address][]Address

// Add notes the aliases of item e, whose own address is own, and returns all its further addresses. The blocks
// around the item must have been added before: their aliases count, too.
func (x AliasIndex) Add(m *merge.Module, own Address, e *merge.MergedItem) (others []Address) {
	for _, alias := range m.Aliases(e) {
		x[own] = append(x[own], Address{alias})
	}
	return x.Of(own)
}

// Of lists the further addresses of an item: its own aliases, and for each alias of a block around it, that alias
// with the rest of own behind it.
func (x AliasIndex) Of(own Address) (others []Address) {
	if len(x) == 0 {
		return nil
	}
	// From the item outward: own itself, then the blocks around it.
	for around := own; !around.IsEmpty(); around = around.Parent() {
		for _, alias := range x[around] {
			rest, _ := own.In(around)
			others = append(others, alias.Join(rest))
		}
	}
	return others
}
