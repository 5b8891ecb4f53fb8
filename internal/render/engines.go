package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// EnginesDiffer is the summary of warnings that something does not mean the same
// to two engines.
const EnginesDiffer = "Engines differ"

// A Reading is a module as one engine reads it, and what that has to say. All
// trees must have been loaded.
type Reading struct {
	Module *merge.Module
	Diags  hcl.Diagnostics
}

// Engine is the engine that reads.
func (r Reading) Engine() load.Engine { return r.Module.Source.Engine }

// Refusals are the reasons for which the engine refuses the module, when it loads
// it or later.
func (r Reading) Refusals() hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(r.Diags), func(d *hcl.Diagnostic) bool {
		isLate := d.Summary == load.IncompatibleModule || d.Summary == load.NoRegistrySource
		return d.Severity != hcl.DiagError && !isLate
	})
}

// A Difference is a name that does not mean the same to two engines.
type Difference struct {
	Address string
	Sides   [2]Side
	tellers [2]teller
	around  [][2]*merge.Entry
}

// A Side is what a name is to one engine.
type Side struct {
	// Items are what is in effect, nothing where the name is not.
	Items []load.Item
	// Assumed is what the engine takes for granted where the item does not say it.
	Assumed string
	passed  []load.Item // are there, but do not count
	entry   *merge.Entry
	words   string
}

// Differences lists the names that do not mean the same to two engines that both
// take the module, in load order: of a block that only one of them has, the block.
// Version constraints on the engine itself count where an override file has one.
func Differences(a, b Reading) []Difference {
	guarded := overridesGuard(a.Module) || overridesGuard(b.Module)
	first, second := sidesOf(a.Module, guarded), sidesOf(b.Module, guarded)
	tellers := [2]teller{{module: a.Module.Source}, {module: b.Module.Source}}
	var list []Difference
	told, gone := map[string]bool{}, map[string]bool{}
	for _, address := range append(first.order, second.order...) {
		d := Difference{Address: address, Sides: [2]Side{*first.side(address), *second.side(address)}, tellers: tellers}
		if d.isSame() || told[address] || isInside(address, gone) {
			continue
		}
		told[address] = true
		d.around = around(address, first, second)
		gone[address] = len(d.Sides[0].Items)*len(d.Sides[1].Items) == 0
		list = append(list, d)
	}
	return list
}

// isInside tells whether an address is that of something inside one of others.
func isInside(address string, others map[string]bool) bool {
	for i := range address {
		if address[i] == '.' && others[address[:i]] {
			return true
		}
	}
	return false
}

func (d Difference) isSame() bool {
	return d.Sides[0].words == d.Sides[1].words && d.Sides[0].Assumed == d.Sides[1].Assumed
}

// sides are what the names of a module are to its engine.
type sides struct {
	order []string
	known map[string]*Side
}

func (s *sides) side(address string) *Side {
	if known := s.known[address]; known != nil {
		return known
	}
	return &Side{}
}

// sidesOf lists the names in effect. What has no address of its own shares that of
// its kind.
func sidesOf(m *merge.Module, guarded bool) *sides {
	m.Complete()
	s := &sides{known: map[string]*Side{}}
	merge.Walk(m, func(address string, e *merge.Entry) {
		if !e.In() || e.Rule.IsGuard() && !guarded {
			return
		}
		if e.Rule.Match == merge.Never {
			address, _, _ = strings.Cut(address, "[")
		}
		s.add(address, e)
	})
	return s
}

func (s *sides) add(address string, e *merge.Entry) {
	side := s.known[address]
	if side == nil {
		side = &Side{entry: e}
		s.order = append(s.order, address)
		s.known[address] = side
	}
	if e.Rule.Hollow {
		return // what it holds is told by itself
	}
	for _, it := range e.Live {
		if e.Rule.TofuOnly && !it.Source().Tofu {
			side.passed = append(side.passed, it)
			continue
		}
		if e.Rule.IsVoid(it) {
			continue
		}
		side.Items = append(side.Items, it)
		side.words += "\n"
		if e.Inner == nil {
			side.words += wordsOf(e, it)
		}
		if assumed := e.Rule.Assumed(it); assumed != "" {
			side.Assumed = assumed
		}
	}
}

// overridesGuard tells whether an override file has a version constraint on the
// engine itself.
func overridesGuard(m *merge.Module) bool {
	found := false
	merge.Walk(m, func(_ string, e *merge.Entry) {
		found = found || e.Rule.IsGuard() && e.IsOverridden()
	})
	return found
}

// place is the item that the difference is best told at, and the side it is from:
// one of an override file if there is one.
func (d Difference) place() (load.Item, int) {
	var best load.Item
	from := 0
	for i, s := range d.Sides {
		for _, it := range s.Items {
			if best == nil || load.IsOverride(it) && !load.IsOverride(best) {
				best, from = it, i
			}
		}
	}
	return best, from
}

// Notes say of items of one side what the configuration that is printed of it does
// not: what the engine takes for granted about them, and that they do not count.
func (d Difference) Notes(i int) []string {
	var notes []string
	for _, it := range d.Sides[i].Items {
		if assumed := d.Sides[i].entry.Rule.Assumed(it); assumed != "" {
			notes = append(notes, placeText(it)+" is taken to have "+assumed)
		}
	}
	for _, it := range d.Sides[i].passed {
		notes = append(notes, placeText(it)+" does not count")
	}
	return notes
}

// words say what a name is to one engine.
func (d Difference) words(i int) string {
	s, engine := d.Sides[i], d.tellers[i].module.Engine
	if len(s.Items) == 0 {
		return fmt.Sprintf("to %s nothing is in effect", engine)
	}
	var parts []string
	for _, it := range s.Items {
		part := fmt.Sprintf("%s at %s", d.tellers[i].inEffect(s.entry, it), placeText(it))
		if assumed := s.entry.Rule.Assumed(it); assumed != "" {
			part += " (taken to have " + assumed + ")"
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("to %s it is %s", engine, some(parts, ", "))
}

// Diagnostic is a warning that tells of the difference, and which of the modules
// it has its place in.
func (d Difference) Diagnostic() (warning *hcl.Diagnostic, side int) {
	it, side := d.place()
	detail := fmt.Sprintf("%s: %s; %s.", load.Escape(d.Address), d.words(0), d.words(1))
	if why := d.Why(); why != "" {
		detail += " " + why
	}
	return &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: EnginesDiffer, Detail: detail, Subject: it.Header().Ptr()}, side
}

// Why words the rules of the two engines where those differ and an override came
// under them: rules of the name itself, else of the innermost block around it.
func (d Difference) Why() string {
	for _, pair := range d.around {
		a, b := pair[0], pair[1]
		if a.Rule != b.Rule && (a.IsOverridden() || b.IsOverridden()) {
			return fmt.Sprintf("%s: %s %s: %s", a.Rule.Releases(), a.Rule.Why, b.Rule.Releases(), b.Rule.Why)
		}
	}
	return ""
}

// around lists the entries of a name and of the blocks around it, the innermost
// first, that both sides have.
func around(address string, first, second *sides) [][2]*merge.Entry {
	var list [][2]*merge.Entry
	for at := len(address); at >= 0; at = strings.LastIndexByte(address[:at], '.') {
		if a, b := first.known[address[:at]], second.known[address[:at]]; a != nil && b != nil {
			list = append(list, [2]*merge.Entry{a.entry, b.entry})
		}
	}
	return list
}

// A DifferenceRecord is a name that does not mean the same to two engines.
type DifferenceRecord struct {
	Address string       `json:"address"`
	Sides   []SideRecord `json:"sides"` // of the one engine and of the other
}

// A SideRecord is what a name is to one engine.
type SideRecord struct {
	Engine    string       `json:"engine"`
	Effective []ItemRecord `json:"effective"`
	// Assumed is what the engine takes for granted where the items do not say it.
	Assumed string      `json:"assumed,omitempty"`
	Rule    *RuleRecord `json:"rule"` // null where the name is not there
}

// Record records the difference.
func (d Difference) Record() DifferenceRecord {
	rec := DifferenceRecord{Address: d.Address}
	for i, s := range d.Sides {
		side := SideRecord{Engine: d.tellers[i].module.Engine.String(), Effective: []ItemRecord{}, Assumed: s.Assumed}
		for _, it := range s.Items {
			side.Effective = append(side.Effective, d.tellers[i].item(it, false))
		}
		if s.entry != nil {
			side.Rule = &RuleRecord{s.entry.Rule.Path, s.entry.Rule.Why, s.entry.Rule.Releases()}
		}
		rec.Sides = append(rec.Sides, side)
	}
	return rec
}

// NoFiles is the reading of an engine that reads none of the files that the other
// one does.
func NoFiles(other Reading, e load.Engine) Reading {
	why := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "No configuration files", Detail: readsNothing(e)}
	empty := &load.Module{Dir: other.Module.Source.Dir, Engine: e}
	return Reading{Module: &merge.Module{Source: empty}, Diags: hcl.Diagnostics{why}}
}

func readsNothing(e load.Engine) string {
	return fmt.Sprintf("%s reads none of the files of this module.", e)
}

// NoReading is the finding that an engine reads none of the files of a module.
func NoReading(a Reading, other load.Engine) merge.Finding {
	rule := merge.FindCheckRule("engines-differ")
	at := hcl.Range{Filename: a.Module.Source.Files[0].Name}
	return merge.Finding{Rule: rule, Severity: rule.Severity, Range: at, Summary: rule.Title + ".", Message: readsNothing(other)}
}

// EngineFindings are those of check about two readings of a module: that only one engine
// takes it, or what does not mean the same to both.
func EngineFindings(a, b Reading) []merge.Finding {
	rule := merge.FindCheckRule("engines-differ")
	var list []merge.Finding
	note := func(d *hcl.Diagnostic, message string) {
		list = append(list, merge.Finding{Rule: rule, Severity: rule.Severity, Range: *d.Subject, Summary: rule.Title + ".", Message: message})
	}
	if mine, others := a.Refusals(), b.Refusals(); len(mine)+len(others) > 0 {
		if len(mine) == 0 {
			for _, d := range others {
				note(d, fmt.Sprintf("%s refuses the module, %s does not: %s: %s", b.Engine(), a.Engine(), d.Summary, d.Detail))
			}
		}
		return list
	}
	for _, difference := range Differences(a, b) {
		d, side := difference.Diagnostic()
		[]Reading{a, b}[side].Module.Source.Places(hcl.Diagnostics{d})
		note(d, d.Detail)
	}
	return list
}
