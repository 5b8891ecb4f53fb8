package variable

import (
	"errors"

	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// What engines make of a value that a variable is given, as of one in a variables file.

// Why a variable has no value.
var (
	errUnset = errors.New("no value is given and there is no default")
	ErrNull  = errors.New("null is not allowed and there is no default")
)

// Given is the variable's value if it is set: the defaults of optional attributes are filled in,
// and the result is converted to the type. Null gives the default if null is not allowed. NilVal
// means unset, which gives the default, too.
func (v *State) Given(value cty.Value) (cty.Value, error) {
	switch {
	case value == cty.NilVal && !v.HasDefault():
		return cty.DynamicVal, errUnset
	case value == cty.NilVal:
		value = v.value
	}
	made, err := limits.ConvertWithDefaults(value, v.constr, v.primary.Defaults)
	switch {
	case err != nil:
		return cty.DynamicVal, err
	case !made.IsNull() || v.nullable:
		return made, nil
	case !v.HasDefault():
		return cty.DynamicVal, ErrNull
	}
	return v.value, nil // in which no defaults are filled in once more
}

// Fills reports whether the type has defaults of optional attributes that the value lacks.
func (v *State) Fills(value cty.Value) bool {
	d := v.primary.Defaults
	return d != nil && value != cty.NilVal && !value.IsNull() && !d.Apply(value).RawEquals(value)
}

// ReadsLiterally reports whether a text given to the variable is the value itself: engines evaluate
// it only for types other than string, number and bool.
func (v *State) ReadsLiterally() bool { return v.typeAttr == nil || v.constr.IsPrimitiveType() }

// Type is the type in effect, nil without one.
func (v *State) Type() *source.Attr { return v.typeAttr }
