package merge

import (
	"fmt"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// What is said of items without effect: a sentence that names the engine and what it
// ignores, and what to do instead.

// ignoring are the sentences of rules for the engines of products, once somebody asked.
var ignoring sync.Map // of string, by ignored

type ignored struct {
	rule    *Rule
	product engine.Product
}

// ignores says in a sentence that the engine ignores items of the rule, and in which
// of its releases.
func (r *Rule) ignores(e engine.Release) string {
	key := ignored{r, e.Product}
	if known, ok := ignoring.Load(key); ok {
		return known.(string)
	}
	does := r.NoEffect
	if does == "" {
		does = "ignores " + r.named(e) + " in override files"
	}
	text := e.Product.Title() + " " + does
	if in := r.releasesOf(e.Product); in != "" {
		text += " (" + in + ")"
	}
	if r.Contradicts {
		text += ", although its documentation says otherwise"
	}
	text += "."
	ignoring.Store(key, text)
	return text
}

// isIgnoring reports whether the rule is that the engine ignores items, or some of them.
func (r *Rule) isIgnoring() bool {
	return r.Do == Drop || r.Do == KeepEarlier || r.NoEffect != ""
}

// named is how people call the items of the rule: by the path in the innermost block
// that has an address of its own, or else with that block.
func (r *Rule) named(e engine.Release) string {
	for around := parent(r.Path); around != ""; around = parent(around) {
		holder := RuleOf(around, e)
		if holder == nil || holder.Match == ByName {
			continue
		}
		name := dotted(strings.TrimPrefix(r.Path, around+"/"))
		if strings.Contains(name, ".") || holder.Noun == "" {
			return name
		}
		return name + " of " + holder.Noun + "s"
	}
	if strings.Contains(r.Path, "/") {
		return dotted(r.Path)
	}
	return r.Path + " blocks"
}

// remedy says where to do in a primary file what an override can't.
func (m *merger) remedy(c *MergedBody, e *MergedItem, r *Rule, it source.Item) string {
	_, isBlock := it.(*source.Block)
	isThere := e != nil && e.InEffect()
	switch {
	case r.Unused:
		return "Remove it."
	case r.TofuOnly:
		return "Move it to a .tofu file."
	case passes(r.Unless, it) && isThere:
		return "Remove it at " + placeOf(e.Live[0]) + " instead."
	case passes(r.Unless, it):
		return "Remove this line."
	case isThere && (!isBlock || c == m.root || r.Match == ByLabels):
		return "Change it at " + placeOf(e.Live[0]) + " instead."
	}
	if home := m.primaryBlock(c, it); home != nil {
		return fmt.Sprintf("Move it to the %s block at %s.", diag.Escape(home.Type), placeOf(home))
	}
	return "Move it to a primary file."
}

// primaryBlock is the innermost block of a primary file that an item of an override is
// for, or nil.
func (m *merger) primaryBlock(c *MergedBody, it source.Item) *source.Block {
	top := it.Within()
	if top == nil || c == nil {
		return nil
	}
	for top.Within() != nil {
		top = top.Within()
	}
	key, _ := m.root.key(top, false)
	e := m.root.claim(key)
	if e == nil {
		e = m.homes[key]
	}
	bodies := []*MergedBody{c}
	if e != nil {
		bodies = append(bodies, e.Inner)
	}
	for _, body := range bodies {
		if body != nil && len(body.Parts) > 0 && body.Parts[0].Source().Role == source.Primary {
			return body.Parts[0]
		}
	}
	return nil
}

// placeOf is FILE:LINE of an item.
func placeOf(it source.Item) string { return diag.Place(source.Where(it)) }
