package tree

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A Call is a module call as it is in effect.
type Call struct {
	Name    string
	Address string // in the module that calls
	Range   hcl.Range
	// Local is the directory of a local source, relative to the module; empty for other sources.
	Local string
	// Arguments holds the ranges of the call's arguments, by name.
	Arguments map[string]hcl.Range
}

// Calls lists the calls of a module in the order of their names.
func Calls(m *merge.Module) []Call {
	var list []Call
	for _, c := range callsOf(m) {
		b := c.source.Within()
		call := Call{Name: c.name, Address: c.address.String(), Range: source.Where(b), Arguments: map[string]hcl.Range{}}
		if c.isConstant && !c.isRemote {
			call.Local = c.from
		}
		if e := m.OwnerOf(source.Top(c.source)); e != nil && e.Inner() != nil {
			call.Range = source.Where(e.Live[0])
			for _, inner := range e.Inner().All() {
				if a := inner.Attr(); a != nil {
					call.Arguments[a.Name] = source.Where(a)
				}
			}
		}
		list = append(list, call)
	}
	return list
}
