package providers

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A requirement is a provider that a module needs.
type requirement struct {
	Source      string   // its address with the host in front
	Names       []string // its local names, in the order in which they were found
	Constraints []Constraint
	// By is the item that needs it: its first entry of required_providers, or else the first block
	// that implies it.
	By      source.Item
	Address string // of By, or of the top-level block around it
	// IsImplied is set if there is no entry.
	IsImplied bool
}

// A Constraint is a version constraint on a provider that is in effect.
type Constraint struct {
	Text string // as the file has it
	// Versions is nil if the text isn't a constraint.
	Versions version.Constraints
	Item     *source.Attr // what sets it
}

// Required lists the providers that a merged module needs, by their addresses, but for those
// that are part of the engine.
func Required(m *merge.Module) []*requirement {
	f := &finder{m: m, root: language.Of(m.Source.Engine), byName: map[string]*requirement{}}
	all := m.Root.All()
	for _, e := range all {
		f.entries(e)
	}
	for _, e := range all {
		f.merged(f.root, e)
	}
	f.alone()
	return f.list()
}

// A finder finds the providers of a module by their local names.
type finder struct {
	m      *merge.Module
	root   *language.BodyShape
	byName map[string]*requirement
	names  []string
}

// need notes that an item needs the provider of a local name, with a source address that is empty
// if nothing sets it. own is the address of the item.
func (f *finder) need(name, given string, by source.Item, own string) *requirement {
	r := f.byName[name]
	if r == nil {
		r = &requirement{
			Source:  load.ProviderAddress(name, given, f.m.Source.Engine),
			Names:   []string{name},
			By:      by,
			Address: own,

			IsImplied: true,
		}
		f.byName[name] = r
		f.names = append(f.names, name)
	}
	return r
}

// entries finds the entries of required_providers in effect that a merged item holds.
func (f *finder) entries(top *merge.MergedItem) {
	address.WalkIn(f.m, address.Of(top), top.Inner(), func(own address.Address, e *merge.MergedItem) {
		a := e.Attr()
		if a == nil || !load.IsRequirement(a) {
			return
		}
		need := load.DecodeRequirement(a)
		r := f.need(a.Name, need.Source, a, own.String())
		r.IsImplied = false
		if need.Version != "" {
			r.Constraints = append(r.Constraints, Constraint{need.Version, need.Constraint, a})
		}
	})
}

// merged finds the requirements of a block whose tree is in memory, and of blocks in it.
func (f *finder) merged(around *language.BodyShape, e *merge.MergedItem) {
	if len(e.Live) == 0 {
		return
	}
	b, isBlock := e.Live[0].(*source.Block)
	if !isBlock {
		return
	}
	shape, isKnown := around.Inner(b)
	if !isKnown {
		return
	}
	f.block(b, shape, func(name string) *source.Attr { return argument(e, b, name) })
	if e.Inner() != nil {
		for _, inner := range e.Inner().All() {
			f.merged(shape.Body, inner)
		}
	}
}

// argument is the argument of a name in effect in a merged block, or nil.
func argument(e *merge.MergedItem, b *source.Block, name string) *source.Attr {
	if e.Inner() == nil {
		return b.Attr(name)
	}
	for _, inner := range e.Inner().All() {
		if a := inner.Attr(); a != nil && a.Name == name {
			return a
		}
	}
	return nil
}

// block records the requirement of one block.
func (f *finder) block(b *source.Block, shape language.BlockShape, arg func(string) *source.Attr) {
	name, by := language.NeededProvider(b, shape, arg)
	if name == "" {
		return
	}
	r := f.need(name, "", by, f.m.Address(source.Top(b)))
	if v := language.ProviderVersion(b, shape, arg); v != nil {
		text, isText := constant.String(v)
		if !isText {
			text = string(v.File.Text(v.Value()))
		}
		r.constrain(text, isText, v)
	}
}

// constrain adds a constraint, which is malformed unless it is a text.
func (r *requirement) constrain(text string, isText bool, by *source.Attr) {
	c := Constraint{Text: text, Item: by}
	if isText {
		c.Versions, _ = version.NewConstraint(text)
	}
	r.Constraints = append(r.Constraints, c)
}

// alone finds what blocks need that no override addresses.
func (f *finder) alone() {
	wanted := map[string]bool{}
	f.m.EachAlone(func(file *source.File, i int) {
		if file.Broken {
			return
		}
		typ := file.TypeOf(i)
		needs, known := wanted[string(typ)]
		if !known {
			shape, isShape := f.root.Block(string(typ))
			needs = isShape && language.NeedsProvider(string(typ), shape)
			wanted[string(typ)] = needs
		}
		if needs && !f.needsNoMore(file.TextOf(i), typ) {
			b := file.Block(i)
			shape, _ := f.root.Inner(b)
			f.block(b, shape, b.Attr)
		}
	})
}

// needsNoMore reports whether the text of a block shows at once that it needs no other provider
// than those that were found: its first label implies one of them, and it has no argument
// called provider.
func (f *finder) needsNoMore(text, typ []byte) bool {
	label, isQuoted := bytes.CutPrefix(bytes.TrimLeft(text[len(typ):], " \t"), []byte(`"`))
	end := bytes.IndexAny(label, `_"\`)
	if !isQuoted || end < 0 || label[end] == '\\' || f.byName[string(label[:end])] == nil {
		return false
	}
	return !language.MayNameProvider(text)
}

// list brings the local names of one provider together.
func (f *finder) list() []*requirement {
	var list []*requirement
	bySource := map[string]*requirement{}
	for _, name := range f.names {
		r := f.byName[name]
		switch known := bySource[r.Source]; {
		case load.IsBuiltIn(r.Source):
		case known == nil:
			bySource[r.Source] = r
			list = append(list, r)
		default:
			known.Names = append(known.Names, r.Names...)
			known.Constraints = append(known.Constraints, r.Constraints...)
		}
	}
	slices.SortFunc(list, func(a, b *requirement) int { return cmp.Compare(a.Source, b.Source) })
	return list
}
