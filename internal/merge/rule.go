package merge

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A match is the way in which a later item addresses an earlier one.
type match int

// The matches.
const (
	ByName     match = iota // all items of the name together: an argument, or the blocks of a type
	ByLabels                // the block of the same type and labels
	byAlias                 // the block of the same type, label and argument alias
	ByPosition              // no earlier item: each is separate
)

// An orphanPolicy is the treatment of a later item that addresses nothing.
type orphanPolicy int

// The policies.
const (
	addOrphan    orphanPolicy = iota // it is added
	failOrphan                       // it is an error
	addUnaliased                     // a default configuration is added, another one is an error
)

// An action is the effect of a later item on the item it addresses.
type action int

// The actions.
const (
	replaceEarlier action = iota // it replaces all earlier items of the name
	Merge                        // its items are applied to the items of the earlier block, each by its own rule
	Append                       // it is added beside the earlier ones
	Renew                        // it replaces all items of earlier files, and is added to those of its own file
	Reject                       // it is an error
	Drop                         // it does nothing
	KeepEarlier                  // it does nothing, unless the block that holds it is itself added
	Identify                     // it is part of the address
	Flatten                      // its items count as items of the block around it
	clearEarlier                 // the earlier one is removed
)

// A valueTest is a question about an argument's value.
type valueTest func(*source.Attr) bool

// The tests that rules use.
var (
	emptyString valueTest = func(a *source.Attr) bool {
		s, ok := constant.String(a)
		return ok && s == ""
	}
	emptyList valueTest = func(a *source.Attr) bool {
		items, diags := hcl.ExprList(a.Expr())
		return !diags.HasErrors() && len(items) == 0
	}
	emptyMap valueTest = func(a *source.Attr) bool {
		pairs, diags := hcl.ExprMap(a.Expr())
		return !diags.HasErrors() && len(pairs) == 0
	}
	keywordAll valueTest = func(a *source.Attr) bool {
		return hcl.ExprAsKeyword(a.Expr()) == "all"
	}
	null valueTest = func(a *source.Attr) bool {
		v, ok := constant.Value(a)
		return ok && v.IsNull()
	}
	isTrue valueTest = constant.IsOn
)

// A Rule determines how an item of a later file combines with the one it addresses. The rule of an
// item is the rule with its path, else the rule with "*" instead of its name, else the rule whose
// path is "*".
type Rule struct {
	Path  string // block types and at last the item's name, joined by "/"
	Match match
	// Orphan is for a later item that addresses nothing, Missing the title of the error if that is
	// one.
	Orphan  orphanPolicy
	Missing string
	Do      action
	// Unless passes for later values that are ignored.
	Unless valueTest
	// Keeps passes for earlier values that stay, whatever the later value.
	Keeps valueTest
	// Absent is the action of a later block on an argument that it lacks.
	Absent action
	// Displaces names siblings that a later item hides; Clash is the title of the error if primary
	// files hold both.
	Displaces []string
	Clash     string
	// Outranks lists paths that an item in effect hides, whichever is later.
	Outranks []string
	// Duplicate is the title of the error if primary files declare the same address more than once,
	// a verb in it standing for the first label. If it is empty, they may.
	Duplicate string
	// Once allows an override file one item at most.
	Once bool
	// Last items are applied after the others of their file.
	Last bool
	// OmitEmpty blocks mean nothing if nothing in them has an effect; an override does not add such
	// a one.
	OmitEmpty bool
	// TofuOnly items count in files only that OpenTofu alone reads.
	TofuOnly bool
	// Homes are further paths whose items a later item may address.
	Homes []string
	// Prefix starts the addresses of declared items; Noun words them.
	Prefix []string
	Noun   string
	// After lists types of blocks in order of preference: an added block is inserted after the last
	// block of the first type that exists.
	After []string
	// Each is run on the changes of a later block, after that block was applied.
	Each func(*merger, *MergedItem, *source.Block)
	// End is run once all files are applied, on what any of them addressed.
	End func(*merger, *MergedItem)
	// Why describes the effect on the item, which is the sentence's omitted subject. WhyBlock does
	// the same for nested blocks if they are treated differently.
	Why, WhyBlock string
	// NoEffect continues after the engine's name and describes the ignored part, if that is more or
	// less than the item in an override file. Kept explains why an earlier value stays. Both are
	// for items without effect.
	NoEffect, Kept string
	// Contradicts is set if the engines' documentation claims otherwise.
	Contradicts bool
	// Unused items are ignored in every file.
	Unused bool
	// Wins explains why the outranked items lost.
	Wins string
	// Strict items are refused even if the engine ignores the block around them.
	Strict bool
	// Unsayable items have an effect that no configuration can express, so they are left out.
	Unsayable bool
	// Void passes for values that mean the same as no item at all.
	Void valueTest
	// Assumes lists the values that the engine assumes for arguments missing from a block.
	Assumes []assumption
	// Engines are the releases that behave so. If it is empty, all do that know the path.
	Engines engine.Releases
}

// An assumption is an argument that is treated as given, by its path in the block.
type assumption struct{ Path, Value string }

// Assumed words the engine's assumptions about an item.
func (r *Rule) Assumed(it source.Item) string {
	b, ok := it.(*source.Block)
	if !ok {
		return ""
	}
	var words []string
	for _, a := range r.Assumes {
		if !gives(b, a.Path) {
			words = append(words, dotted(a.Path)+" = "+a.Value)
		}
	}
	return strings.Join(words, ", ")
}

// gives reports whether a block has an argument at a path.
func gives(b *source.Block, path string) bool {
	name, rest, more := strings.Cut(path, "/")
	if !more {
		return b.Attr(name) != nil
	}
	return slices.ContainsFunc(b.Blocks(name), func(inner *source.Block) bool { return gives(inner, rest) })
}

// IsRepeated reports whether a later block keeps the item only by setting it again.
func (r *Rule) IsRepeated() bool { return r.Absent == clearEarlier }

// IsVoid reports whether an item means the same as none.
func (r *Rule) IsVoid(it source.Item) bool { return passes(r.Void, it) }

// IsGuard reports whether items only restrict which engines may read the module.
func (r *Rule) IsGuard() bool { return r.TofuOnly || r.Do == Renew }

// IsApart reports whether each item stands for itself, be there others of its name.
func (r *Rule) IsApart() bool { return r.Do == Append || r.Do == Renew }

// id keeps items of one name apart where the rule does.
func (m match) id(it source.Item) string {
	if m == ByPosition {
		at := it.Header()
		return at.Filename + ":" + strconv.Itoa(at.Start.Byte)
	}
	b, ok := it.(*source.Block)
	switch {
	case !ok || m == ByName:
		return ""
	case m == byAlias:
		if alias := aliasOf(b); alias != "" {
			return segments.Join(append(b.Labels[:len(b.Labels):len(b.Labels)], alias)...)
		}
	}
	return segments.Join(b.Labels...)
}

func aliasOf(b *source.Block) string {
	if a := b.Attr("alias"); a != nil {
		s, _ := constant.String(a)
		return s
	}
	return ""
}
