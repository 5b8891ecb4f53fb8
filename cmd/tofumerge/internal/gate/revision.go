package gate

import (
	"fmt"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
)

// Findings of check that a revision did not have.
//
// Both modules are judged by the present engine, flags and settings files, so a rule that is
// switched on reports only new findings. Comments that ignore rules apply in their own version:
// removing one shows the finding. The change under review can't influence the earlier findings.

// leaveUnknown leaves those findings of a module that it did not have at the revision of
// --only-new, also of those that settings leave out.
func (g *Gate) leaveUnknown(in *Inspection, want *policy.Policy) error {
	if g.OnlyNew == nil {
		return nil
	}
	past, err := g.ws.Past(in.Subject.Dir, *g.OnlyNew)
	hasComments := in.Ignores.comments != nil && in.Ignores.comments.Len() > 0
	switch {
	case err != nil || len(in.Found)+len(in.leftOut)+len(in.Ignores.Silenced) == 0 && !hasComments:
		return err // a revision that isn't there is an error even if nothing was found
	case past.From == nil:
		in.addNewIgnores(&check.Comments{}, g.OnlyNew, want)
		return nil
	}
	isSame := past.Now == "" && in.Module.Source.IsSameAs(past.From, in.Options.MaxFileSize)
	if isSame && !in.isAnyAboutVariables() {
		in.Found = nil
		clear(in.leftOut)
		return nil
	}
	was, err := workspace.LoadFrom(in.Module.Source.Dir, past, in.Options)
	if err != nil {
		return err
	}
	for _, d := range was.Diags {
		if diag.CodeOf(d) == diag.Unreadable && d.Subject != nil {
			return fmt.Errorf("can't compare with %s: %s: %s", diag.Escape(past.Label()), diag.Escape(d.Subject.Filename), d.Detail)
		}
	}
	known, n := g.judge(was.Module, was.Diags, in.Subject, want, false)
	if past.Now != "" { // another policy may have held where it was
		known = slices.DeleteFunc(known, isDenied)
	}
	in.Found, known = unknownTo(known, in.Found)
	in.reveal(append(known, n.Ignores.Silenced...), n.Ignores.comments, diag.Escape(g.OnlyNew.String()))
	for by, list := range in.leftOut {
		in.leftOut[by], _ = unknownTo(n.leftOut[by], list)
	}
	in.addNewIgnores(n.Ignores.comments, g.OnlyNew, want)
	return nil
}

// reveal moves silenced findings to the others that a revision does not have, and that its comments
// don't silence.
func (in *Inspection) reveal(known []check.Finding, was *check.Comments, revision string) {
	var silenced []check.Finding
	for i, counterpart := range check.Pairs(in.Ignores.Silenced, known, keyInItsFile, keyInAnyFile) {
		f := in.Ignores.Silenced[i]
		if counterpart < 0 && in.Ignores.comments.Reveal(&f, was, revision) {
			in.Found = append(in.Found, f)
		} else {
			silenced = append(silenced, f)
		}
	}
	in.Ignores.Silenced = silenced
}

// isAnyAboutVariables reports whether a finding may be due to variables files alone.
func (in *Inspection) isAnyAboutVariables() bool {
	for _, list := range in.leftOut {
		if slices.ContainsFunc(list, isAboutVariables) {
			return true
		}
	}
	return slices.ContainsFunc(in.Found, isAboutVariables) || slices.ContainsFunc(in.Ignores.Silenced, isAboutVariables)
}

// unknownTo returns the findings that are not among the known ones, and the known ones that are not
// among them. Of several with the same text, those in their earlier file are known first.
func unknownTo(known, found []check.Finding) (unknown, gone []check.Finding) {
	denied, others := workspace.Part(found, isDenied)
	knownDenied, knownOthers := workspace.Part(known, isDenied)
	isFound := make([]bool, len(knownOthers))
	for i, counterpart := range check.Pairs(others, knownOthers, keyInItsFile, keyInAnyFile) {
		if counterpart < 0 {
			unknown = append(unknown, others[i])
		} else {
			isFound[counterpart] = true
		}
	}
	for i, f := range knownOthers {
		if !isFound[i] {
			gone = append(gone, f)
		}
	}
	return append(unknown, deny.Unknown(denied, knownDenied)...), gone
}

func keyInItsFile(f check.Finding) exactKey {
	return exactKey{check.KeyOf(f), f.Range.Filename, textOf(f)}
}

func keyInAnyFile(f check.Finding) exactKey { return exactKey{check.KeyOf(f), "", textOf(f)} }

// isAboutVariables reports whether a finding may appear and disappear with variables files,
// whatever the configuration is.
func isAboutVariables(f check.Finding) bool {
	role, _ := sidefiles.RoleOf(f.Range.Filename, false)
	return f.IsAboutLayers() || role == sidefiles.Variables
}

// isDenied reports whether a finding is that a policy denies something.
func isDenied(f check.Finding) bool { return f.Rule.ID == check.DeniedOverride.ID }

// An exactKey is what two findings have in common that are the same.
type exactKey struct {
	check.Key
	file, text string
}

// textOf is the whole text of a finding without an address, apart from lines: nothing else
// distinguishes it from others in its file.
func textOf(f check.Finding) string {
	if !f.Address.IsEmpty() {
		return ""
	}
	return check.WithoutLines(f.Message)
}
