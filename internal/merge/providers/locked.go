package providers

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/zclconf/go-cty/cty"
)

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
		address := strings.ToLower(l.Source)
		if byAddress[address] == nil {
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
func (p *Provider) Unmet() []Constraint {
	if p.Status != NotMet {
		return nil
	}
	var list []Constraint
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
			if language.HasModuleSource(m.Source.Engine, string(f.TypeOf(i))) {
				return true
			}
		}
	}
	return false
}
