// Package effect has the words for what an override does. Each has one meaning:
//
//   - a Kind of effect is what an item does to the name that it addresses, when its file is applied;
//   - a Status is what became of the item once all files are applied;
//   - a Verb is what a list of override files shows of both;
//   - a Mark is the kind of a comment about it, which has a colour.
//
// The tables are data, and the table of words in ARCHITECTURE.md is made from them. A step of a
// history records a kind, an outcome the kind and the status of one item. The package knows no
// item: which effect one has is decided in package merge.
package effect

// A Mark is the kind of a comment, or of a row of a table, about an override: one word
// for people, which has one colour.
type Mark string

// The marks. Items without one are not coloured.
const (
	MarkOverride Mark = "override"
	MarkAdded    Mark = "added"
	MarkReplaced Mark = "replaced"
	MarkRemoved  Mark = "removed"
	MarkMerged   Mark = "merged"
	MarkNoEffect Mark = "no effect"
	MarkInForce  Mark = "in force"
	MarkRefused  Mark = "refused"
)

// An effectRow holds the words for a kind of effect, and the statuses that it gives the item and earlier items.
type effectRow struct {
	word string // the effect in reports
	verb Verb   // in a list of override files, unless the caller knows better; empty: the effect isn't listed
	lost Status // of the item itself, if the effect keeps it from ever taking effect
	ends Status // the status of the earlier items that it ended
	part string // for people: what a block did whose items are judged separately; see OfBlock
}

// effects has a row for each kind.
var effects = [count]effectRow{
	Defined:   {word: "defined", part: "declared"},
	Added:     {word: "added", verb: Adds, ends: StatusReplaced, part: "added"},
	Replaced:  {word: "replaced", verb: Replaces, ends: StatusReplaced},
	Extended:  {word: "extended", part: "merged"},
	Hidden:    {word: "hidden", ends: StatusHidden},
	Cleared:   {word: "cleared", verb: Removes, ends: StatusCleared},
	Converted: {word: "converted"},
	Ignored:   {word: "ignored", verb: HasNoEffect, lost: StatusNoEffect},
	Undecided: {word: "undecided", verb: isUndecided, lost: StatusUndecided},
	Matched:   {word: "matched", lost: StatusMatched},
	Refused:   {word: "refused", verb: IsRefused, lost: StatusRefused},
	Missing:   {word: "missing", verb: lacksBase, lost: StatusMissingBase},
}

// String returns the effect's word in reports.
func (e Kind) String() string { return effects[e].word }

// Verb returns the verb for the effect in a list of override files, and whether the list shows the effect at
// all.
func (e Kind) Verb() (Verb, bool) { return effects[e].verb, effects[e].verb != "" }

// Lost returns the status of an item with this effect if it never takes effect, such as StatusRefused; "" if it
// does take effect.
func (e Kind) Lost() Status { return effects[e].lost }

// Ends returns the status that earlier items of the name get when an item with this effect puts them out of effect,
// such as StatusReplaced; "" if the effect lets them stay.
func (e Kind) Ends() Status { return effects[e].ends }

// OfBlock returns, for people, what a block did if its items are judged one by one: "declared", "added" or
// "merged". It is "" for other effects.
func (e Kind) OfBlock() string { return effects[e].part }

// A Status is what became of an item once all files are applied.
type Status string

// The statuses, as reports spell them.
const (
	StatusEffective   Status = "effective"    // it is effective, or part of the effective value
	StatusMerged      Status = "merged"       // a block whose items count each by themselves
	StatusReplaced    Status = "replaced"     // a later item replaced it
	StatusHidden      Status = "hidden"       // something else takes precedence
	StatusCleared     Status = "cleared"      // a later block's lack of it took it away
	StatusNoEffect    Status = "no_effect"    // it never did anything
	StatusUndecided   Status = "undecided"    // only the provider's schema reports whether it takes effect
	StatusMatched     Status = "matched"      // it is part of the address
	StatusRefused     Status = "refused"      // it is an error
	StatusMissingBase Status = "missing_base" // it addresses nothing, which is an error
)

// A wordRow holds a status or a verb of reports in the words that people read, its mark, and a symbol for
// tables.
type wordRow struct {
	forPeople string
	mark      Mark
	symbol    string
}

var statuses = map[Status]wordRow{
	StatusEffective:   {"effective", MarkInForce, ""},
	StatusMerged:      {"merged", "", ""}, // by its effect: see effectRow.part
	StatusReplaced:    {"replaced", "", ""},
	StatusHidden:      {"outranked", "", ""},
	StatusCleared:     {"removed", "", ""}, // the participle, not the block type
	StatusNoEffect:    {"no effect", MarkNoEffect, ""},
	StatusUndecided:   {"undecided", MarkNoEffect, ""},
	StatusMatched:     {"matched", "", ""},
	StatusRefused:     {"refused", MarkRefused, ""},
	StatusMissingBase: {"missing base", MarkRefused, ""},
}

// Words returns the status as people read it: "outranked" for StatusHidden.
func (s Status) Words() string { return statuses[s].forPeople }

// Mark returns the mark of a row that shows the status; "" if such rows are not coloured.
func (s Status) Mark() Mark { return statuses[s].mark }

// IsInEffect reports whether the item is in effect, as a whole or by the items in it.
func (s Status) IsInEffect() bool { return s == StatusEffective || s == StatusMerged }

// A Verb is what a list of override files says that a file does to one name.
type Verb string

// The verbs, as reports spell them.
const (
	Overrides   Verb = "overrides" // an argument
	Replaces    Verb = "replaces"  // nested blocks
	Adds        Verb = "adds"
	Removes     Verb = "removes" // by lacking it
	Repeats     Verb = "same"    // the value that was effective already
	HasNoEffect Verb = "no_effect"
	isUndecided Verb = "undecided"
	lacksBase   Verb = "missing_base"
	IsRefused   Verb = "refused"
)

// Verbs lists all verbs in the order of totals.
var Verbs = []Verb{Overrides, Replaces, Adds, Removes, Repeats, HasNoEffect, isUndecided, lacksBase, IsRefused}

var verbs = map[Verb]wordRow{
	Overrides:   {"overrides", MarkOverride, "~"},
	Replaces:    {"replaces", MarkReplaced, "~"},
	Adds:        {"adds", MarkAdded, "+"},
	Removes:     {"removes", MarkRemoved, "-"},
	Repeats:     {"repeats", MarkMerged, "="},
	HasNoEffect: {"no effect", MarkNoEffect, "×"},
	isUndecided: {"undecided", MarkNoEffect, "?"},
	lacksBase:   {"missing base", MarkRefused, "!"},
	IsRefused:   {"refused", MarkRefused, "!"},
}

// Words returns the verb as people read it: "repeats" for Repeats.
func (d Verb) Words() string { return verbs[d].forPeople }

// Mark returns the mark of a row that shows the verb.
func (d Verb) Mark() Mark { return verbs[d].mark }

// Symbol returns the sign of a row that shows the verb, such as + for Adds.
func (d Verb) Symbol() string { return verbs[d].symbol }

// A Kind is what one source item did to the name that it addresses, when its file was applied.
type Kind int

// The effects.
const (
	Defined   Kind = iota // a primary file gave it first
	Added                 // an override file gave it first
	Replaced              // replaced the earlier items
	Extended              // a block whose items were merged
	Hidden                // something else took precedence
	Cleared               // taken away by a later block's lack of it
	Converted             // the effective value is computed from the written one
	Ignored               // did nothing
	Undecided             // only the provider's schema reports whether it takes effect
	Matched               // is part of the address
	Refused               // is an error
	Missing               // addresses nothing, which is an error

	count // no effect
)
