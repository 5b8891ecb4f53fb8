package tree

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/modulesource"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A Call is a module call as it is in effect.
type Call struct {
	Name    string
	Address address.Address // in the module that calls
	// Local is the directory of a local source, relative to the module; empty for other sources.
	Local string

	item       *merge.MergedItem
	source     *source.Attr
	from       string // its value
	isConstant bool
	isRemote   bool
	version    string
}

// Range is the range of the call.
func (c Call) Range() hcl.Range { return source.Where(c.item.Live[0]) }

// Arguments returns the ranges of the call's arguments, by name.
func (c Call) Arguments() map[string]hcl.Range {
	ranges := map[string]hcl.Range{}
	for _, inner := range c.item.Inner().All() {
		if a := inner.Attr(); a != nil {
			ranges[a.Name] = source.Where(a)
		}
	}
	return ranges
}

// Calls lists the calls of a module in the order of their names.
func Calls(m *merge.Module) []Call {
	isCall := func(f *source.File, i int) bool { return language.HasModuleSource(f.Engine, string(f.TypeOf(i))) }
	var list []Call
	for _, e := range m.AllOf(isCall) {
		if !e.InEffect() || e.Inner() == nil || !language.HasModuleSource(m.Source.Engine, e.Key.Name) {
			continue
		}
		c := Call{Address: address.Of(e), item: e}
		for _, inner := range e.Inner().All() {
			switch a := inner.Attr(); {
			case a == nil:
			case language.IsModuleSource(a):
				c.source = a
				c.from, c.isConstant = constant.String(a)
				c.isRemote = c.isConstant && !modulesource.IsLocal(c.from)
			case language.IsModuleVersion(a):
				c.version, _ = constant.String(a)
			}
		}
		if c.source == nil {
			continue
		}
		if labels := c.source.Within().Labels; len(labels) > 0 {
			c.Name = labels[0]
		}
		if !c.isRemote {
			c.Local = c.from // empty for an expression
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Call) int { return strings.Compare(a.Name, b.Name) })
	return list
}
