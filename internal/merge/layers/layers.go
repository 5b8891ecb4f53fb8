// Package layers finds where the values of variables come from when a module is the root module of
// a run: the layers that set them, in the order in which engines apply them, which one is in
// effect, and its value by the declared type.
//
//	variable "stage" {             # main.tf
//	  default = "dev"
//	}
//	stage = "qa"                   # terraform.tfvars: outranked
//	stage = "prod"                 # z.auto.tfvars: in effect
//
// From a merged module and the variables files of its directory, it derives for each variable the
// layers and the result. What options and the environment of a run set is not known.
//
// Nothing is evaluated but constants. Variables set in the workspace of a remote backend are unknown
// (Set.Remote), and validation blocks are not judged.
package layers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/zclconf/go-cty/cty"
)

// A Layer is something that gives a variable a value.
type Layer struct {
	Source Source
	// Value is the given value; nil for a default.
	Value *assignments.Value
	// Default is the argument in effect; nil for other layers.
	Default *source.Attr
	Range   hcl.Range // of the name
	// IsSecret is set if the value must not be shown.
	IsSecret bool
}

// A Variable is a name with its layers.
type Variable struct {
	Name string
	// Item is the declaration; nil if the module has none.
	Item   *merge.MergedItem
	Layers []Layer // each is outranked by the next one
}

// InEffect is the layer that outranks the others, nil without any.
func (v *Variable) InEffect() *Layer {
	if len(v.Layers) == 0 {
		return nil
	}
	return &v.Layers[len(v.Layers)-1]
}

// A Set has the layers of all variables of a module.
type Set struct {
	Module *merge.Module
	// Broken are the files that the engine refuses, so that there is no run.
	Broken []string
	// Remote is the block in effect with which variables may be set elsewhere, or nil.
	Remote source.Item
	// IsPartial is set if some configuration file can't be read or parsed: it may declare any
	// variable.
	IsPartial bool

	variables []*Variable // declared ones in load order, then the others as they are given
	byName    map[string]*Variable
}

// Of finds the layers of the variables of a module, as if that were the root module, whose
// variables files are given in load order.
func Of(m *merge.Module, files []*assignments.File) *Set {
	s := &Set{Module: m, Remote: remoteOf(m), byName: map[string]*Variable{}}
	s.IsPartial = slices.ContainsFunc(m.Source.Files, func(f *source.File) bool { return f.Broken })
	s.addDeclared()
	for _, f := range files {
		s.addValues(f)
	}
	return s
}

// Variables lists those that are declared in load order, and then those that are only given
// a value.
func (s *Set) Variables() []*Variable { return s.variables }

// Variable returns the variable of a name, or nil.
func (s *Set) Variable(name string) *Variable { return s.byName[name] }

// Declares reports whether an item declares a variable, or is an argument of one that does.
func Declares(item *merge.MergedItem) bool {
	return item.InEffect() && declares(item.Live[0])
}

// declares reports whether an item of a file declares a variable, or is in a block that does.
func declares(it source.Item) bool {
	b := source.Top(it)
	return b != nil && b.Type == declaration && language.HasItsLabels(b)
}

// Of is the variable that an item declares, or that the item is an argument of, if anything
// but its default gives it a value; nil for others, and in a set that is nil.
func (s *Set) Of(item *merge.MergedItem) *Variable {
	if s == nil || !item.InEffect() {
		return nil
	}
	return s.GivenAt(item.Live[0])
}

// GivenAt is Of for an item of a file.
func (s *Set) GivenAt(it source.Item) *Variable {
	if s == nil || !declares(it) {
		return nil
	}
	v := s.byName[source.Top(it).Labels[0]]
	if v != nil && slices.ContainsFunc(v.Layers, func(l Layer) bool { return l.Default == nil }) {
		return v
	}
	return nil
}

// DeclaredBy is the variable that an item declares, or that the item is an argument of; nil for
// others, and in a set that is nil.
func (s *Set) DeclaredBy(item *merge.MergedItem) *Variable {
	if s == nil || !Declares(item) {
		return nil
	}
	return s.byName[source.Top(item.Live[0]).Labels[0]]
}

// addDeclared adds the variables of the module, with their defaults.
func (s *Set) addDeclared() {
	items := s.Module.AllOf(func(f *source.File, i int) bool { return f.TypeOf(i) == declaration })
	for _, item := range s.Module.InLoadOrder(items) {
		if item.Path != declaration || !item.InEffect() || !language.HasItsLabels(item.Live[0].(*source.Block)) {
			continue
		}
		v := s.variable(item.Live[0].(*source.Block).Labels[0])
		v.Item = item
		if a := argumentOf(item, defaultOf); a != nil {
			isSecret := s.Module.Source.Secrets().Covers(a)
			v.Layers = append(v.Layers, Layer{Source: Default, Default: a, Range: source.Where(a), IsSecret: isSecret})
		}
	}
}

// variable is the variable of a name, which is taken up if it is new.
func (s *Set) variable(name string) *Variable {
	v := s.byName[name]
	if v == nil {
		v = &Variable{Name: name}
		s.byName[name] = v
		s.variables = append(s.variables, v)
	}
	return v
}

// argumentOf is an argument in effect of a block.
func argumentOf(item *merge.MergedItem, name string) *source.Attr {
	return item.Inner().Item(merge.Key{Name: name}).Attr()
}

// block is the declaration of a variable in a primary file, nil without one.
func (v *Variable) block() *source.Block {
	if v.Item == nil {
		return nil
	}
	return v.Item.Live[0].(*source.Block)
}

// addValues adds the values of a file.
func (s *Set) addValues(f *assignments.File) {
	if f.Broken {
		s.Broken = append(s.Broken, f.Name)
	}
	secrets := s.Module.Source.Secrets()
	for i := range f.Values {
		value := &f.Values[i]
		v := s.variable(value.Name)
		isSecret := f.Outside && !s.Module.Source.ShowSource || secrets.CoversGiven(v.block(), value.Name, value.Text())
		v.Layers = append(v.Layers, Layer{Source: File, Value: value, Range: value.Key, IsSecret: isSecret})
	}
}

// remoteOf is the block in effect with which variables may be set elsewhere, or nil.
func remoteOf(m *merge.Module) source.Item {
	for _, r := range remotes {
		item := itemAt(m, r.path)
		if item == nil || !item.InEffect() {
			continue
		}
		if b, ok := item.Live[0].(*source.Block); ok && (r.label == "" || slices.Equal(b.Labels, []string{r.label})) {
			return b
		}
	}
	return nil
}

// itemAt follows a path of block types; all top-level blocks of the first type are one item.
func itemAt(m *merge.Module, way string) *merge.MergedItem {
	top, rest, _ := strings.Cut(way, "/")
	body := m.Root
	item := body.Item(merge.Key{Name: top})
	for item != nil && rest != "" {
		top, rest, _ = strings.Cut(rest, "/")
		item = item.Inner().Item(merge.Key{Name: top})
	}
	return item
}

// A Status is the outcome of a layer, as reports spell it.
type Status string

// The statuses.
const (
	InEffect     Status = "in_effect"
	GivesDefault Status = "gives_default" // null is in effect, so the default is used
	Outranked    Status = "outranked"
	NotUsable    Status = "refused"    // in effect, and the engine refuses the value
	Unclear      Status = "undecided"  // in effect, and more is needed to know the value
	NotDeclared  Status = "undeclared" // no variable of the module takes the value
)

// An Outcome is what became of a layer.
type Outcome struct {
	*Layer
	Status Status
	By     *Layer // in effect instead; nil unless the layer is outranked
}

// Outcomes returns what became of each layer of a variable that has a result, the lowest
// layer first.
func Outcomes(v *Variable, r Result) []Outcome {
	top := v.InEffect()
	list := make([]Outcome, len(v.Layers))
	for i := range v.Layers {
		o := Outcome{&v.Layers[i], Outranked, top}
		switch {
		case r.State == Undeclared:
			o.Status, o.By = NotDeclared, nil
		case i == 0 && r.IsDefault:
			o.Status, o.By = InEffect, nil
		case o.Layer == top:
			o.Status, o.By = statusOf(r), nil
		}
		list[i] = o
	}
	return list
}

// statusOf is what became of the layer in effect.
func statusOf(r Result) Status {
	switch {
	case r.State == Refused:
		return NotUsable
	case r.State == Undecided:
		return Unclear
	case r.IsDefault:
		return GivesDefault
	}
	return InEffect
}

// OutrankedDefaults has, for each default that is not in effect, the layer that is.
type OutrankedDefaults map[*source.Attr]*Layer

// Outranked finds those defaults. It finds none in a set that is nil, nor if a file is refused,
// because there is no run then.
func (s *Set) Outranked() OutrankedDefaults {
	if s == nil || len(s.Broken) > 0 {
		return nil
	}
	found := OutrankedDefaults{}
	for _, v := range s.variables {
		if len(v.Layers) < 2 || v.Layers[0].Default == nil || v.Item == nil {
			continue
		}
		if o := Outcomes(v, s.Result(v))[0]; o.By != nil {
			found[o.Default] = o.By
		}
	}
	return found
}

// A State is how much is known about the value of a variable.
type State string

// The states, as reports name them.
const (
	Known      State = "known"
	Unset      State = "unset"      // no value: the engine prompts for one, or fails
	Refused    State = "refused"    // the engine can't use the value in effect
	Undecided  State = "undecided"  // more is needed to know the value
	Undeclared State = "undeclared" // no variable of the module takes the value
)

// A Result is the outcome of a variable's layers. Expensive parts are computed on demand.
type Result struct {
	State State
	Value cty.Value // NilVal unless it is known
	// IsDefault is set if the default is in effect although a layer has a value: null, which is not
	// allowed.
	IsDefault bool
	// IsSecret is set if the value must not be shown.
	IsSecret bool
	// Why explains in a sentence why the value is refused or not decided.
	Why string
	// Range is the location of the refused value.
	Range hcl.Range

	given cty.Value          // in effect; NilVal for a default
	of    *computed.Variable // nil unless the value is known
}

// Text is the value in native syntax; nil unless it is known, and of one that is not to be
// shown or too large to be written out.
func (r *Result) Text() []byte {
	if r.of == nil || r.IsSecret || limits.IsVast(r.Value) {
		return nil
	}
	return computed.NativeText(&computed.Literal{Value: r.Value, Type: r.of.Type()})
}

// IsFilled reports whether defaults of optional attributes were filled in.
func (r *Result) IsFilled() bool { return r.of != nil && r.of.Fills(r.given) }

// IsConverted reports whether the type turns the given value into another one.
func (r *Result) IsConverted() bool {
	if r.of == nil || r.IsDefault || r.given == cty.NilVal || limits.IsVast(r.given) || limits.IsVast(r.Value) {
		return false
	}
	return !bytes.Equal(computed.ValueText(r.Value), computed.ValueText(r.given))
}

// Result is the outcome of a variable's layers.
func (s *Set) Result(v *Variable) Result {
	top := v.InEffect()
	switch {
	case v.Item == nil && s.IsPartial:
		return undecided("A configuration file that can't be read or parsed may declare it.")
	case v.Item == nil:
		return Result{State: Undeclared}
	case len(s.Broken) > 0:
		return undecided(fmt.Sprintf("%s can't be read, or is refused, so nothing can be run.", diag.FileName(s.Broken[0])))
	}
	state := s.Module.Variable(v.Item)
	switch {
	case v.block().File.Broken:
		return undecided("The configuration file that declares it can't be read or parsed.")
	case !state.IsFit():
		return undecided("The engine refuses the declaration, or its default can't be computed here.")
	case top == nil:
		return Result{State: Unset, Why: "Nothing gives a value, so the engine prompts for one, or fails."}
	}
	return s.given(v, state, top)
}

// TypeOf is the declared type of a variable, or nil.
func (s *Set) TypeOf(v *Variable) *source.Attr {
	if v.Item == nil {
		return nil
	}
	return argumentOf(v.Item, typeOf)
}

func undecided(why string) Result { return Result{State: Undecided, Why: why} }

// given is the effective layer's value, converted by the type.
func (s *Set) given(v *Variable, state *computed.Variable, top *Layer) Result {
	value := cty.NilVal
	if top.Value != nil {
		constant, diags := top.Value.Constant()
		if diags.HasErrors() {
			return unusable(top, diags)
		}
		value = constant
	}
	made, err := state.Given(value)
	switch {
	case errors.Is(err, limits.ErrCostly):
		return undecided("Converting the value takes too much work here.")
	case err != nil:
		return Result{State: Refused, Range: top.Value.Range, Why: refusal(top, err)}
	}
	r := Result{State: Known, Value: made, IsSecret: top.IsSecret, given: value, of: state}
	r.IsDefault = value != cty.NilVal && value.IsNull() && !made.IsNull()
	r.IsSecret = r.IsSecret || r.IsDefault && v.Layers[0].IsSecret
	return r
}

// unusable is the result of a value that the engine refuses.
func unusable(top *Layer, diags hcl.Diagnostics) Result {
	first := diags.Errs()[0].(*hcl.Diagnostic)
	r := Result{State: Refused, Range: *first.Subject, Why: first.Summary + "."}
	if !top.IsSecret {
		r.Why += " " + first.Detail
	}
	return r
}

// refusal words why a layer gives no value of the variable. The names in a value that is not to
// be shown aren't either.
func refusal(top *Layer, err error) string {
	switch {
	case errors.Is(err, computed.ErrNull):
		return "The variable has nullable = false and no default, so null can't be its value."
	case top.IsSecret && (wayTo(err) != "" || strings.Contains(err.Error(), `"`)):
		return "The value doesn't fit the type of the variable."
	}
	return fmt.Sprintf("The value doesn't fit the type of the variable: %s%s.", wayTo(err), err)
}

// wayTo names the part of the value that an error is about, if it is not the whole: "in
// a[0].b, ".
func wayTo(err error) string {
	var at cty.PathError
	if !errors.As(err, &at) {
		return ""
	}
	way := ""
	for _, step := range at.Path {
		switch step := step.(type) {
		case cty.GetAttrStep:
			way = spelling.AppendPath(way, spelling.Named(step.Name))
		case cty.IndexStep:
			switch key := step.Key; {
			case !key.IsKnown() || key.IsNull():
			case key.Type() == cty.String:
				way = spelling.AppendPath(way, spelling.Named(key.AsString()))
			case key.Type() == cty.Number:
				i, _ := key.AsBigFloat().Int64()
				way = spelling.AppendPath(way, spelling.At(int(i)))
			} // nothing for an element of a set
		}
	}
	if way == "" {
		return ""
	}
	return "in " + diag.Escape(way) + ", "
}
