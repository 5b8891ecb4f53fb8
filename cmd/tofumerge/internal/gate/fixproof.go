package gate

import (
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/fix"
)

// A skippedFix is a finding whose remedy was not taken.
type skippedFix struct {
	check.Finding
	why string
}

// maxRounds is how often the module is looked at again: a fix may bring another finding
// to light.
const maxRounds = 20

// rounds applies fixes until nothing is left to fix. It returns the files that change and the
// module with them.
func (p *fixProof) rounds() (contents map[string][]byte, last *Inspection) {
	contents, last = p.in.Module.Source.Texts(), p.in
	maps.Copy(contents, p.open)
	for range maxRounds {
		next, known := p.round(last, contents)
		if next == nil {
			break
		}
		in, err := p.inspect(p.in.Subject, inputs{contents: next, known: known})
		if err != nil || in.Module == nil {
			break
		}
		contents, last = next, in
	}
	return contents, last
}

// round returns the files with the fixes of one round, and what engines make of them, or nil. Items
// without effect are removed first, because repetitions depend on the changes by overrides. Comments
// come last, because they name the overrides that are left.
func (p *fixProof) round(in *Inspection, contents map[string][]byte) (map[string][]byte, readings) {
	p.unfixed = nil
	if i := slices.IndexFunc(in.Found, func(f check.Finding) bool { return f.IsRefusal() }); i >= 0 {
		p.unfixed = []skippedFix{{in.Found[i], whyRefused}}
		return nil, nil
	}
	fixer := fix.New(in.Module, in.Found)
	var removals, repeats, marks []*fix.Fix
	for _, f := range in.Found {
		if p.wants != nil && !p.wants(f) {
			continue
		}
		switch made, why := fixer.Of(f); {
		case made == nil && why != "":
			p.leave(f, why)
		case made != nil && p.Fixing.Writes && fix.IsOffered(f.Rule):
			p.leave(f, whyOffered)
		case made == nil, !made.Repeats() && p.restored[f.Address]:
		case made.Marks():
			marks = append(marks, made)
		case made.Repeats():
			repeats = append(repeats, made)
		default:
			removals = append(removals, made)
		}
	}
	for _, list := range [][]*fix.Fix{removals, repeats, marks} {
		t := &trial{fixProof: p, in: in, fixer: fixer, contents: contents, most: p.most}
		if t.take(list); len(t.taken) > 0 {
			p.restore(t.taken)
			return t.contentsWith(t.taken), t.after
		}
	}
	return nil, nil
}

// restore notes what some fixes repeat as a whole.
func (p *fixProof) restore(taken []*fix.Fix) {
	if p.restored == nil {
		p.restored = map[address.Address]bool{}
	}
	for _, made := range taken {
		if fix.IsOffered(made.Finding.Rule) {
			p.restored[made.Finding.Address] = true
		}
	}
}

func (p *fixProof) leave(f check.Finding, why string) {
	if fix.IsFixable(f.Rule) {
		p.unfixed = append(p.unfixed, skippedFix{f, why})
	}
}
