package check

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
)

// Findings made from diagnostics about a module.

// rulesOfCodes maps the codes of diagnostics to rules; other diagnostics are errors of the merge,
// or undecided cases.
var rulesOfCodes = map[diag.Code]*Rule{
	diag.NoEffect:            noEffect,
	computed.DefaultsIgnored: noEffect,
	merge.Conflicting:        countForEachConflict,
	merge.Contradictory:      countForEachConflict,
	merge.Clearing:           blockReplaceDropsArguments,
	merge.MayDrop:            blockReplaceDropsBlocks,
	merge.DestroyTime:        unnoticedConflict,
	diag.ConstSecret:         unnoticedConflict,
	diag.InitRefuses:         unnoticedConflict,
	diag.Unreadable:          unreadable,
	diag.OddBytes:            oddBytes,
	diag.InvalidConstraint:   invalidVersionConstraint,
	diag.NoRegistrySource:    moduleVersionWithLocalSource,
	diag.UnknownBlock:        mergeError,
	diag.IncompatibleModule:  mergeError,
}

// addDiagnostic adds the finding that a diagnostic stands for, if any, with the address of the item there.
func (f *findings) addDiagnostic(d *hcl.Diagnostic) {
	x, ok := findingOf(f.m.Source, d)
	if !ok {
		return
	}
	if it := load.ItemAt(f.m.Source, *d.Subject); it != nil {
		x.Address, x.Item = f.names[it].address, f.names[it].item
	}
	// Earlier versions reported this as undecided, and so do runs in which its own rule is off.
	if x.Rule == blockReplaceDropsBlocks {
		x.Former = []Key{keyIn(undecided, x.Address.String(), x.Summary)}
		if !f.looksFor(x.Rule.ID) {
			x.Rule = undecided
		}
	}
	if len(x.Also) > 0 {
		f.nameOthers(&x)
	}
	f.found = append(f.found, x)
}

// nameOthers completes a finding that stands for several items: it lists those in x.Also in the summary.
// Earlier versions made one finding for each item, so their keys become its former keys.
func (f *findings) nameOthers(x *Finding) {
	x.Former = []Key{KeyOf(*x)}
	var others []string
	for _, it := range x.Also {
		x.Former = append(x.Former, keyIn(x.Rule, f.names[it].address.String(), x.Plain()))
		others = append(others, diag.Escape(it.Called()))
	}
	x.Summary = fmt.Sprintf("%s, also of %s.", strings.TrimSuffix(x.Summary, "."), strings.Join(others, ", "))
}

// findingOf returns the finding that a diagnostic about a module stands for, without an address. ok is false
// if the diagnostic has no location, or matters only when all files are printed as one.
func findingOf(m *load.Module, d *hcl.Diagnostic) (x Finding, ok bool) {
	if d.Subject == nil || diag.CodeOf(d) == merge.OneFileOnly {
		return Finding{}, false
	}
	x = ruleOf(m, d).At(*d.Subject, messageOf(m, d))
	x.Summary = d.Summary + "."
	// The diagnostic, not the rule, decides whether this is an error, so that every command reports the same
	// severity. A rule of errors yields a warning for a warning, and a rule of warnings an error for an error.
	if diag.IsError(d) {
		x.Severity = Error
	} else {
		x.Severity = min(x.Severity, Warning) // a rule of notices still yields a notice
	}
	if related, ok := diag.RelatedOf(d); ok {
		x.Related = &related
	}
	// Ignore comments that are older than this rule name the rule undecided, which had its findings then.
	if x.Rule == blockReplaceDropsBlocks {
		x.Joint = []*Rule{undecided}
	}
	for _, at := range diag.AlsoOf(d) {
		if it := load.ItemAt(m, at); it != nil {
			x.Also = append(x.Also, it)
		}
	}
	return x, true
}

// messageOf returns the detail of a diagnostic if it can stand alone as a message. Otherwise it puts the
// summary in front.
func messageOf(m *load.Module, d *hcl.Diagnostic) string {
	file := m.File(d.Subject.Filename)
	// The detail was replaced because it would quote a file outside the repository, so it doesn't state the
	// problem.
	isOmitted := file != nil && file.Outside && strings.HasPrefix(d.Detail, load.NotQuoted)
	isSentence := strings.HasSuffix(d.Detail, ".") || strings.HasSuffix(d.Detail, "?")
	switch {
	case d.Detail == "":
		return d.Summary + "."
	case isOmitted || !isSentence:
		return d.Summary + ": " + d.Detail
	case isRemedy(d.Detail):
		return d.Summary + ". " + d.Detail
	}
	return d.Detail
}

// isRemedy reports whether a detail starts with an instruction, such as "Remove", so that only the summary
// states the problem.
func isRemedy(detail string) bool {
	first, _, _ := strings.Cut(detail, " ")
	switch first {
	case "Add", "Change", "Keep", "Move", "Put", "Remove", "Rename", "Save", "Set", "Use", "Write":
		return true
	}
	return false
}

// ruleOf returns the rule for the finding of a diagnostic: by its code, otherwise by its severity and whether
// the file can be parsed.
func ruleOf(m *load.Module, d *hcl.Diagnostic) *Rule {
	file := m.File(d.Subject.Filename)
	rule := rulesOfCodes[diag.CodeOf(d)]
	switch {
	case rule != nil:
		return rule
	case d.Severity == hcl.DiagWarning:
		return undecided
	case file != nil && file.Broken:
		return syntaxError
	}
	return mergeError
}
