package check

import "slices"

// A Severity says how bad a finding is.
type Severity int

// The severities, the mildest first.
const (
	Notice Severity = iota
	Warning
	Error
)

var severityNames = [...]string{"notice", "warning", "error"}

func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads the name of a severity.
func ParseSeverity(name string) (Severity, bool) {
	for i, n := range severityNames {
		if n == name {
			return Severity(i), true
		}
	}
	return 0, false
}

// A Rule is one thing that check looks for. docs/rules has a page for each.
type Rule struct {
	ID       string
	Severity Severity
	Off      bool   // looked for only where it is enabled
	Title    string // what is wrong, in a few words
	Why      string // what follows from it, and what to do, in a sentence or two
}

// Rules are all rules of check, in the order in which they are declared here, and
// documented.
var Rules []*Rule

// declare adds a rule to the others.
func declare(r Rule) *Rule {
	Rules = append(Rules, &r)
	return &r
}

// The rules.
var (
	syntaxError                  = declare(Rule{ID: "syntax-error", Severity: Error, Title: "A file can't be parsed", Why: "The engine refuses the module. Mend the syntax."})
	mergeError                   = declare(Rule{ID: "merge-error", Severity: Error, Title: "The engine refuses the module", Why: "What a file declares, or what an override changes, is not allowed where it stands."})
	unreadable                   = declare(Rule{ID: "unreadable", Severity: Error, Title: "A file can't be read", Why: "The engine refuses the module as long as the file is there."})
	oddBytes                     = declare(Rule{ID: "odd-bytes", Severity: Warning, Title: "A file holds bytes that are no text", Why: "The engine takes them where they stand; in JSON each becomes U+FFFD. Save the file as UTF-8."})
	noEffect                     = declare(Rule{ID: "no-effect", Severity: Warning, Title: "An override does nothing", Why: "The engine ignores this line without a word. Change the primary file instead, or remove the line."})
	blockReplaceDropsArguments   = declare(Rule{ID: "block-replace-drops-arguments", Severity: Warning, Title: "A replaced nested block loses arguments", Why: "A nested block of an override replaces all blocks of its type, so that arguments which it does not repeat are gone. Repeat them, or say that they are meant to go."})
	mapReplaceDropsKeys          = declare(Rule{ID: "map-replace-drops-keys", Severity: Warning, Title: "A replaced map loses keys", Why: "The value of an argument replaces the earlier one as a whole, also if it is a map or an object, so the keys it leaves out are gone. Repeat them, or switch the rule off where they are meant to go."})
	listReplaceDropsElements     = declare(Rule{ID: "list-replace-drops-elements", Severity: Notice, Off: true, Title: "A replaced list loses elements", Why: "The value of an argument replaces the earlier one as a whole, also if it is a list. Repeat the elements that must stay."})
	countForEachConflict         = declare(Rule{ID: "count-for-each-conflict", Severity: Error, Title: "An override brings count, for_each and enabled together", Why: "The engine follows one of them without an error, and no plan says so. Remove the one that is not meant."})
	unnoticedConflict            = declare(Rule{ID: "unnoticed-conflict", Severity: Warning, Title: "Files together make what one block may not hold", Why: "The engine does not notice it while the parts stand in different blocks, and refuses the same in one block. Remove one of the two."})
	undecided                    = declare(Rule{ID: "undecided", Severity: Warning, Title: "What an override does can't be decided or said exactly", Why: "Only a provider's schema tells, or no configuration can say what the engine has in memory."})
	nearMissFilename             = declare(Rule{ID: "near-miss-filename", Severity: Warning, Title: "A file only looks like an override file", Why: "It is read as a primary file, or not at all. Rename it if it is meant to override."})
	shadowedFile                 = declare(Rule{ID: "shadowed-file", Severity: Notice, Title: "A file is hidden by another one", Why: "OpenTofu reads x.tofu instead of x.tf; Terraform does not. Remove the one that is not meant."})
	equivalentOverride           = declare(Rule{ID: "equivalent-override", Severity: Notice, Title: "An override sets what is already set", Why: "It changes nothing now, but it will when the primary file changes. Remove it, or keep it on purpose."})
	supersededOverride           = declare(Rule{ID: "superseded-override", Severity: Notice, Title: "A later override sets the same", Why: "Of two overrides only the later one counts here. Remove the line that lost."})
	overrideAddsOnly             = declare(Rule{ID: "override-adds-only", Severity: Notice, Off: true, Title: "An override file overrides nothing", Why: "All that the file holds is new, so it may be an override file only by its name. Rename it if it isn't meant to override."})
	moduleVersionWithLocalSource = declare(Rule{ID: "module-version-with-local-source", Severity: Warning, Title: "A local module has a version", Why: "A module call with a local path takes no version. An override that gives a local source has to set version = null."})
	lockMismatch                 = declare(Rule{ID: "lock-mismatch", Severity: Warning, Title: "The lock file does not fit the effective constraint", Why: "The version in .terraform.lock.hcl does not meet the constraint that is in effect after the merge. Run init -upgrade, or change the constraint."})
	invalidVersionConstraint     = declare(Rule{ID: "invalid-version-constraint", Severity: Error, Title: "A version constraint is none", Why: "The engine refuses the module."})
	inertRequiredVersion         = declare(Rule{ID: "inert-required-version", Severity: Notice, Off: true, Title: "A required_version is not looked at", Why: "OpenTofu since 1.12 looks at required_version in .tofu and .tofu.json files only."})
	EnginesDiffer                = declare(Rule{ID: "engines-differ", Severity: Warning, Off: true, Title: "The module does not mean the same to another engine", Why: "What one of the engines that the module is for builds of it is not what the other one builds, or one refuses it."})
	unmarkedOverride             = declare(Rule{ID: "unmarked-override", Severity: Notice, Off: true, Title: "A block does not name the file that overrides it", Why: "Readers of the primary file can't know that it is overridden. tofumerge mark writes the comment."})
	internalError                = declare(Rule{ID: "internal-error", Severity: Error, Title: "tofumerge fails on the module", Why: "This is a defect of tofumerge, so that nothing else is known of the module. Report it."})
	DeniedOverride               = declare(Rule{ID: "denied-override", Severity: Error, Title: "An override is not allowed here", Why: "The policy of this repository forbids it."})
)

// FindRule returns the rule of an id, or nil.
func FindRule(id string) *Rule {
	i := slices.IndexFunc(Rules, func(r *Rule) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return Rules[i]
}
