package language

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// A switchState is what an argument says that takes a constant bool, such as sensitive,
// ephemeral, const, nullable or enforced.
type switchState int

// The positions of a switch.
const (
	switchUnset switchState = iota // the argument is missing
	switchOff                      // false
	On                             // true
	Unclear                        // the argument has a value, but not a constant bool
)

// SwitchOf reads an argument, or nil for one that is missing, as engines read such
// arguments: a string that converts to a bool counts as that bool. Null, a reference and
// anything else is Unclear; why is said by the kind Setting, which judges the value.
func SwitchOf(a *source.Attr) switchState {
	if a == nil {
		return switchUnset
	}
	switch v, diags := constant(a, cty.Bool); {
	case diags.HasErrors():
		return Unclear
	case v.True():
		return On
	}
	return switchOff
}

// IsOn reports whether an argument is given and true.
func IsOn(a *source.Attr) bool { return SwitchOf(a) == On }
