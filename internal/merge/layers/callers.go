package layers

import "github.com/hashicorp/hcl/v2"

// A Caller is a module call that loads a module. Its arguments are the values of the module's
// variables; the layers of a set apply only if the module is nevertheless run as the root module.
type Caller struct {
	Address string    // in the module that calls
	Range   hcl.Range // of the call
	// Arguments holds the ranges of the call's arguments, by the names of variables.
	Arguments map[string]hcl.Range
}

// IsCalled reports whether a call is known to load the module of a set.
func (s *Set) IsCalled() bool { return s != nil && len(s.Callers) > 0 }
