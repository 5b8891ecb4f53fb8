package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Remedies for items that an override file can't contain or that have no effect there. A remedy
// that would cause an error is useless, so moves to a primary file are tried.

// advise notes that a diagnostic has a remedy. It returns the diagnostic.
func (m *merger) advise(d *hcl.Diagnostic, r remedy) *hcl.Diagnostic {
	if r.target != nil {
		m.advised = append(m.advised, untriedRemedy{d, r})
	}
	return d
}

// remedy describes how to do in a primary file what an override can't.
func (m *merger) remedy(c *MergedBody, e *MergedItem, r *rules.Rule, it source.Item) remedy {
	_, isBlock := it.(*source.Block)
	isThere := e != nil && e.InEffect()
	switch {
	case r.Unused:
		return remedy{text: "Remove it."}
	case r.TofuOnly:
		return remedy{text: remedyTofuOnly(it)}
	case r.Unless.Passes(it) && isThere:
		return remedy{text: "Remove it at " + placeOf(e.Live[0]) + " instead."}
	case r.Unless.Passes(it):
		return remedy{text: "Remove this line."}
	case isThere && (!isBlock || c == m.root || r.Match == rules.ByLabels):
		return remedy{text: "Change it at " + placeOf(e.Live[0]) + " instead."}
	}
	if home, way := m.primaryBlock(c, it); home != nil {
		text := fmt.Sprintf("Move it to the %s block at %s.", diag.Escape(home.Type), placeOf(home))
		return remedy{text, it, r, home, way}
	}
	return remedy{text: "Move it to a primary file."}
}

// primaryBlock is the innermost block of a primary file that an item of an override is
// for, or nil, and those blocks around the item that are not there.
func (m *merger) primaryBlock(c *MergedBody, it source.Item) (home *source.Block, way []*source.Block) {
	if it.Within() == nil || c == nil {
		return nil, nil
	}
	if home = c.primaryPart(); home != nil {
		return home, nil
	}
	top := it.Within()
	for ; top.Within() != nil; top = top.Within() {
		way = append(way, top)
	}
	slices.Reverse(way)
	if e := m.topItem(top); e != nil {
		return e.Inner().primaryPart(), way
	}
	return nil, nil
}

// primaryPart is the first block of a body if that is in a primary file, else nil.
func (c *MergedBody) primaryPart() *source.Block {
	if c != nil && len(c.Parts) > 0 && c.Parts[0].Source().Role == source.Primary {
		return c.Parts[0]
	}
	return nil
}

// topItem is the item that a top-level block of an override addresses, or nil.
func (m *merger) topItem(top *source.Block) *MergedItem {
	key, _ := m.root.key(top, false)
	if e := m.root.claim(key); e != nil {
		return e
	}
	return m.aliasTargets[key]
}

// maxTried is how many bytes of blocks are judged to try remedies, besides the size of the module.
const maxTried = 1 << 20

// tryRemedies replaces remedies if an item can't be moved. Beyond the limit, the message states
// that a move was not tried.
func (m *merger) tryRemedies() {
	budget := maxTried
	for _, f := range m.src.Files {
		budget += len(f.Native)
	}
	for _, a := range m.advised {
		at := source.Top(a.target).Extent()
		budget -= 2 * (at.End.Byte - at.Start.Byte)
		other := untried(a.text)
		if budget >= 0 {
			other = m.instead(a.remedy)
		}
		if other != "" {
			a.Detail = strings.Replace(a.Detail, a.text, other, 1)
		}
	}
}

// untried is a remedy that was not tried, so the engine may not accept it.
func untried(text string) string {
	return strings.TrimSuffix(text, ".") + ", if the engine accepts it there: in a module this large, not every remedy is tried."
}

// instead is what to do if an item can't be moved as it is; empty if it can.
func (m *merger) instead(r remedy) string {
	place := fmt.Sprintf("the %s block at %s", diag.Escape(r.target.Type), placeOf(r.target))
	if rival := m.rival(m.topItem(source.Top(r.it)), r.rule.Path); rival != nil {
		return fmt.Sprintf("Remove it. To use it instead of %s at %s, remove that and move this to %s.", rival.Key.Name, placeOf(rival.Live[0]), place)
	}
	if d := language.Refusal(r.target, r.path, r.it); d != nil {
		return fmt.Sprintf("Remove it. It can't be moved to %s as that is: %s.", place, d.Detail[:diag.EndOfSentence(d.Detail)])
	}
	return ""
}

// rival is an effective item that an item at path would exclude, or be excluded by; nil if there is
// none.
func (m *merger) rival(top *MergedItem, path string) *MergedItem {
	if top == nil {
		return nil
	}
	own := strings.TrimPrefix(path, top.Path+"/")
	for _, r := range m.rules.Ranked[top.Path] {
		others := r.Outranks
		switch ranked := strings.TrimPrefix(r.Path, top.Path+"/"); {
		case ranked == own:
		case slices.Contains(r.Outranks, own):
			others = []string{ranked}
		default:
			continue
		}
		for _, other := range others {
			if e := top.Inner().lookup(other); e != nil && e.InEffect() {
				return e
			}
		}
	}
	return nil
}
