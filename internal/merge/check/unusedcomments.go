package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// Findings about comments that switch rules off. No comment silences these findings, so that nobody
// silences anything unnoticed.

// LikeRule returns the id of the rule that a misspelt name resembles, or "" if it resembles none.
func LikeRule(name string) string {
	var ids []string
	for _, r := range Rules {
		ids = append(ids, r.ID)
	}
	if near := spelling.Similar(strings.ToLower(name), ids, 1); len(near) > 0 {
		return near[0]
	}
	return ""
}

// findMisnamed returns findings about comments that are misspelt, name no rule, or name one that doesn't
// exist.
func (c *Comments) findMisnamed(m *merge.Module) (found []Finding) {
	for _, k := range c.all {
		if k.Meant != "" {
			found = append(found, k.findingAbout(m, invalidIgnore, "This comment silences nothing. Did you mean %s?", k.Meant))
		} else if len(k.names) == 0 {
			found = append(found, k.findingAbout(m, invalidIgnore, "This comment names no rule, so it silences nothing. Name one, as in tofumerge:ignore no-effect."))
		}
		var wrong []string
		for _, name := range k.names {
			if FindRule(name) == nil {
				wrong = append(wrong, name)
			}
		}
		if len(wrong) > 0 {
			found = append(found, k.findingAbout(m, invalidIgnore, "%s", unknownNames(wrong, len(found) < maxAlike)))
		}
	}
	return found
}

// maxName limits how many bytes of a wrong name a message repeats, and maxNames how many names. No rule's
// id is that long.
const (
	maxName  = 60
	maxNames = 5
)

// unknownNames returns the message that some rules don't exist. It suggests similar names only if isListed,
// because searching takes time and Bounded drops the later findings anyway.
func unknownNames(names []string, isListed bool) string {
	var shown []string
	for _, name := range names[:min(len(names), maxNames)] {
		if len(name) > maxName {
			name = name[:maxName] + "…"
		}
		like := ""
		if isListed {
			like = LikeRule(name)
		}
		switch {
		case like != "" && len(names) == 1:
			return fmt.Sprintf("There is no rule %s. Did you mean %s?", name, like)
		case like != "":
			name += " (did you mean " + like + "?)"
		}
		shown = append(shown, name)
	}
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("%d more", more))
	}
	if len(names) == 1 {
		return fmt.Sprintf("There is no rule %s. To list all rules, run tofumerge check --list-rules.", shown[0])
	}
	return fmt.Sprintf("There are no rules %s. To list all rules, run tofumerge check --list-rules.", listed(shown, "and"))
}

// An errorPlaces records which files have errors, and whether the engine refuses the module.
type errorPlaces struct {
	files     map[string]bool
	isRefused bool
}

// note records where a finding of the module is an error.
func (e *errorPlaces) note(f *Finding) {
	e.isRefused = e.isRefused || f.IsRefusal()
	if f.Severity != Error {
		return
	}
	if e.files == nil {
		e.files = map[string]bool{}
	}
	e.files[f.Range.Filename] = true
}

// findUnused returns findings about comments that silenced nothing. Silence must have seen all findings. Where
// findings may be missing, it returns none: if the engine refuses the module, in files with errors, and for
// rules that looksFor rejects.
func (c *Comments) findUnused(m *merge.Module, errors errorPlaces, looksFor func(*Rule) bool) (list []Finding) {
	if errors.isRefused {
		return nil
	}
	for _, k := range c.all {
		if text := k.whyUnused(looksFor); text != "" && !errors.files[k.File.Name] {
			list = append(list, k.findingAbout(m, unusedIgnore, "%s", text))
		}
	}
	return list
}

// whyUnused returns the message that a comment, or some of its rules, silences nothing, and what to do. It
// returns "" if each rule silences something, or if that is unknown.
func (k *comment) whyUnused(looksFor func(*Rule) bool) string {
	var unsilenceable, unused []string
	for _, id := range k.names {
		r := FindRule(id)
		if r == nil {
			continue
		}
		i := slices.IndexFunc(k.entries, func(e *entry) bool { return e.rule == r })
		switch {
		case !r.canSilence():
			unsilenceable = append(unsilenceable, id)
		// Findings of this rule may be missing only in this run.
		case !looksFor(r) || r.Varies:
		case i < 0 || k.entries[i].silenced == 0: // at the wrong place (no entry), or without a finding
			unused = append(unused, id)
		}
	}
	switch {
	case len(unsilenceable) > 0:
		return fmt.Sprintf("No comment silences %s. Remove %s from the comment.", listed(unsilenceable, "or"), pronoun(len(unsilenceable)))
	case len(unused) == 0:
		return ""
	case k.reach == reachNothing:
		return k.whereToMove()
	}
	verb, removed := "finds", "the comment"
	if len(unused) > 1 {
		verb = "find"
	}
	if len(unused) < len(k.names) { // the other names are needed
		removed = pronoun(len(unused)) + " from the comment"
	}
	return fmt.Sprintf("%s %s nothing here that the comment could silence. Remove %s.", listed(unused, "and"), verb, removed)
}

// listed joins names by commas, and the last two by word, such as "and". There must be at least one.
func listed(names []string, word string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// whereToMove returns the message that a comment can't silence anything at its position, and where to move it.
func (k *comment) whereToMove() string {
	const isNot = "The comment silences nothing here. "
	switch {
	case k.isFile:
		return isNot + "Move tofumerge:ignore-file out of all blocks."
	case k.File.Syntax == source.JSON:
		return isNot + "Move it into the block, or write tofumerge:ignore-file."
	}
	return isNot + "Move it directly above an argument or a block, to the end of its line, or behind the opening brace."
}

// Added lists findings about comments that an earlier state of the module, with the comments was, doesn't
// have. revision names that state in messages.
func (c *Comments) Added(m *merge.Module, was *Comments, revision string) []Finding {
	var found []Finding
	var last *comment
	for _, s := range c.addedSince(was) {
		k := s.comment
		// addedSince has one element for each rule; one finding covers the comment.
		if k == last {
			continue
		}
		last = k
		var ids []string
		silenced := 0
		for _, e := range k.entries {
			if e.rule.canSilence() {
				ids, silenced = append(ids, e.rule.ID), silenced+e.silenced
			}
		}
		what := fmt.Sprintf("%d findings", silenced)
		switch silenced {
		case 0:
			what = "nothing that would be reported"
		case 1:
			what = "1 finding"
		}
		found = append(found, k.findingAbout(m, newIgnore, "%s doesn't ignore %s here. The comment silences %s. Have it reviewed, or remove it.",
			revision, listed(ids, "and"), what))
	}
	return found
}

// WithoutUnused removes from found the findings that a comment is unused, if others has a finding about the
// same comment.
func WithoutUnused(found, others []Finding) []Finding {
	isSaid := map[hcl.Range]bool{}
	for i := range others {
		isSaid[others[i].Range] = true
	}
	return slices.DeleteFunc(found, func(f Finding) bool { return f.Rule == unusedIgnore && isSaid[f.Range] })
}

// findingAbout returns a finding of a rule about the comment, with the address of the top-level block around
// it.
func (k *comment) findingAbout(m *merge.Module, r *Rule, format string, args ...any) Finding {
	x := r.At(k.Range, fmt.Sprintf(format, args...))
	if k.item != nil {
		x.Address = address.OfBlock(m, source.Top(k.item))
	}
	return x
}
