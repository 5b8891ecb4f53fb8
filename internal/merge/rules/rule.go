package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// A Match says which earlier item an item of a later file addresses.
type Match int

// The matches.
const (
	ByName     Match = iota // all items of the name together: an argument, or the blocks of a type
	ByLabels                // the block of the same type and labels
	byAlias                 // the block of the same type, label and argument alias
	ByPosition              // no earlier item: each is separate
)

// An Orphan says what happens to a later item that addresses nothing.
type Orphan int

// The kinds of treatment.
const (
	addOrphan    Orphan = iota // it is added
	FailOrphan                 // it is an error
	AddUnaliased               // a default configuration is added, another one is an error
)

// An Action is the effect of a later item on the item it addresses.
type Action int

// The actions.
const (
	Replace      Action = iota // it replaces all earlier items of the name
	Merge                      // its items are applied to the items of the earlier block, each by its own rule
	Append                     // it is added beside the earlier ones
	Renew                      // it replaces all items of earlier files, and is added to those of its own file
	Reject                     // it is an error
	Drop                       // it does nothing
	KeepEarlier                // it does nothing, unless the block that holds it is itself added
	Identify                   // it is part of the address
	Flatten                    // its items count as items of the block around it
	clearEarlier               // the earlier one is removed
)

// A test is a yes-or-no question about an argument's value, such as whether it is null.
type test func(*source.Attr) bool

// The tests that rules use.
var (
	emptyString test = func(a *source.Attr) bool {
		s, ok := constant.String(a)
		return ok && s == ""
	}
	EmptyList test = func(a *source.Attr) bool {
		items, diags := hcl.ExprList(a.Expr())
		return !diags.HasErrors() && len(items) == 0
	}
	emptyMap test = func(a *source.Attr) bool {
		pairs, diags := hcl.ExprMap(a.Expr())
		return !diags.HasErrors() && len(pairs) == 0
	}
	keywordAll test = func(a *source.Attr) bool {
		return hcl.ExprAsKeyword(a.Expr()) == "all"
	}
	Null test = func(a *source.Attr) bool {
		v, ok := constant.Value(a)
		return ok && v.IsNull()
	}
	isTrue    test = constant.IsOn
	constants      = map[string]test{"null": Null, "true": isTrue, "false": func(a *source.Attr) bool { return constant.SwitchOf(a) == constant.Off }}
)

// Passes reports whether an item is an argument whose value passes the test. A nil test passes for nothing.
func (t test) Passes(it source.Item) bool {
	a, ok := it.(*source.Attr)
	return ok && t != nil && t(a)
}

// A Check names a check that items fit each other in a way that no row can express. The functions that make the
// checks are in package merge.
type Check int

// The checks.
const (
	_               Check = iota
	CheckVersions         // constraints on the version of the engine
	CheckVariable         // the type and the default of a variable, after each block
	CheckConnection       // a connection and the provisioners that use it
	CheckAction           // an action and its config block
)

// A Rule determines how an item of a later file combines with the one it addresses. The rule of an
// item is the rule with its path, else the rule with "*" instead of its name, else the rule whose
// path is "*".
type Rule struct {
	Path  string // block types and at last the item's name, joined by "/"; see pathsOf
	Match Match
	// Orphan is for a later item that addresses nothing, Missing the title of the error if that is
	// one.
	Orphan  Orphan
	Missing string
	Do      Action
	// Unless passes for later values that are ignored.
	Unless test
	// Keeps passes for earlier values that stay, whatever the later value.
	Keeps test
	// Absent is the action of a later block on an argument that it lacks.
	Absent Action
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
	// Targets are further paths whose items a later item may address.
	Targets []string
	// Prefix starts the addresses of declared items; Noun words them.
	Prefix []string
	Noun   string
	// After lists types of blocks in order of preference: an added block is inserted after the last
	// block of the first type that exists.
	After []string
	// Check is made of the items beside what the row itself requires of them.
	Check Check
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
	// Void is a constant that means the same as no item at all: null, false or true; empty if there is none.
	Void string
	// Assumes lists the values that the engine assumes for arguments missing from a block.
	Assumes []assumption
	// Engines are the releases that behave so. If it is empty, all do that know the path.
	Engines engine.Releases
}

// An assumption is a value that the engine assumes for an argument if a block lacks it. Path is the argument's,
// from the block.
type assumption struct{ Path, Value string }

// Assumed lists, for people, the values that the engine assumes for arguments missing from block it, such as
// lifecycle.destroy = false; "" for none.
func (r *Rule) Assumed(it source.Item) string {
	b, ok := it.(*source.Block)
	if !ok {
		return ""
	}
	var words []string
	for _, a := range r.Assumes {
		if !setsPath(b, a.Path) {
			words = append(words, Dotted(a.Path)+" = "+a.Value)
		}
	}
	return strings.Join(words, ", ")
}

// setsPath reports whether a block sets the argument at a path, such as lifecycle/destroy.
func setsPath(b *source.Block, path string) bool {
	name, rest, more := strings.Cut(path, "/")
	if !more {
		return b.Attr(name) != nil
	}
	return slices.ContainsFunc(b.Blocks(name), func(inner *source.Block) bool { return setsPath(inner, rest) })
}

// MustRepeat reports whether a later block must repeat the item to keep it: a block without it clears it.
func (r *Rule) MustRepeat() bool { return r.Absent == clearEarlier }

// IsVoid reports whether an item has the value that means the same as no item: see Rule.Void.
func (r *Rule) IsVoid(it source.Item) bool { return constants[r.Void].Passes(it) }

// IsGuard reports whether items of the rule only restrict which engines may read the module. Those are the items
// named required_version: its rows, one for each group of releases, have either TofuOnly or the action Renew.
func (r *Rule) IsGuard() bool { return r.TofuOnly || r.Do == Renew }

// IsCheckedByBlock reports whether Rule.Check is made after each block of an override file, not only at the end: an
// engine refuses a variable whose default doesn't fit its type, even if a later block makes it fit.
func (r *Rule) IsCheckedByBlock() bool { return r.Check == CheckVariable }

// IsApart reports whether each item stands for itself, even if there are others of its name.
func (r *Rule) IsApart() bool { return r.Do == Append || r.Do == Renew }

// ID returns what tells an item from others of its name: its labels, with the alias if m says so, or its position.
// It is "" if all items of a name belong together.
func (m Match) ID(it source.Item) string {
	if m == ByPosition {
		at := it.Header()
		return at.Filename + ":" + strconv.Itoa(at.Start.Byte)
	}
	b, ok := it.(*source.Block)
	switch {
	case !ok || m == ByName: // an argument, or a block whose labels don't matter
		return ""
	case m == byAlias:
		if alias := AliasOf(b); alias != "" {
			return spelling.JoinPath(slices.Concat(b.Labels, []string{alias})...)
		}
	}
	return spelling.JoinPath(b.Labels...)
}

// AliasOf returns the value of a block's alias argument; "" if it has none or it isn't constant.
func AliasOf(b *source.Block) string {
	if a := b.Attr("alias"); a != nil {
		s, _ := constant.String(a)
		return s
	}
	return ""
}

// Sentences about an argument that is not merged with the earlier one.
const (
	replaced      = "Replaced."
	replacedWhole = "Replaced as a whole."
)

// IsPlain reports whether a sentence says no more than that another item replaced one.
func IsPlain(sentence string) bool { return sentence == replaced || sentence == replacedWhole }

// Join returns the path of a name in the body of the block at path; "" is the top level.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

// Parent returns the path without its last name: a/b for a/b/c, and "" for a single name.
func Parent(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}

// Base returns the last name of a path: c for a/b/c.
func Base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// Dotted returns a path as people write it: a.b.c for a/b/c.
func Dotted(path string) string { return strings.ReplaceAll(path, "/", ".") }
