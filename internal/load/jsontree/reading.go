package jsontree

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// A Reading is the way in which a string in JSON is read.
type Reading int

// IsNative reports whether strings hold native source text.
func (r Reading) IsNative() bool {
	return r == AsReference || r == AsBareReference || r == AsSource
}

// Within is how strings inside a collection are read.
func (r Reading) Within() Reading {
	if r == AsReferenceOrTemplate {
		return AsTemplate
	}
	return r
}

// OfString is how one string is read.
func (r Reading) OfString(text string) Reading {
	switch {
	case r != AsReferenceOrTemplate:
		return r
	case IsReference(text):
		return AsBareReference
	}
	return AsTemplate
}

const (
	AsTemplate    Reading = iota // a template
	AsText                       // itself
	AsReference                  // a reference or a keyword in native syntax
	AsSource                     // another expression in native syntax, such as a type
	AsRequirement                // an entry of required_providers
	// AsBareReference is AsReference where native syntax takes no quotes.
	AsBareReference
	// AsReferenceOrTemplate is a reference if the whole string is one, else a template.
	AsReferenceOrTemplate
)

// IsReference reports whether text is a reference in native syntax.
func IsReference(text string) bool {
	_, diags := parse.Traversal([]byte(text), "", hcl.InitialPos)
	return !diags.HasErrors()
}
