package layers

import (
	"bytes"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
)

// A Source is a way to set a variable, as reports name it.
type Source string

// The sources.
const (
	Default         Source = "default"          // of the declaration
	Environment     Source = "environment"      // TF_VAR_NAME
	File            Source = "file"             // that is loaded for the directory
	Option          Source = "option"           // -var
	OptionFile      Source = "option_file"      // -var-file
	TestsFile       Source = "tests_file"       // that is loaded for the directory of tests
	TestDeclaration Source = "test_declaration" // a variable block of a test file
	TestValues      Source = "test_values"      // the variables block of a test file
	RunValues       Source = "run_values"       // the variables block of a run block
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
	// Undeclared is the reaction to a value for a variable that isn't declared, and InTests the
	// reaction of the command test.
	Undeclared, InTests Complaint
	// Text sources are in no file. Their values are texts, which are read by the type of the
	// variable.
	Text bool
	// TestsOnly sources are read by the command test alone.
	TestsOnly bool
	// Beside sources count only for test files of their own directory.
	Beside bool
	// Open sources hold expressions that may refer to unknown objects.
	Open bool
	// Engines are the releases that do so; all, if it is empty.
	Engines engine.Releases
	// Why explains in a sentence when the source applies.
	Why string
}

// Rules are the sources, those first that others outrank, as the releases that
// engine.Observed lists treat them.
// https://opentofu.org/docs/language/values/variables/#variable-definition-precedence and
// https://opentofu.org/docs/cli/commands/test/ document most of it.
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
		Why:        "Options outrank everything but test files. If several set a variable, the last one wins.",
	},
	{
		Source:     OptionFile,
		Level:      3,
		Undeclared: Warning,
		Why:        "Ranks with the other options, in the order given.",
	},
	{
		Source:    TestsFile,
		Level:     4,
		TestsOnly: true,
		Engines:   engine.Releases{OpenTofu: ">= 1.7"},
		Why:       "Variables files in the directory of tests outrank even options, for all test files.",
	},
	{
		Source:    TestsFile,
		Level:     4,
		TestsOnly: true,
		Beside:    true,
		Engines:   engine.Releases{Terraform: ">= 1.7"},
		Why:       "Variables files in the directory of tests outrank even options, for test files in that directory.",
	},
	{
		Source:    TestDeclaration,
		Level:     5,
		TestsOnly: true,
		Open:      true,
		Engines:   engine.Releases{Terraform: ">= 1.13"},
		Why:       "A variable block in a test file converts the values from outside to its type, and can declare a separate default.",
	},
	{
		Source:    TestValues,
		Level:     6,
		TestsOnly: true,
		Open:      true,
		Engines:   engine.Releases{OpenTofu: ">= 1.6", Terraform: ">= 1.6"},
		Why:       "The variables block of a test file outranks everything outside of the file.",
	},
	{
		Source:    RunValues,
		Level:     7,
		TestsOnly: true,
		Open:      true,
		Engines:   engine.Releases{OpenTofu: ">= 1.6"},
		Why:       "The variables block of a run block outranks everything else.",
	},
	{
		Source:    RunValues,
		Level:     7,
		InTests:   Warning,
		TestsOnly: true,
		Open:      true,
		Engines:   engine.Releases{Terraform: ">= 1.6"},
		Why:       "The variables block of a run block outranks everything else. A name that isn't declared is reported.",
	},
}

// RuleOf is the row of a source that an engine follows, or nil.
func RuleOf(s Source, e engine.Release) *Rule {
	for i := range Rules {
		if r := &Rules[i]; r.Source == s && r.Engines.Has(e) {
			return r
		}
	}
	return nil
}

// Releases words the set of known releases that follow the rule.
func (r *Rule) Releases() string { return r.Engines.String() }

// Sentence is Why with the releases that the rule holds for, unless that is all of them.
func (r *Rule) Sentence() string {
	if r.Engines.IsAll() {
		return r.Why
	}
	return strings.TrimSuffix(r.Why, ".") + " (" + r.Releases() + ")."
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

// A ValueChange is a variable whose value is not the same in two sets.
type ValueChange struct {
	Name string
	// Before and After are the values; nil if the module doesn't declare the variable.
	Before, After *ValueSide
}

// A ValueSide is a value, and the layer in effect; nil if nothing gives one.
type ValueSide struct {
	Result
	From *Layer
}

// Kind is what became of the value.
func (c *ValueChange) Kind() changes.Kind {
	switch {
	case c.Before == nil:
		return changes.Added
	case c.After == nil:
		return changes.Dropped
	}
	return changes.Changed
}

// IsSecret reports whether one of the values is not to be shown. Then neither is.
func (c *ValueChange) IsSecret() bool { return c.Before.isSecret() || c.After.isSecret() }

func (v *ValueSide) isSecret() bool {
	return v != nil && (v.Result.IsSecret || v.From != nil && v.From.IsSecret)
}

// Between lists the declared variables whose values are not the same in two sets: in the order of
// the later one, and then those that only the earlier one declares.
func Between(was, is *Set) []ValueChange {
	var list []ValueChange
	add := func(name string) {
		c := ValueChange{Name: name, Before: was.side(name), After: is.side(name)}
		if (c.Before != nil || c.After != nil) && !c.Before.isSame(c.After) {
			list = append(list, c)
		}
	}
	for _, v := range is.variables {
		add(v.Name)
	}
	for _, v := range was.variables {
		if is.byName[v.Name] == nil {
			add(v.Name)
		}
	}
	return list
}

// side is the value of a variable that is declared, or nil.
func (s *Set) side(name string) *ValueSide {
	v := s.byName[name]
	if v == nil || v.Item == nil {
		return nil
	}
	side := &ValueSide{s.Result(v), v.InEffect()}
	if side.IsDefault {
		side.From = &v.Layers[0]
	}
	return side
}

// isSame reports whether two values are the same. Values that are unknown, or too large to compare,
// are the same if their texts are.
func (v *ValueSide) isSame(other *ValueSide) bool {
	switch {
	case v == nil || other == nil:
		return v == other
	case v.State != other.State:
		return false
	case v.State == Known && !limits.IsVast(v.Value) && !limits.IsVast(other.Value):
		return bytes.Equal(computed.ValueText(v.Value), computed.ValueText(other.Value))
	}
	return bytes.Equal(v.From.text(), other.From.text())
}

// text is a layer's value as it was written.
func (l *Layer) text() []byte {
	switch {
	case l == nil:
		return nil
	case l.Default != nil:
		return l.Default.Display()
	case l.Value != nil:
		return l.Value.Text()
	}
	return nil
}
