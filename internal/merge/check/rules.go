// Package check finds mistakes in the override files of a merged module, for the command of that
// name.
//
// From a module and its diagnostics it makes findings, each under one of the Rules. The class of a
// diagnostic is known by its code, never by its text. A rule is one declaration, in rules.go, with
// its id, severity and words; a finding is only made by the rule's At, even in other packages.
//
// A notice is the last line of a primary block's lead comment, and names the overrides that
// determine its effective values: "# overridden: a_override.tf (instance_type)". A line of exactly
// this form there is a notice, even if a person wrote it; every other comment is the author's.
//
// Comments switch rules off for an item, a line or a file (CommentsOf), but never hide an error.
// The silenced findings are returned, not dropped, and comments that are wrong, silence nothing or
// are new cause findings themselves. A string or a heredoc contains no comment. Of very many
// findings of one kind, only some are listed (Bounded). The caller decides how to treat findings,
// for example by a policy.
package check

import (
	"slices"
)

// A Severity is how serious a finding is.
type Severity int

// The severities, the mildest first.
const (
	Notice Severity = iota
	Warning
	Error
)

var severityNames = [...]string{"notice", "warning", "error"}

// String returns the name of the severity in reports.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads the name of a severity, and reports whether there is one with that name.
func ParseSeverity(name string) (Severity, bool) {
	i := slices.Index(severityNames[:], name)
	return Severity(max(i, 0)), i >= 0
}

// A Rule is one thing that check looks for. docs/rules has a page for each.
type Rule struct {
	ID       string
	Severity Severity
	Off      bool   // looked for only if it is enabled
	Title    string // the problem in a few words
	Why      string // why it matters and what to do, in two or three sentences
	// Refusal means that no engine builds the module, or that the program can't judge it.
	Refusal bool
	Quotes  bool // messages may quote values, not only names
	// Unsilenced rules are about comments that switch rules off. No comment switches these off.
	Unsilenced bool
	// Binding means that no settings file of the change under review disables the rule, as if
	// its findings were errors.
	Binding bool
	// Varies means that flags decide what there is to find, so that it may be found elsewhere.
	Varies bool
	// Alone means that whether there is a finding depends only on the blocks of one address.
	Alone bool
}

// Rules are all rules of check, in the order in which they are declared here, and
// documented.
var Rules []*Rule

// declare adds a rule to Rules.
func declare(r Rule) *Rule {
	Rules = append(Rules, &r)
	return &r
}

// The rules.
var (
	syntaxError                  = declare(Rule{ID: "syntax-error", Severity: Error, Title: "File can't be parsed", Why: "The engine refuses the module. Fix the syntax error.", Refusal: true, Quotes: true})
	mergeError                   = declare(Rule{ID: "merge-error", Severity: Error, Title: "Engine refuses the module", Why: "A file declares or overrides something that the engine doesn't allow there. Change it or remove it.", Refusal: true, Quotes: true})
	unreadable                   = declare(Rule{ID: "unreadable", Severity: Error, Title: "File can't be read", Why: "The engine refuses the module while the file is there. Restore it or remove it.", Refusal: true, Quotes: true})
	oddBytes                     = declare(Rule{ID: "odd-bytes", Severity: Warning, Title: "File has bytes that are not text, or invisible characters", Why: "The engine accepts them here; in JSON it reads each byte as U+FFFD. Save the file as UTF-8, without characters that nobody sees."})
	noEffect                     = declare(Rule{ID: "no-effect", Alone: true, Severity: Warning, Title: "Override has no effect", Why: "The engine ignores it without a message. Change the primary file instead, or remove the line."})
	blockReplaceDropsArguments   = declare(Rule{ID: "block-replace-drops-arguments", Alone: true, Severity: Warning, Title: "Replaced nested block drops arguments", Why: "A nested block in an override replaces all blocks of its type and inherits nothing from them. Repeat the arguments, or suppress the finding if you want to drop them."})
	blockReplaceDropsBlocks      = declare(Rule{ID: "block-replace-drops-blocks", Alone: true, Severity: Warning, Title: "Replaced nested blocks are fewer", Why: "A nested block in an override replaces all blocks of its type, static and dynamic. Repeat the blocks, or suppress the finding if you want to drop them."})
	mapReplaceDropsKeys          = declare(Rule{ID: "map-replace-drops-keys", Alone: true, Severity: Warning, Title: "Replaced map drops keys", Why: "The value of an argument is replaced as a whole, even a map or an object. Repeat the keys, or suppress the finding if you want to drop them."})
	listReplaceDropsElements     = declare(Rule{ID: "list-replace-drops-elements", Alone: true, Severity: Notice, Off: true, Title: "Replaced list drops elements", Why: "The value of an argument is replaced as a whole, even a list. Repeat the elements that must stay."})
	countForEachConflict         = declare(Rule{ID: "count-for-each-conflict", Alone: true, Severity: Error, Title: "Conflict of count, for_each and enabled", Why: "An override brings them together, and the engine uses one of them without an error. Remove the others."})
	unnoticedConflict            = declare(Rule{ID: "unnoticed-conflict", Severity: Warning, Title: "Conflict across files", Why: "The engine doesn't notice the conflict when it loads the module, and fails later or never. Remove one of the two."})
	undecided                    = declare(Rule{ID: "undecided", Varies: true, Severity: Warning, Title: "Effect can't be decided or printed exactly", Why: "It depends on the provider's schema, or no configuration can express it. Write it the same way in all files, or use --provider-schema.", Quotes: true})
	nearMissFilename             = declare(Rule{ID: "near-miss-filename", Severity: Warning, Title: "File name only resembles an override file", Why: "No engine reads the file. Rename it if it must override."})
	shadowedFile                 = declare(Rule{ID: "shadowed-file", Severity: Notice, Title: "Shadowed file", Why: "OpenTofu reads x.tofu instead of x.tf; Terraform reads only x.tf. Remove one of the two, or keep both if the module is for both."})
	equivalentOverride           = declare(Rule{ID: "equivalent-override", Alone: true, Severity: Notice, Title: "Override repeats the effective value", Why: "It changes nothing now, but it will once the primary file changes. Remove it, or keep it to pin the value."})
	supersededOverride           = declare(Rule{ID: "superseded-override", Alone: true, Severity: Notice, Title: "Superseded override", Why: "A later override sets the same. Remove one of the two."})
	overrideAddsOnly             = declare(Rule{ID: "override-adds-only", Severity: Notice, Off: true, Title: "Override file overrides nothing", Why: "Everything in the file is new. It may be an override file only by its name. Rename it if it must not override."})
	moduleVersionWithLocalSource = declare(Rule{ID: "module-version-with-local-source", Severity: Warning, Title: "Local module with a version", Why: "The engine refuses a version in a module call with a local path. Remove the version, or set version = null in the override if the release allows that.", Quotes: true})
	invalidVersionConstraint     = declare(Rule{ID: "invalid-version-constraint", Severity: Error, Title: "Invalid version constraint", Why: "The engine refuses the module. Write a constraint such as ~> 1.2.", Refusal: true, Quotes: true})
	IgnoredOverride              = declare(Rule{ID: "ignored-override", Severity: Notice, Title: "Tracked override that .gitignore names", Why: "It looks like a file of one person, and applies to everybody. Remove it from the index, or the pattern from .gitignore."})
	UntrackedOverride            = declare(Rule{ID: "untracked-override", Severity: Notice, Off: true, Title: "Override that git doesn't track", Why: "It applies in this working tree only and never reaches CI. Add it, or remove it."})
	inertRequiredVersion         = declare(Rule{ID: "inert-required-version", Severity: Notice, Off: true, Title: "Ignored required_version", Why: "OpenTofu ignores required_version in .tf and .tf.json files (1.12 and later). Move it to a .tofu file."})
	EnginesDiffer                = declare(Rule{ID: "engines-differ", Varies: true, Severity: Warning, Off: true, Title: "Engines read the module differently", Why: "Another engine builds something else from the same files, or refuses them. Set it in the primary file, which all engines read the same way.", Quotes: true})
	unmarkedOverride             = declare(Rule{ID: "unmarked-override", Severity: Notice, Off: true, Title: "Missing or stale comment about overrides", Why: "Readers of the primary file can't see what overrides it. Run tofumerge check --fix --write, which corrects the comments."})
	invalidIgnore                = declare(Rule{ID: "invalid-ignore", Severity: Warning, Title: "Comment names no rule", Why: "The comment silences nothing, or less than it seems to. Correct the name of the rule, or remove the comment.", Unsilenced: true})
	unusedIgnore                 = declare(Rule{ID: "unused-ignore", Severity: Notice, Title: "Comment silences nothing", Why: "It would hide the finding if it came back, or it isn't where it works. Remove the comment, or move it to what the finding is about.", Unsilenced: true})
	newIgnore                    = declare(Rule{ID: "new-ignore", Severity: Warning, Title: "Change adds a comment that ignores rules", Why: "The revision of --only-new doesn't have the comment, which silences findings of the change. Have it reviewed, or remove it.", Unsilenced: true, Binding: true})
	internalError                = declare(Rule{ID: "internal-error", Severity: Error, Title: "tofumerge failed", Why: "This is a defect of tofumerge. It knows nothing else about the module. Report it.", Refusal: true, Quotes: true})
	DeniedOverride               = declare(Rule{ID: "denied-override", Severity: Error, Title: "Override denied by policy", Why: "The policy of the repository forbids this override. Change the primary file instead."})
)

// canSilence reports whether a comment can silence findings of the rule.
func (r *Rule) canSilence() bool { return r.Severity < Error && !r.Unsilenced }

// FindRule returns the rule with an id, or nil.
func FindRule(id string) *Rule {
	i := slices.IndexFunc(Rules, func(r *Rule) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return Rules[i]
}
