package layers

import (
	"bytes"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
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
