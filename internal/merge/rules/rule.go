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

// A Match is the way in which a later item addresses an earlier one.
type Match int

// The matches.
const (
	ByName     Match = iota // all items of the name together: an argument, or the blocks of a type
	ByLabels                // the block of the same type and labels
	byAlias                 // the block of the same type, label and argument alias
	ByPosition              // no earlier item: each is separate
)

// An Orphan is the treatment of a later item that addresses nothing.
type Orphan int

// The policies.
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

// A test is a question about an argument's value.
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

// Passes reports whether an item is an argument whose value passes. A nil test passes nothing.
func (t test) Passes(it source.Item) bool {
	a, ok := it.(*source.Attr)
	return ok && t != nil && t(a)
}

// A Check is of items that have to fit each other in a way that no row can express. The function
// that makes it is in package merge.
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
			words = append(words, Dotted(a.Path)+" = "+a.Value)
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
func (r *Rule) IsVoid(it source.Item) bool { return constants[r.Void].Passes(it) }

// IsGuard reports whether items only restrict which engines may read the module.
func (r *Rule) IsGuard() bool { return r.TofuOnly || r.Do == Renew }

// IsCheckedByBlock reports whether a check is made of each block of an override file.
func (r *Rule) IsCheckedByBlock() bool { return r.Check == CheckVariable }

// IsApart reports whether each item stands for itself, be there others of its name.
func (r *Rule) IsApart() bool { return r.Do == Append || r.Do == Renew }

// ID keeps items of one name apart where the rule does.
func (m Match) ID(it source.Item) string {
	if m == ByPosition {
		at := it.Header()
		return at.Filename + ":" + strconv.Itoa(at.Start.Byte)
	}
	b, ok := it.(*source.Block)
	switch {
	case !ok || m == ByName:
		return ""
	case m == byAlias:
		if alias := AliasOf(b); alias != "" {
			return spelling.JoinPath(append(b.Labels[:len(b.Labels):len(b.Labels)], alias)...)
		}
	}
	return spelling.JoinPath(b.Labels...)
}

// AliasOf is the alias of a block, or "".
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

// IsPlain reports whether a sentence only states that another item replaced one.
func IsPlain(sentence string) bool { return sentence == replaced || sentence == replacedWhole }

// Join is the path of a name in the body of a path.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

// Parent is the path around a path's last name.
func Parent(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}

// Base is a path's last name.
func Base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// Dotted is a path as people write it.
func Dotted(path string) string { return strings.ReplaceAll(path, "/", ".") }
