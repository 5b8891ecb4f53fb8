package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Every message of the package, one function each.

// The codes of the warnings about merging.
const (
	Conflicting   diag.Code = "conflicting"   // of several items the engine follows one
	Contradictory diag.Code = "contradictory" // of several items the engine follows one here, one there
	Clearing      diag.Code = "clearing"      // a block removes an argument by not having it
	MayDrop       diag.Code = "may-drop"      // an empty list that may mean no nested blocks, or nothing
	DestroyTime   diag.Code = "destroy-time"  // a connection that a provisioner at destroy time can't have
	OneFileOnly   diag.Code = "one-file-only" // it matters only if all files are printed as one
)

// withPlace adds the location of a second item to a diagnostic, with a note for people, and returns the
// diagnostic.
func withPlace(d *hcl.Diagnostic, note string, it source.Item) *hcl.Diagnostic {
	return diag.WithRelated(diag.Related{Note: note, Range: it.Header()}, d)
}

// declaredTwice is the error about an item that declares the same address as first. meant is the result of
// intendedNames: if it lists one of the two files, the remedy is to rename that file.
func declaredTwice(set *rules.Set, meant map[string]string, first *MergedItem, it source.Item) *hcl.Diagnostic {
	rule := first.Rule
	if rule.Duplicate == "" { // first is in another block, as data in a check: take the rule of a top-level data block
		rule = set.At(it.Called())
	}
	title := rule.Duplicate
	if b, ok := it.(*source.Block); ok && strings.Contains(title, "%q") {
		firstLabel := strings.Join(b.Labels[:min(1, len(b.Labels))], "") // or "" if there are no labels
		title = fmt.Sprintf(title, firstLabel)
	}
	// How the message names the declaration, and what to do about it.
	name, change := address(rule, first.Key), "Remove or rename"
	if rule.Noun == "" { // such as provider_meta, which has no address of its own
		name, change = "The "+diag.Escape(first.Key.Name)+" block", "Remove"
	}
	remedy := change + " one of the two."
	if rule.Do != rules.Drop && rule.Do != rules.Reject { // an override could change the first one
		if misnamed, intended := meantToOverride(meant, it, first.Live[0]); intended != "" {
			remedy = fmt.Sprintf("%s is a primary file. To make it an override file, rename it to %s. Otherwise %s one of the two.", diag.FileName(misnamed), diag.FileName(intended), strings.ToLower(change))
		} else {
			remedy += " To change the first, move this one to an override file."
		}
	}
	d := diag.New(it.Header(), title, "%s is already declared at %s. %s", name, placeOf(first.Live[0]), remedy)
	return withPlace(d, "declared here first", first.Live[0])
}

// placeOf returns FILE:LINE of an item, for messages.
func placeOf(it source.Item) string { return diag.Place(source.Where(it)) }

// meantToOverride looks up the files of items in meant, which intendedNames returned. It returns the name of the
// first file listed there, and the name that would make it an override file; two empty strings if none is.
func meantToOverride(meant map[string]string, items ...source.Item) (name, intended string) {
	for _, it := range items {
		if name = it.Source().Name; meant[name] != "" {
			return name, meant[name]
		}
	}
	return "", ""
}

// secondInFile is the error about a second block where an override file may have only one (Rule.Once).
func secondInFile(r *rules.Rule, it, first source.Item) *hcl.Diagnostic {
	d := diag.New(it.Header(), r.Duplicate, "An override file can have only one such block. Remove this one or the one at %s.", placeOf(first))
	return withPlace(d, "first one", first)
}

// trapOfName returns a sentence to append to errors: the file is an override file only because its name ends
// in _override, which its author may not know. It is "" for other names, and for files from outside the
// directory.
func trapOfName(f *source.File) string {
	if f.Overlay || !strings.Contains(f.Name, "_override.") {
		return ""
	}
	return diag.TrapOfName(f.Name)
}

// dropTraps removes from errors the sentence "The name x_override.tf makes this an override file; to declare this
// here, rename the file." (see trapOfName). f is that file. An override in it works, so its author knows what it is.
func dropTraps(f *source.File, diags hcl.Diagnostics) {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			d.Detail = diag.WithoutTrap(f.Name, d.Detail)
		}
	}
}

// rejected is the error about an item that no override file may contain. remedy is a sentence that says what to do
// instead.
func rejected(r *rules.Rule, it source.Item, remedy string) *hcl.Diagnostic {
	// trap is a sentence about a name that makes a file an override file by mistake; scope names releases.
	action, trap, scope := "set "+diag.Escape(it.Called()), "", ""
	if !r.Engines.IsAll() {
		scope = r.Scope() // other releases do something else
	}
	if b, isBlock := it.(*source.Block); isBlock {
		action = fmt.Sprintf("have %s %s block", strings.ToLower(diag.Article(b.Type)), diag.Escape(b.Type))
		if b.Within() == nil { // then the file may not be meant to override anything
			trap = trapOfName(it.Source())
		}
	}
	return diag.New(it.Header(), r.Missing, "An override file can't %s%s. %s%s", action, scope, remedy, trap)
}

// noEffect warns of an item that engine e ignores in override files by rule r. remedy is a sentence that says what
// to do instead.
func noEffect(e engine.Release, r *rules.Rule, it source.Item, remedy string) *hcl.Diagnostic {
	return diag.WithCode(diag.NoEffect, diag.Warning(it.Header(), "Override has no effect", "%s %s", r.Ignores(e), remedy))
}

// notSayable warns of an override that takes effect, although no configuration can express the result, so it isn't
// printed.
func notSayable(it source.Item) *hcl.Diagnostic {
	return diag.Warning(it.Header(), "Override can't be printed", "%s applies %s to a data block inside a check, which can't set it, and so it isn't printed. Remove it, or move the data block out of the check.", engineOf(it), diag.Escape(it.Called()))
}

// engineOf returns the name of the engine that reads an item, such as OpenTofu.
func engineOf(it source.Item) string { return it.Source().Engine.Product.Title() }

// keptEarlier warns of an item that can't replace the earlier one, old, because of its value (Rule.Keeps).
func keptEarlier(r *rules.Rule, it, old source.Item) *hcl.Diagnostic {
	d := diag.Warning(it.Header(), "Override has no effect", "%s Change it at %s instead.", r.Kept, placeOf(old))
	return withPlace(diag.WithCode(diag.NoEffect, d), "stays in effect", old)
}

// givenTwice warns of an argument in an escaping block that the same block also sets outside of it, as first, which
// is used.
func givenTwice(it, first source.Item) *hcl.Diagnostic {
	d := diag.Warning(it.Header(), "Override has no effect", "This block sets %s twice, and the value at %s outside the escaping block is used. %s refuses both once it has the provider's schema. Remove one of the two.", diag.Escape(it.Called()), placeOf(first), engineOf(it))
	return withPlace(diag.WithCode(diag.NoEffect, d), "used instead", first)
}

// cleared warns that an override block removes an argument by not repeating it (Rule.Absent).
func cleared(e *MergedItem, by *source.Block) *hcl.Diagnostic {
	d := diag.WithCode(Clearing, diag.Warning(by.Header(), "Override removes an argument", "This block drops %s, set at %s, and %s fails without it at run time. Repeat it here to keep it.", diag.Escape(e.Key.Name), placeOf(e.Live[0]), engineOf(by)))
	return withPlace(d, "set here", e.Live[0])
}

// mayDrop warns of an empty list or null over nested blocks: only the provider's schema decides whether it
// removes them. taken is a sentence about which of the two tofumerge prints.
func mayDrop(e *MergedItem, it source.Item, taken string) *hcl.Diagnostic {
	a := it.(*source.Attr)
	// The words for the value, and for the blocks in effect: one block, unless the switch finds otherwise.
	value, blocks := "[]", "1 "+diag.Escape(e.Key.Name)+" block"
	// An argument made of a JSON property such as "ingress": null has no expression to test, only its JSON text.
	if rules.Null.Passes(a) || string(a.Raw()) == "null" {
		value = "null"
	}
	switch {
	case slices.ContainsFunc(e.Live, isDynamic): // which makes any number
		blocks = "the " + diag.Escape(e.Key.Name) + " blocks"
	case len(e.Live) > 1:
		blocks = fmt.Sprintf("%d %s blocks", len(e.Live), diag.Escape(e.Key.Name))
	}
	d := diag.WithCode(MayDrop, diag.Warning(it.Header(), "Argument or nested block", "%s = %s may drop %s (%s): the provider's schema decides. %s To decide it, use --provider-schema FILE.", diag.Escape(e.Key.Name), value, blocks, diag.SomePlaces(source.Where(it), source.Wheres(e.Live), 8), taken))
	return withPlace(d, "earlier block", e.Live[0])
}

// isDynamic reports whether an item is a dynamic block, which can make any number of blocks.
func isDynamic(it source.Item) bool {
	b, ok := it.(*source.Block)
	return ok && b.Type == source.DynamicBlock
}

// otherKind warns of an override without effect: it writes an argument (isAttr) where the provider's schema has
// nested blocks, or the other way round. e is the merged item that it addresses.
func otherKind(e *MergedItem, it source.Item, isAttr bool) *hcl.Diagnostic {
	items, meaning := "these blocks", "an argument"
	if isAttr {
		items, meaning = "this argument", "a nested block"
	}
	d := diag.Warning(it.Header(), "Override has no effect", "For the provider, %s is %s, so %s ignores %s, and the one at %s stays in effect. Write both the same way.", diag.Escape(e.Key.Name), meaning, engineOf(it), items, placeOf(e.Live[0]))
	return withPlace(diag.WithCode(diag.NoEffect, d), "stays in effect", e.Live[0])
}

// outranked warns that two arguments of object exclude each other, such as count and for_each: override files
// brought them together, and the engine follows only winner. If it creates instances by winner but resolves
// references by loser, the code is Contradictory. The warning is shown as an error, because nobody can mean both.
func outranked(object, winner, loser *MergedItem) *hcl.Diagnostic {
	// Their names inside object, such as lifecycle.enabled.
	won, lost := rules.Dotted(winner.Path[len(object.Path)+1:]), rules.Dotted(loser.Path[len(object.Path)+1:])
	it := loser.Live[0]
	code, summary := Conflicting, "Conflicting meta-arguments"
	effect := fmt.Sprintf("uses only %s, without an error", won)
	if rules.Null.Passes(winner.Live[0]) {
		effect = fmt.Sprintf("uses only %s, and the plan fails because it is null", won)
	}
	// lifecycle.enabled in a primary file, since overrides can't set it: references go by the override's for_each.
	if winner.Rule.Do == rules.Drop {
		code, summary = Contradictory, "Contradictory meta-arguments"
		effect = fmt.Sprintf("reports no error: it creates instances by %s but resolves references by %s. Only %s is printed", won, lost, won)
	}
	d := diag.Warning(it.Header(), summary, "%s conflicts with %s at %s. %s %s. Remove one of the two.", lost, won, placeOf(winner.Live[0]), engineOf(it), effect)
	return withPlace(diag.ShowAsError(diag.WithCode(code, d)), won+" is used", winner.Live[0])
}

// constraintRevived warns of a version constraint, it, that OpenTofu ignores in its .tf file. Another constraint,
// tofu, is obeyed only in a .tofu file. So tofumerge must print the merged configuration as one, and in there
// OpenTofu obeys both.
func constraintRevived(it source.Item, tofu source.Item) *hcl.Diagnostic {
	d := diag.WithCode(OneFileOnly, diag.Warning(it.Header(), "Version constraint takes effect", "%s ignores this constraint in a .tf file. The one at %s needs the result in a .tofu file, where this one takes effect as well. %s", engineOf(it), placeOf(tofu), RemedyTofuOnly(it)))
	return withPlace(d, "in effect", tofu)
}

// destroyConnection warns of a connection and a destroy-time provisioner that the engine accepts in two
// files, but refuses in one block, as they are printed.
func destroyConnection(conn, provisioner source.Item) *hcl.Diagnostic {
	d := diag.WithCode(DestroyTime, diag.Warning(conn.Header(), "Connection of a destroy-time provisioner", "This connection refers to more than self, count.index and each.key, but the provisioner at %s runs at destroy time. %s accepts that across files and refuses it in one block, as it is printed. Refer to self only.", placeOf(provisioner), engineOf(conn)))
	return withPlace(d, "destroy-time provisioner", provisioner)
}

// lacksConfig warns of an override of an action that the engine can't load: not all files have a config
// block.
func lacksConfig(action *source.Block) *hcl.Diagnostic {
	return diag.Warning(action.Header(), "Action without a config block", "%s can't load this override, because not every block of the action has a config block. Add one, which may be empty, to each.", engineOf(action))
}

// remedyTofuOnly returns the remedy for an override of a kind that takes effect only in files that OpenTofu alone
// reads: move it to a .tofu file. A version constraint that the engine wouldn't meet there can only be removed.
func remedyTofuOnly(it source.Item) string {
	if a, isAttr := it.(*source.Attr); isAttr && !judge.WouldMeet(a) {
		return fmt.Sprintf("Remove it: in a .tofu file, %s %s would refuse the module for it.", a.File.Engine.Product.Title(), a.File.Engine.Version)
	}
	return "Move it to a .tofu file."
}

// RemedyTofuOnly returns the remedy for an item of a primary file that takes effect only in files that
// OpenTofu alone reads: "Move it …, or remove it." It adds the second half to remedyTofuOnly, which is for overrides.
func RemedyTofuOnly(it source.Item) string {
	text := remedyTofuOnly(it)
	if move, isMove := strings.CutSuffix(text, "."); isMove && strings.HasPrefix(move, "Move") {
		return move + ", or remove it."
	}
	return text
}

// An ambiguityKind is a reason why only the provider's schema shows whether a name is an argument or nested blocks.
type ambiguityKind int

const (
	blocksOverArgument ambiguityKind = iota // blocks over an argument, which is printed
	argumentOverBlocks                      // an argument over blocks, which is printed
	voidAsArgument                          // a JSON null or [] over possible blocks, printed as an argument

	ambiguityKinds
)

// An ambiguityKey identifies a warning about ambiguous names: one for each override block, and a separate one
// for null and [] in it.
type ambiguityKey struct {
	block  *source.Block
	isVoid bool
}

// An ambiguity is one warning that names in an override block may be arguments or nested blocks.
type ambiguity struct {
	warning *hcl.Diagnostic
	names   [ambiguityKinds]ambiguousNames
	also    []hcl.Range // of further items that the warning covers
}

// ambiguousNames holds names of one kind, and where the earlier layer sets them.
type ambiguousNames struct {
	names, places []string // the first ones
	more          int
}

// maxAmbiguous is how many names of a kind a warning lists.
const maxAmbiguous = 5

// add notes a name and its earlier location. Beyond maxAmbiguous, it only counts.
func (d *ambiguousNames) add(name, place string) {
	if len(d.names) == maxAmbiguous {
		d.more++
		return
	}
	d.names, d.places = append(d.names, name), append(d.places, place)
}

// ambiguities are the warnings of a merge about names that may be arguments or nested blocks.
type ambiguities map[ambiguityKey]*ambiguity

// add warns that an item and the earlier items in e may be an argument or nested blocks. All such items of a block
// share one warning, except that a JSON null or [] has another text and shares one with its like. add returns a new
// warning, to be reported, or nil if it only extended an earlier one.
func (a ambiguities) add(k ambiguityKind, e *MergedItem, it source.Item) (warning *hcl.Diagnostic) {
	key := ambiguityKey{Holder(it), k == voidAsArgument}
	d := a[key]
	if d == nil { // the block's first one
		note := "written the other way here"
		if k == voidAsArgument {
			note = "earlier value"
		}
		d = &ambiguity{warning: withPlace(diag.Warning(it.Header(), "Argument or nested block", ""), note, e.Live[0])}
		a[key] = d
		warning = d.warning
	} else {
		d.also = append(d.also, it.Header())
		diag.WithAlso(d.also, d.warning)
	}
	d.names[k].add(diag.Escape(e.Key.Name), placeOf(e.Live[0]))
	d.warning.Detail = d.text()
	return warning
}

// text words the warning anew from all names that it covers so far.
func (d *ambiguity) text() string {
	blocks, arguments := d.names[blocksOverArgument], d.names[argumentOverBlocks]
	void := d.names[voidAsArgument]
	switch {
	case len(void.names) > 0: // JSON null or []: they have a warning to themselves
		return void.voidText()
	case len(d.also) > 0: // several names
		return severalText(blocks, arguments)
	case len(blocks.names) > 0:
		return fmt.Sprintf("%s is a nested block here and an argument at %s. Only the provider's schema decides which one is in effect; tofumerge takes the argument, not these blocks. Write both the same way.", blocks.names[0], blocks.places[0])
	}
	return fmt.Sprintf("%s is an argument here and a nested block at %s. Only the provider's schema decides which one is in effect; tofumerge takes the argument, not the blocks. Write both the same way.", arguments.names[0], arguments.places[0])
}

// severalText words one warning about several names, each an argument in one file and a nested block in the
// other. text has shorter wordings for a single name.
func severalText(blocks, arguments ambiguousNames) string {
	var parts []string
	if len(blocks.names) > 0 {
		parts = append(parts, blocks.are("a nested block", "nested blocks")+" here and "+blocks.at("an argument", "arguments"))
	}
	if len(arguments.names) > 0 {
		parts = append(parts, arguments.are("an argument", "arguments")+" here and "+arguments.at("a nested block", "nested blocks"))
	}
	return strings.Join(parts, "; ") + ". Only the provider's schema decides which are in effect; tofumerge takes the arguments, not the blocks. Write each the same way in all files."
}

// voidText words the warning about JSON values null and []: for an argument they replace the earlier value, but for
// nested blocks they replace nothing.
func (d ambiguousNames) voidText() string {
	const remedy = "To decide it, use --provider-schema FILE."
	if len(d.names) == 1 {
		return fmt.Sprintf("If %s is an argument, this value replaces the one at %s. If it is a nested block, this value means no block, and the earlier ones stay. tofumerge takes it for an argument. %s", d.names[0], d.places[0], remedy)
	}
	return fmt.Sprintf("If %s are arguments, these values replace those at %s. If they are nested blocks, these values mean no block, and the earlier ones stay. tofumerge takes them for arguments. %s", d.list(d.names), d.list(d.places), remedy)
}

// list joins names or locations, and says how many were left out.
func (d ambiguousNames) list(words []string) string {
	if d.more > 0 {
		return strings.Join(words, ", ") + fmt.Sprintf(" and %d more", d.more)
	}
	return diag.Joined(words, "and")
}

// are states what the names are in the override: "a is an argument", "a and b are arguments".
func (d ambiguousNames) are(one, several string) string {
	if len(d.names) == 1 {
		return d.names[0] + " is " + one
	}
	return d.list(d.names) + " are " + several
}

// at states what the names are in the earlier files, and where: "a nested block at main.tf:3".
func (d ambiguousNames) at(one, several string) string {
	if len(d.names) == 1 {
		return one + " at " + d.places[0]
	}
	return several + " at " + d.list(d.places)
}
