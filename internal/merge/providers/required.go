// Package providers finds which providers the effective configuration of a module needs, which
// versions of them it allows and which blocks decide that, and compares them with the lock file.
//
// Modules that it calls, and its tests, may need others, and allow fewer versions.
package providers

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/zclconf/go-cty/cty"
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
		needs, known := wanted[typ]
		if !known {
			shape, isShape := f.root.Block(typ)
			needs = isShape && language.NeedsProvider(typ, shape)
			wanted[typ] = needs
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
func (f *finder) needsNoMore(text []byte, typ string) bool {
	label, isQuoted := bytes.CutPrefix(bytes.TrimLeft(text[len(typ):], " \t"), []byte(`"`))
	end := bytes.IndexAny(label, `_"\`)
	if !isQuoted || end < 0 || label[end] == '\\' || f.byName[string(label[:end])] == nil {
		return false
	}
	return !language.MayNameProvider(text)
}

// list brings the local names of one provider together.
func (f *finder) list() (list []*requirement) {
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

// A Status describes how a provider in the lock file fits the module's requirement.
type Status string

// The statuses.
const (
	Met         Status = "met"          // the locked version meets all constraints
	NotMet      Status = "not_met"      // it doesn't meet one
	Undecided   Status = "undecided"    // the version, a constraint or a file can't be read
	NotLocked   Status = "not_locked"   // the module needs it
	NotRequired Status = "not_required" // the module itself doesn't need it
)

// A Provider is one that is in the lock file, or needed, or both.
type Provider struct {
	Source      string
	Status      Status
	Requirement *requirement // nil if the module itself doesn't need it
	Locked      bool
	Version     *version.Version // nil if none is locked, or it can't be read
	Range       hcl.Range        // in the lock file
	// LockedFor is the product whose registry the lock file names instead of Source's, otherwise
	// empty. Version and Range are then about that provider.
	LockedFor engine.Product
}

// A LockedProvider is a provider in a lock file.
type LockedProvider struct {
	Source string // its source address with the host in front
	// Version is nil if it is missing or malformed.
	Version *version.Version
	Range   hcl.Range // of the type and the label
}

// Locked reads the lock file of a module's directory, as far as it can be parsed. The diagnostics
// report syntax errors; the error is about the file itself.
func Locked(m *load.Module, limit int64) ([]LockedProvider, hcl.Diagnostics, error) {
	switch {
	case m.From != nil:
		return lockedIn(m.From.Read(load.LockName, min(limit, input.MaxLockSize)))
	case limit > input.MaxLockSize:
		return lockedIn(input.Read(filepath.Join(m.Dir, load.LockName), input.MaxLockSize))
	}
	return lockedIn(input.Read(filepath.Join(m.Dir, load.LockName), limit))
}

// lockedIn are the providers in the text of a lock file.
func lockedIn(src []byte, err error) ([]LockedProvider, hcl.Diagnostics, error) {
	if err != nil {
		return nil, nil, err
	}
	body, diags := limits.Parse(src, load.LockName)
	if body == nil {
		return nil, nil, limits.ErrTooDeep
	}
	var list []LockedProvider
	for _, b := range body.Blocks {
		if b.Type == "provider" && len(b.Labels) == 1 {
			list = append(list, LockedProvider{b.Labels[0], lockedVersion(b.Body), b.DefRange()})
		}
	}
	return list, diags, nil
}

// lockedVersion is the version in a block of a lock file, or nil.
func lockedVersion(body *hclsyntax.Body) *version.Version {
	attr := body.Attributes["version"]
	if attr == nil {
		return nil
	}
	value, diags := limits.Evaluate(attr.Expr)
	if diags.HasErrors() || value.IsNull() || value.Type() != cty.String {
		return nil
	}
	v, _ := version.NewVersion(value.AsString())
	return v
}

// Compare compares the module's requirements with the lock file, provider by provider in the order
// of their addresses.
func Compare(m *merge.Module, locked []LockedProvider) []Provider {
	byAddress := map[string]*Provider{}
	unneeded := NotRequired
	if isPartial(m) {
		unneeded = Undecided
	}
	for _, l := range locked {
		if address := strings.ToLower(l.Source); byAddress[address] == nil {
			byAddress[address] = &Provider{Source: address, Status: unneeded, Locked: true, Version: l.Version, Range: l.Range}
		}
	}
	for _, r := range Required(m) {
		if p := byAddress[r.Source]; p != nil {
			p.Requirement, p.Status = r, r.status(p.Version)
			continue
		}
		p := &Provider{Source: r.Source, Status: NotLocked, Requirement: r}
		if other := ofOther(r.Source, m.Source.Engine.Product, byAddress); other != nil {
			p.LockedFor, p.Version, p.Range = productOf(other.Source), other.Version, other.Range
			delete(byAddress, other.Source)
		}
		byAddress[r.Source] = p
	}
	list := make([]Provider, 0, len(byAddress))
	for _, p := range byAddress {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Provider) int { return strings.Compare(a.Source, b.Source) })
	return list
}

// Unmet lists the constraints that the locked version does not meet.
func (p *Provider) Unmet() (list []Constraint) {
	if p.Status != NotMet {
		return nil
	}
	for _, c := range p.Requirement.Constraints {
		if !c.isMetBy(p.Version) {
			list = append(list, c)
		}
	}
	return list
}

// isMetBy reports whether a version meets the constraint, or it can't be read.
func (c *Constraint) isMetBy(v *version.Version) bool {
	return c.Versions == nil || c.Versions.Check(v)
}

// status describes how a locked version fits.
func (r *requirement) status(locked *version.Version) Status {
	status := Met
	for _, c := range r.Constraints {
		switch {
		case locked == nil || c.Versions == nil:
			status = Undecided
		case !c.isMetBy(locked):
			return NotMet
		}
	}
	if locked == nil {
		status = Undecided
	}
	return status
}

// ofOther is the provider locked instead of the given one, from the registry of another product,
// and otherwise not required; or nil.
func ofOther(address string, own engine.Product, locked map[string]*Provider) *Provider {
	rest, isOwn := strings.CutPrefix(address, own.Registry()+"/")
	for _, other := range engine.Products() {
		if p := locked[other.Registry()+"/"+rest]; isOwn && p != nil && p.Requirement == nil {
			return p
		}
	}
	return nil
}

// productOf is the product whose registry an address names, or "".
func productOf(address string) engine.Product {
	for _, p := range engine.Products() {
		if strings.HasPrefix(address, p.Registry()+"/") {
			return p
		}
	}
	return ""
}

// isPartial reports whether a file can't be read, so that its requirements are unknown.
func isPartial(m *merge.Module) bool {
	return slices.ContainsFunc(m.Source.Files, func(f *source.File) bool { return f.Broken })
}

// Calls reports whether a module calls others, which may need providers as well.
func Calls(m *merge.Module) bool {
	for _, f := range m.Source.Files {
		for i := range f.Len() {
			if language.HasModuleSource(m.Source.Engine, f.TypeOf(i)) {
				return true
			}
		}
	}
	return false
}
