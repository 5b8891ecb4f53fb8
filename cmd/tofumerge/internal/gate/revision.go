package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
)

// Findings of check that a revision did not have.
//
// Both modules are judged by the present engine, flags and settings files, so a rule that is
// switched on reports only new findings. Comments that ignore rules apply in their own version:
// removing one shows the finding. The change under review can't influence the earlier findings.

// unknownSince are those findings of a module that it did not have at the revision of
// --since.
func (g *Gate) unknownSince(t *workspace.Subject, opts load.Options, mod *merge.Module, want *policy.Policy, found []check.Finding) ([]check.Finding, error) {
	if g.Since == nil {
		return found, nil
	}
	past, err := g.ws.Past(t.Dir, *g.Since)
	if err != nil || past.From == nil || len(found) == 0 {
		return found, err
	}
	if past.Now == "" && !slices.ContainsFunc(found, isAboutVariables) && mod.Source.IsSameAs(past.From, opts.MaxFileSize) {
		return nil, nil
	}
	l, err := workspace.LoadFrom(mod.Source.Dir, past, opts)
	if err != nil {
		return nil, err
	}
	was := l.Reading()
	for _, d := range was.Diags {
		if diag.CodeOf(d) == diag.Unreadable && d.Subject != nil {
			return nil, fmt.Errorf("can't compare with %s: %s: %s", diag.Escape(past.Label()), diag.Escape(d.Subject.Filename), d.Detail)
		}
	}
	known, _ := g.judge(was.Module, was.Diags, t, want, false)
	if past.Now != "" { // another policy may have held where it was
		known = slices.DeleteFunc(known, isDenied)
	}
	return unknownTo(known, found), nil
}

// unknownTo returns the findings that are not among the known ones. Of several with the same text,
// those in their earlier file are known first.
func unknownTo(known, found []check.Finding) []check.Finding {
	denied, others := parted(found)
	knownDenied, knownOthers := parted(known)
	others, knownOthers = unmatched(others, knownOthers, func(f check.Finding) exactKey {
		return exactKey{check.KeyOf(f), f.Range.Filename, textOf(f)}
	})
	others, _ = unmatched(others, knownOthers, func(f check.Finding) exactKey {
		return exactKey{check.KeyOf(f), "", textOf(f)}
	})
	return append(others, deny.Unknown(denied, knownDenied)...)
}

// isAboutVariables reports whether a finding may appear and disappear with variables files,
// whatever the configuration is.
func isAboutVariables(f check.Finding) bool {
	role, _ := sidefiles.RoleOf(f.Range.Filename, false)
	return f.IsAboutLayers() || role == sidefiles.Variables
}

// isDenied reports whether a finding is that a policy denies something.
func isDenied(f check.Finding) bool { return f.Rule.ID == check.DeniedOverride.ID }

// parted are the findings that a policy denies something, and the others.
func parted(list []check.Finding) (denied, others []check.Finding) {
	for _, f := range list {
		if isDenied(f) {
			denied = append(denied, f)
		} else {
			others = append(others, f)
		}
	}
	return denied, others
}

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

// unmatched are the findings of two lists that none of the other one is for, by a key.
func unmatched(found, known []check.Finding, keyOf func(check.Finding) exactKey) (rest, others []check.Finding) {
	waiting := map[exactKey]int{}
	for _, f := range known {
		waiting[keyOf(f)]++
	}
	matched := map[exactKey]int{}
	for _, f := range found {
		if k := keyOf(f); matched[k] < waiting[k] {
			matched[k]++
		} else {
			rest = append(rest, f)
		}
	}
	for _, f := range known {
		if k := keyOf(f); matched[k] > 0 {
			matched[k]--
		} else {
			others = append(others, f)
		}
	}
	return rest, others
}

// reportPast prints the notes about the other side of a module's comparison.
func (g *Gate) reportPast(t *workspace.Subject) {
	if g.Since == nil {
		return
	}
	if past, err := g.ws.Past(t.Dir, *g.Since); err == nil {
		for _, note := range []string{past.RenameNote(), past.MergeNote(), g.ws.EngineNote(past, t.Dir)} {
			g.ws.NoteOnce(note)
			if text := strings.TrimPrefix(note, "Note: "); text != "" && !slices.Contains(g.notes, text) {
				g.notes = append(g.notes, text)
			}
		}
	}
}
