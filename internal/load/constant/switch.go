package constant

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// A Switch is the setting of an argument that takes a constant bool, such as sensitive,
// ephemeral, const, nullable or enforced.
type Switch int

// The positions of a switch.
const (
	unset   Switch = iota // the argument is missing
	Off                   // false
	On                    // true
	Unclear               // the argument has a value, but not a constant bool
)

// SwitchOf reads an argument, or nil for a missing one, as engines read such arguments: a string
// that converts to a bool is that bool. Null, a reference and anything else is Unclear; the kind
// Setting, which judges the value, explains why.
func SwitchOf(a *source.Attr) Switch {
	if a == nil {
		return unset
	}
	switch v, diags := Convert(a, cty.Bool); {
	case diags.HasErrors():
		return Unclear
	case v.True():
		return On
	}
	return Off
}

// IsOn reports whether an argument is given and true.
func IsOn(a *source.Attr) bool { return SwitchOf(a) == On }
