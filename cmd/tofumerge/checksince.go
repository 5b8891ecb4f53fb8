package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// What check finds now and did not find at a revision.
//
// The modules of both are judged by the engine, the flags and the settings files of now, so
// that a rule that is switched on reports what is new and no more. Comments that ignore
// rules count where they are: taking one away shows the finding. The change that is judged
// has no say in what was there before.

// unknownSince are those findings of a module that it did not have at the revision of
// --since.
func (c *checkCommand) unknownSince(t *target, opts load.Options, mod *merge.Module, want *policy, found []check.Finding) ([]check.Finding, error) {
	if c.since == "" {
		return found, nil
	}
	past, err := c.pastOf(t.dir, revisionName{rev: c.since})
	if err != nil || past.from == nil || len(found) == 0 {
		return found, err
	}
	if past.now == "" && mod.Source.IsSameAs(past.from, opts.MaxFileSize) {
		return nil, nil
	}
	l, err := loadFrom(mod.Source.Dir, past, opts)
	if err != nil {
		return nil, err
	}
	was := l.reading()
	for _, d := range was.Diags {
		if diag.CodeOf(d) == diag.Unreadable && d.Subject != nil {
			return nil, fmt.Errorf("can't compare with %s: %s: %s", diag.Escape(past.label()), diag.Escape(d.Subject.Filename), d.Detail)
		}
	}
	known, _ := c.judge(was.Module, was.Diags, t, want)
	if past.now != "" { // another policy may have held where it was
		known = slices.DeleteFunc(known, isDenied)
	}
	return unknownTo(was.Module, known, mod, found), nil
}

// unknownTo are those findings of a module that are not among the known ones of what it
// was. Of several that read the same, those are known first that are in the file they were
// in. What a policy denies is known only if it is the same text: another value is another
// thing to decide on.
func unknownTo(was *merge.Module, known []check.Finding, mod *merge.Module, found []check.Finding) []check.Finding {
	found, known = unmatched(found, known, func(f check.Finding, isKnown bool) exactKey {
		return exactKey{check.KeyOf(f), f.Range.Filename, textOf(was, mod, f, isKnown)}
	})
	found, known = unmatched(found, known, func(f check.Finding, isKnown bool) exactKey {
		return exactKey{check.KeyOf(f), "", textOf(was, mod, f, isKnown)}
	})
	known = slices.DeleteFunc(known, isDenied)
	unknown, _ := check.Unknown(found, check.Counts(known))
	return unknown
}

// isDenied reports whether a finding is that a policy denies something.
func isDenied(f check.Finding) bool { return f.Rule.ID == check.DeniedOverride.ID }

// An exactKey is what two findings have in common that are the same for certain.
type exactKey struct {
	check.Key
	file, text string
}

// unmatched are the findings of two lists that none of the other one is for, by a key.
func unmatched(found, known []check.Finding, keyOf func(f check.Finding, isKnown bool) exactKey) (rest, others []check.Finding) {
	waiting := map[exactKey]int{}
	for _, f := range known {
		waiting[keyOf(f, true)]++
	}
	matched := map[exactKey]int{}
	for _, f := range found {
		if k := keyOf(f, false); matched[k] < waiting[k] {
			matched[k]++
		} else {
			rest = append(rest, f)
		}
	}
	for _, f := range known {
		if k := keyOf(f, true); matched[k] > 0 {
			matched[k]--
		} else {
			others = append(others, f)
		}
	}
	return rest, others
}

// textOf is the text that a policy denies, on either side. No two of these overlap.
func textOf(was, mod *merge.Module, f check.Finding, isKnown bool) string {
	switch {
	case !isDenied(f):
		return ""
	case isKnown:
		return textAt(was, f.Range)
	}
	return textAt(mod, f.Range)
}

// textAt is the text of the item at a place; of a file as a whole, all of it.
func textAt(m *merge.Module, at hcl.Range) string {
	if it := load.ItemAt(m.Source, at); it != nil && at.Start.Line > 0 {
		return words(it)
	}
	if f := m.Source.File(at.Filename); f != nil {
		return string(f.Given)
	}
	return ""
}

// words is the text of an item without its layout.
func words(it source.Item) string {
	return strings.Join(strings.Fields(string(it.Source().Text(it.Extent()))), " ")
}

// checkSince refuses a --since that can't be the name of a revision.
func (c *checkCommand) checkSince(cmd *cobra.Command) error {
	name, isPrefixed := revisionIn(c.since)
	switch {
	case !cmd.Flags().Changed("since"):
		return nil
	case c.since == "" || isPrefixed && name.rev == "":
		return errors.New("--since needs the name of a revision, such as main or HEAD~1")
	case isPrefixed:
		return fmt.Errorf("--since takes a revision without %s; use --since %s", revisionPrefix, diag.Escape(name.rev))
	}
	return nil
}

// reportPast says what there is to say of what a module is compared with.
func (c *checkCommand) reportPast(t *target) {
	if c.since == "" {
		return
	}
	if past, err := c.pastOf(t.dir, revisionName{rev: c.since}); err == nil {
		c.NoteOnce(past.renameNote())
		c.NoteOnce(c.engineNote(past, t.dir))
	}
}
