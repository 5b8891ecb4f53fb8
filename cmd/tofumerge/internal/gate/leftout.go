package gate

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// leftOut collects the findings that settings leave out. The settings may be part of the change
// under review, so a report counts these findings, and names the setting.
type leftOut struct {
	want    *policy.Policy
	isShort bool
	lists   map[string]*check.List // by the origin of the setting
}

// add adds an unwanted finding, unless its rule is off by default.
func (o *leftOut) add(f check.Finding) {
	by := o.want.LeftOutBy(f)
	if by == "" {
		return
	}
	if o.lists[by] == nil {
		if o.lists == nil {
			o.lists = map[string]*check.List{}
		}
		o.lists[by] = &check.List{IsShort: o.isShort}
	}
	o.lists[by].Add(f)
}

// switchedOff adds the findings of rules that settings switch off. It judges the module again,
// because a rule that is off may give way to another one.
func (o *leftOut) switchedOff(mod *merge.Module, diags hcl.Diagnostics) {
	if !o.want.SwitchesOff() {
		return
	}
	check.Each(mod, diags, o.want.Judges, func(f check.Finding) {
		if !o.want.LooksFor(f.Rule.ID) {
			o.add(f)
		}
	})
}

// countLeftOut adds the findings of a module that settings leave out to the totals.
func (n *tally) countLeftOut(to *report.CountsRecord) {
	for by, list := range n.leftOut {
		to.LeaveOut(by, check.Count(list))
	}
}

// LeftOut words how many findings of some modules settings leave out; empty if none.
func LeftOut(results []ModuleReport) string {
	var doc report.Report
	doc.CountFindings()
	for i := range results {
		results[i].countLeftOut(doc.Counts)
	}
	return doc.LeftOut()
}
