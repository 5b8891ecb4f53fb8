package effect

// A Kind is what one source item did to the name it addresses.
type Kind int

// The effects.
const (
	Defined   Kind = iota // a primary file gave it first
	Added                 // an override file gave it first
	Replaced              // replaced the earlier items
	Extended              // a block whose items were merged
	Hidden                // something else took precedence
	Cleared               // taken away by a later block's lack of it
	Converted             // the effective value is computed from the written one
	Ignored               // did nothing
	Undecided             // only the provider's schema reports whether it takes effect
	Matched               // is part of the address
	Refused               // is an error
	Missing               // addresses nothing, which is an error

	count // no effect
)
