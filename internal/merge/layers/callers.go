package layers

import "github.com/hashicorp/hcl/v2"

// A Caller is a module call that leads to a module. What it sets is what its variables have;
// the layers of a set count only where the module is run as the root module all the same.
type Caller struct {
	Address string    // in the module that calls
	Range   hcl.Range // of the call
	// Arguments are the places of what it sets, by the names of variables.
	Arguments map[string]hcl.Range
}

// IsCalled reports whether a call is known to lead to the module of a set.
func (s *Set) IsCalled() bool { return s != nil && len(s.Callers) > 0 }
