package layers

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
	"github.com/zclconf/go-cty/cty"
)

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

	given cty.Value       // in effect; NilVal for a default
	of    *variable.State // nil unless the value is known
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

// ComplaintAbout is the engine's reaction to a variable that is set but not declared, if a given
// layer of it is in effect: none if it can't compute the value.
func (s *Set) ComplaintAbout(l *Layer) Complaint {
	if l.Value != nil {
		if _, diags := l.Value.Constant(assignments.Literally); diags.HasErrors() {
			return Silence
		}
	}
	if s.inTests {
		return l.Rule.InTests
	}
	return l.Rule.Undeclared
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
	case top.Rule.Source == TestDeclaration:
		return undecided("The test file declares the variable, too.")
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
func (s *Set) given(v *Variable, state *variable.State, top *Layer) Result {
	value := cty.NilVal
	if top.Value != nil {
		reading := assignments.AsExpression
		if state.ReadsLiterally() {
			reading = assignments.Literally
		}
		constant, diags := top.Value.Constant(reading)
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

// unusable is the result of a value that can't be computed: one in a test file, which may refer to
// unknown objects, or one that the engine refuses.
func unusable(top *Layer, diags hcl.Diagnostics) Result {
	first := diags.Errs()[0].(*hcl.Diagnostic)
	if top.Rule.Open {
		return undecided("The value refers to something that only the engine knows.")
	}
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
	case errors.Is(err, variable.ErrNull):
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
			way = segments.Append(way, segments.Named(step.Name))
		case cty.IndexStep:
			switch key := step.Key; {
			case !key.IsKnown() || key.IsNull():
			case key.Type() == cty.String:
				way = segments.Append(way, segments.Named(key.AsString()))
			case key.Type() == cty.Number:
				i, _ := key.AsBigFloat().Int64()
				way = segments.Append(way, segments.At(int(i)))
			} // nothing for an element of a set
		}
	}
	if way == "" {
		return ""
	}
	return "in " + diag.Escape(way) + ", "
}
