package merge

import (
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

type ignoringKey struct {
	rule    *Rule
	product engine.Product
}

// ignores says in a sentence that the engine ignores items of the rule, and in which
// of its releases.
func (r *Rule) ignores(e engine.Release) string {
	key := ignoringKey{r, e.Product}
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

// placeOf is FILE:LINE of an item.
func placeOf(it source.Item) string { return diag.Place(source.Where(it)) }
