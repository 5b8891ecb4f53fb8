package rules

import (
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// Messages about items without effect: a sentence that names the engine and the item it ignores,
// and the remedy.

// ignoring caches the sentences of rules for the engines of products.
var ignoring sync.Map // of string, by ignoringKey

type ignoringKey struct {
	rule    *Rule
	product engine.Product
}

// ignores returns a sentence that the engine ignores items of the rule, with the releases that do.
func (r *Rule) Ignores(e engine.Release) string {
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

// IsIgnoring reports whether the rule is that the engine ignores items, or some of them.
func (r *Rule) IsIgnoring() bool {
	return r.Do == Drop || r.Do == KeepEarlier || r.NoEffect != ""
}

// named describes the items of the rule: by the path in the innermost block with a separate
// address, or else together with that block.
func (r *Rule) named(e engine.Release) string {
	for around := Parent(r.Path); around != ""; around = Parent(around) {
		holder := Of(around, e)
		if holder == nil || holder.Match == ByName {
			continue
		}
		name := Dotted(strings.TrimPrefix(r.Path, around+"/"))
		if strings.Contains(name, ".") || holder.Noun == "" {
			return name
		}
		return name + " of " + holder.Noun + "s"
	}
	if strings.Contains(r.Path, "/") {
		return Dotted(r.Path)
	}
	return r.Path + " blocks"
}
