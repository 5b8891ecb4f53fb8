package layers

import (
	"slices"
)

// A Source is a way to set a variable, as reports name it.
type Source string

// The sources.
const (
	Default     Source = "default"     // of the declaration
	Environment Source = "environment" // TF_VAR_NAME
	File        Source = "file"        // that is loaded for the directory
	Option      Source = "option"      // -var
	OptionFile  Source = "option_file" // -var-file
)

// A Complaint is the engines' reaction to a value for a variable that isn't declared.
type Complaint int

// The complaints.
const (
	Silence Complaint = iota
	Warning
	Error
)

// A Rule describes how engines treat one source of values.
type Rule struct {
	Source Source
	// Level ranks sources: each outranks those of lower levels. Of several layers of one level the
	// last one wins: files in load order, options in the order given.
	Level int
	// Undeclared is the reaction to a value for a variable that isn't declared.
	Undeclared Complaint
	// Text sources are in no file. Their values are texts, which are read by the type of the
	// variable.
	Text bool
	// Why explains in a sentence when the source applies.
	Why string
}

// Rules are the sources, those first that others outrank, as the releases that
// engine.Observed lists treat them.
// https://opentofu.org/docs/language/values/variables/#variable-definition-precedence documents most of it.
var Rules = []Rule{
	{
		Source: Default,
		Level:  0,
		Why:    "Used if nothing else gives a value, or if that is null and nullable = false.",
	},
	{
		Source: Environment,
		Level:  1,
		Text:   true,
		Why:    "Outranks the default. A name that isn't declared is ignored.",
	},
	{
		Source:     File,
		Level:      2,
		Undeclared: Warning,
		Why:        "Loaded for the directory: terraform.tfvars, then terraform.tfvars.json, then the other files by their names. If several set a variable, the last one wins.",
	},
	{
		Source:     Option,
		Level:      3,
		Text:       true,
		Undeclared: Error,
		Why:        "Options outrank everything else. If several set a variable, the last one wins.",
	},
	{
		Source:     OptionFile,
		Level:      3,
		Undeclared: Warning,
		Why:        "Ranks with the other options, in the order given.",
	},
}

// RuleOf is the row of a source.
func RuleOf(s Source) *Rule {
	return &Rules[slices.IndexFunc(Rules, func(r Rule) bool { return r.Source == s })]
}

// declaration is the type of the blocks that declare what layers give values to; defaultOf
// is the argument that is the lowest layer, and typeOf what values are converted to.
const (
	declaration = "variable"
	defaultOf   = "default"
	typeOf      = "type"
)

// A remote is a block in effect with which variables may be set where they can't be seen: in
// the workspaces of a service.
type remote struct {
	path  string // block types, joined by "/"
	label string // of the last one, empty for any
}

var remotes = []remote{
	{"terraform/cloud", ""},
	{"terraform/backend", "remote"},
}
