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
// provisioner do; Find and Pattern.Match settle that.
type Address struct {
	text string // of the segments, as package segments writes it
}

// Parse returns the address written in a text. A block type at its start is replaced by the address
// prefix: variable.region is var.region. It refuses a text with an empty segment, and empty
// brackets.
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

// OfBlock returns the address of a top-level block's declaration.
func OfBlock(m *merge.Module, b *source.Block) Address { return Address{m.Address(b)} }

// InsideOf lists the addresses of a top-level block's items if they do not continue the block's
// address, like those of local values.
func InsideOf(m *merge.Module, b *source.Block) (list []Address) {
	for _, text := range m.OwnAddresses(b) {
		list = append(list, Address{text})
	}
	return list
}

// String returns the text of the address, which Parse reads. It is printable.
func (a Address) String() string { return a.text }

// Equal reports whether two addresses are the same.
func (a Address) Equal(b Address) bool { return a == b }

// Compare orders addresses by their texts.
func (a Address) Compare(b Address) int { return strings.Compare(a.text, b.text) }

// IsEmpty reports whether the address names nothing.
func (a Address) IsEmpty() bool { return a.text == "" }

// Child returns the address with names appended: without names a itself, for an empty address the
// path of names.
func (a Address) Child(names ...string) Address {
	return Address{spelling.ConcatPaths(a.text, spelling.JoinPath(names...))}
}

// At returns the address of one of several blocks that share a, or of an element; indexes start at
// 0.
func (a Address) At(index int) Address { return a.Step(spelling.At(index)) }

// Step returns the address with a segment appended.
func (a Address) Step(s spelling.Segment) Address { return Address{spelling.AppendPath(a.text, s)} }

// Join returns the address with the segments of another one appended.
func (a Address) Join(rest Address) Address { return Address{spelling.ConcatPaths(a.text, rest.text)} }

// Parent returns a without its last segment; of a single segment, no address.
func (a Address) Parent() Address {
	return Address{a.text[:max(0, lastStart(a.text))]}
}

// Last returns the last segment of an address as it is written without the others.
func (a Address) Last() string {
	return strings.TrimPrefix(a.text[max(0, lastStart(a.text)):], ".")
}

// lastStart is where the last segment starts, with the dot or the bracket.
func lastStart(text string) int {
	switch {
	case strings.HasSuffix(text, `"]`):
		return strings.LastIndex(text, `["`) // inside of quotes there is a backslash between the two
	case strings.HasSuffix(text, "]"):
		return strings.LastIndexByte(text, '[')
	}
	return strings.LastIndexByte(text, '.')
}

// Kind returns a up to its first index: the address shared by all blocks numbered there.
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

// In returns the rest of a after another address, empty for a itself. It reports whether a is the
// other address or inside it.
func (a Address) In(around Address) (Address, bool) {
	rest, ok := strings.CutPrefix(a.text, around.text)
	isIn := ok && (rest == "" || around.IsEmpty() || rest[0] == '.' || rest[0] == '[')
	return Address{strings.TrimPrefix(rest, ".")}, isIn
}

// Segments takes the address apart.
func (a Address) Segments() []spelling.Segment {
	parts := a.parts()
	list := make([]spelling.Segment, len(parts))
	for i, p := range parts {
		list[i] = p.Segment
	}
	return list
}

// parts are the segments as they are written; none of no address.
func (a Address) parts() []spelling.PathPart {
	if a.IsEmpty() {
		return nil
	}
	parts, _ := spelling.ReadPath(a.text) // it was written by the package
	return parts
}

// Dotted is the address with a dot between all names, whatever characters they contain, and indexes
// behind them: the spelling of addresses before names were quoted. It can be ambiguous.
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

// With returns the address with segments appended.
func (a Address) With(list []spelling.Segment) Address {
	for _, s := range list {
		a = a.Step(s)
	}
	return a
}

// longForms are other ways to start an address: the block type, where addresses
// start with something else, or with nothing.
var longForms = sync.OnceValue(func() map[string]string {
	forms := map[string]string{}
	for _, r := range rules.All() {
		around, _ := path.Split(r.Path)
		switch isTop := around == ""; {
		case isTop && r.Match == rules.ByLabels && len(r.Prefix) == 0:
			forms[r.Path] = ""
		case isTop && len(r.Prefix) > 0 && r.Prefix[0] != r.Path:
			forms[r.Path] = r.Prefix[0]
		case !isTop && namesItself(r):
			forms[strings.TrimSuffix(around, "/")] = r.Prefix[0]
		}
	}
	return forms
})

// shortened returns the parts of a text with the block type at their start replaced by the address
// prefix: var for variable, nothing for resource.
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

// Start is the prefix of the addresses of a type of blocks; nothing for resources, which start with
// their own type.
func Start(typ string) string {
	if short, ok := longForms()[typ]; ok {
		return short
	}
	return typ
}

// namesItself reports whether a rule's items have separate addresses, whatever block they are in,
// like local values.
func namesItself(r *rules.Rule) bool { return path.Base(r.Path) == "*" && len(r.Prefix) > 0 }

// A Target is the object that an address names: a merged item, items inside the blocks of one that
// is replaced as a whole, or a key or an element of an argument's value.
type Target struct {
	Address Address
	Item    *merge.MergedItem
	// Of is the merged item's own address, a prefix of Address.
	Of Address
	// Rest is the path from the item's blocks.
	Rest []spelling.Segment
	// Known keeps the parts of arguments that are read; nil keeps nothing.
	Known Known
}

// Known are the parts of arguments that were read, each once.
type Known map[*source.Attr]*parts.Value

func (known Known) of(a *source.Attr) *parts.Value {
	v := known[a]
	if v == nil {
		v = parts.Of(a)
		if known != nil && len(v.Parts) > 0 {
			known[a] = v
		}
	}
	return v
}

// IsWhole reports whether the target is a merged item as a whole.
func (t Target) IsWhole() bool { return len(t.Rest) == 0 }

// Exists reports whether the target names anything in any layer.
func (t Target) Exists() bool {
	return len(t.Effective()) > 0 || slices.ContainsFunc(t.Item.Steps, func(s merge.Step) bool {
		return s.Item != nil && len(t.In(s.Item)) > 0
	})
}

// Effective lists the effective items that the target names.
func (t Target) Effective() []source.Item {
	return t.Known.pick(t.Item.Live, t.Rest)
}

// In lists the items that the target names inside one item of the merged item's history, whether or
// not it is in effect. An index at the start numbers the blocks that came together: those of the primary
// files, or of a block in an override file.
func (t Target) In(it source.Item) []source.Item {
	rest := t.Rest
	if _, isBlock := it.(*source.Block); len(rest) > 0 && rest[0].IsIndex() && (isBlock || len(t.Item.Live) > 1) {
		if !t.isNumber(it) {
			return nil
		}
		rest = rest[1:]
	}
	if found := t.Known.pick([]source.Item{it}, rest); len(found) > 0 {
		return found
	}
	if a := t.Known.unclear([]source.Item{it}, rest); a != nil {
		return []source.Item{a}
	}
	return nil
}

// isNumber reports whether an item has the target's index among those that came together. Blocks replace
// all earlier ones, so one in effect that has no counterpart among fewer of them has the last.
func (t Target) isNumber(it source.Item) bool {
	place, last := 0, -1
	for _, s := range t.Item.Steps {
		if s.Item != nil && merge.ShareLayer(s.Item, it) {
			if last++; s.Item == it {
				place = last
			}
		}
	}
	index := t.Rest[0].Index
	return place == index || len(t.Rest) == 1 && index < len(t.Item.Live) && place == last && last < index
}

// Unclear returns the effective argument for which only the engine knows whether it has the part
// that the target names; nil if the files decide it.
func (t Target) Unclear() *source.Attr {
	if len(t.Effective()) > 0 {
		return nil
	}
	return t.Known.unclear(t.Item.Live, t.Rest)
}

// unclear returns the first argument on the way along segments whose parts nothing but its
// evaluation shows.
func (known Known) unclear(items []source.Item, rest []spelling.Segment) *source.Attr {
	for n := range rest {
		for _, it := range known.pick(items, rest[:n]) {
			a, ok := it.(*source.Attr)
			if !ok {
				continue
			}
			v := known.of(a)
			if p := v.Part(rest[n]); p == nil && !v.IsAll || p != nil && !p.IsSure {
				return a
			}
		}
	}
	return nil
}

// pick follows segments from items: an index, the labels of a block, the name of
// something in it, a key, an element. An index that is left out means every element.
func (known Known) pick(items []source.Item, rest []spelling.Segment) []source.Item {
	if len(rest) == 0 || len(items) == 0 {
		return items
	}
	var found, labelled []source.Item
	after := rest[1:]
	for _, it := range items {
		switch it := it.(type) {
		case *source.Attr:
			found = append(found, known.inValue(it, rest[0])...)
		case *source.Block:
			if n := labelsLead(it, rest); n > 0 {
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
	switch {
	case len(labelled) > 0:
		found = labelled
	case len(found) == 0 && rest[0].IsIndex() && rest[0].Index < len(items) && (!isAttr || len(items) > 1): // or it means an element
		found = items[rest[0].Index : rest[0].Index+1]
	}
	return known.pick(found, after)
}

// inValue is the part of an argument's value for a segment.
func (known Known) inValue(a *source.Attr, s spelling.Segment) (found []source.Item) {
	v := known.of(a)
	if p := v.Part(s); p != nil && p.IsSure {
		return []source.Item{p.Value}
	}
	if !v.IsList || s.IsIndex() {
		return nil
	}
	for _, p := range v.Parts {
		found = append(found, known.inValue(p.Value, s)...)
	}
	return found
}

// labelsLead is how many segments a block's labels are, 0 if they are not those.
func labelsLead(b *source.Block, rest []spelling.Segment) int {
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

// Walk visits the items that overrides addressed, and their neighbours, each with its address: in
// load order, each before its contents.
func Walk(m *merge.Module, visit func(own Address, item *merge.MergedItem)) {
	w := walker{m, visit, func(c *merge.MergedBody) []*merge.MergedItem { return c.Items }}
	w.walk(m.Root, m.Root.Items, Address{})
}

// WalkOne visits an item of the top level so, and those that it holds. Where items of its kind have
// numbers, WalkOne reports false.
func WalkOne(m *merge.Module, top *merge.MergedItem, visit func(own Address, item *merge.MergedItem)) bool {
	if top.Rule.Match == rules.ByPosition {
		return false
	}
	w := walker{m, visit, func(c *merge.MergedBody) []*merge.MergedItem { return c.Items }}
	w.walk(m.Root, []*merge.MergedItem{top}, Address{})
	return true
}

// WalkAll visits every item so.
func WalkAll(m *merge.Module, visit func(own Address, item *merge.MergedItem)) {
	walker{m, visit, (*merge.MergedBody).All}.walk(m.Root, m.All(), Address{})
}

// WalkSome visits every item so of the blocks that overrides may address, and of those others
// that are wanted.
func WalkSome(
	m *merge.Module, wants func(f *source.File, i int) bool, visit func(own Address, item *merge.MergedItem),
) {
	walker{m, visit, (*merge.MergedBody).All}.walk(m.Root, m.AllOf(wants), Address{})
}

// WalkChosen visits the items of wanted blocks alone, whether overrides may address them or not, and of each
// body the items that a function chooses.
func WalkChosen(
	m *merge.Module, wants func(f *source.File, i int) bool,
	choose func(*merge.MergedBody) []*merge.MergedItem, visit func(own Address, item *merge.MergedItem),
) {
	isOther := func(e *merge.MergedItem) bool {
		return !slices.ContainsFunc(e.Steps, func(s merge.Step) bool {
			top := source.Top(s.Item)
			return wants(top.File, top.File.IndexOf(top))
		})
	}
	walker{m, visit, choose}.walk(m.Root, slices.DeleteFunc(slices.Clone(m.AllOf(wants)), isOther), Address{})
}

// WalkIn visits every item of a body, which belongs to a block with an address; nil holds none.
func WalkIn(m *merge.Module, around Address, body *merge.MergedBody, visit func(own Address, inner *merge.MergedItem)) {
	if body != nil {
		walker{m, visit, (*merge.MergedBody).All}.walk(body, body.All(), around)
	}
}

// A walker visits items in the order in which the files were loaded.
type walker struct {
	module *merge.Module
	visit  func(own Address, item *merge.MergedItem)
	items  func(*merge.MergedBody) []*merge.MergedItem
}

// walk visits items of a body, which a block holds that has an address; the top level
// is held by none.
func (w walker) walk(c *merge.MergedBody, items []*merge.MergedItem, around Address) {
	ordered := w.module.InLoadOrder(items)
	same := map[string]int{}
	for _, item := range ordered {
		if item.Rule.Match == rules.ByPosition {
			same[item.Key.Name]++
		}
	}
	seen := map[string]int{}
	for _, item := range ordered {
		own := addressIn(c, around, item)
		if same[item.Key.Name] > 1 {
			own = own.At(seen[item.Key.Name])
			seen[item.Key.Name]++
		}
		if item.Rule.Do != rules.Flatten { // its items have addresses without it
			w.visit(own, item)
		}
		if item.Inner() != nil {
			w.walk(item.Inner(), w.items(item.Inner()), own)
		}
	}
}

// addressIn returns the address of an item of a body inside a block that has one itself.
func addressIn(c *merge.MergedBody, around Address, item *merge.MergedItem) Address {
	if around.IsEmpty() || namesItself(item.Rule) {
		return Of(item)
	}
	if c.NeedsEscape(item) {
		around = around.Child(source.EscapeBlock) // the name alone means something else
	}
	own := around.Child(item.Key.Name)
	if item.Rule.Match != rules.ByPosition {
		own = own.Join(Address{item.Key.ID})
	}
	return own
}

// Leading returns a function that reports whether a pattern may match a top-level block of a
// module, or something in it. If it reports false, none does. It reads the headers of blocks alone,
// which takes next to no time and memory, and rules out most blocks.
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
		if s.isSure || !s.hasLabels {
			return s.isSure || len(s.at) > 0
		}
		at := s.at
		labels = f.LabelsOf(i, labels[:0])
		for n, label := range labels {
			switch n {
			case len(labels) - 1:
				return ps.mayFollow(at, label)
			case 0:
				at = s.first(ps, label)
			default:
				at = ps.Follow(at, spelling.Named(string(label)))
			}
			if len(at) == 0 || ps.AreAt(at) {
				return len(at) > 0
			}
		}
		return true
	}
}

// A start is what the type of a top-level block reveals about its address.
type start struct {
	at        Progress // after the names that the addresses of the type start with
	hasLabels bool     // which follow these names
	isSure    bool     // a pattern may match, whatever the labels are
	// firsts are the states after a first label, which many blocks share.
	firsts map[string]Progress
}

func (s *start) first(ps *Patterns, label []byte) Progress {
	at, isKnown := s.firsts[string(label)]
	if !isKnown {
		at = ps.Follow(s.at, spelling.Named(string(label)))
		s.firsts[string(label)] = at
	}
	return at
}

func (ps *Patterns) startOf(m *merge.Module, typ string) *start {
	names, hasLabels, own, isKnown := m.Start(typ)
	s := &start{hasLabels: hasLabels, isSure: !isKnown, firsts: map[string]Progress{}}
	for _, names := range own {
		at, isMatch := ps.follow(ps.Start(), New(names...))
		s.isSure = s.isSure || isMatch || len(at) > 0
	}
	at, isMatch := ps.follow(ps.Start(), New(names...))
	s.at = at
	s.isSure = s.isSure || isMatch || slices.ContainsFunc(at, func(i int) bool { return ps.states[i].isAny })
	return s
}

// An AliasIndex holds the further addresses of items by their own ones: of items that a rule lets
// top-level blocks address from elsewhere.
type AliasIndex map[Address][]Address

// Add adds the aliases of an item of a module, and lists its further addresses. Those of the blocks
// around it must have been added before.
func (x AliasIndex) Add(m *merge.Module, own Address, e *merge.MergedItem) (others []Address) {
	for _, alias := range m.Aliases(e) {
		x[own] = append(x[own], Address{alias})
	}
	return x.Of(own)
}

// Of lists the further addresses of an item, from its own aliases and those of the blocks around it.
func (x AliasIndex) Of(own Address) (others []Address) {
	if len(x) == 0 {
		return nil
	}
	for around := own; !around.IsEmpty(); around = around.Parent() {
		for _, alias := range x[around] {
			rest, _ := own.In(around)
			others = append(others, alias.Join(rest))
		}
	}
	return others
}
