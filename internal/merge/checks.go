package merge

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Checks that the table can't express, one function each.

// A check has the functions of a check that a row names.
type check struct {
	each func(*merger, *MergedItem, *source.Block) // run on the changes of a later block, after that block was applied
	end  func(*merger, *MergedItem)                // run once all files are applied, on what any of them addressed
}

// checks has a row for each.
var checks = map[rules.Check]check{
	rules.CheckVersions:   {end: checkRequiredVersions},
	rules.CheckVariable:   {each: checkVariable, end: finishVariable},
	rules.CheckConnection: {end: checkDestroyConnection},
	rules.CheckAction:     {end: checkActionConfig},
}

// checkRequiredVersions separates constraints that apply in their own files from those that would
// only start to apply in the printed one.
func checkRequiredVersions(m *merger, e *MergedItem) {
	for _, inner := range e.Inner().Items {
		if inner.Rule.Do == rules.Renew && inner.InEffect() && !judge.MeetsConstraint(inner.Attr()) {
			m.report(judge.Incompatible(inner.Attr()))
		}
	}
	var inert []source.Item
	var counts source.Item
	for _, inner := range e.Inner().Items {
		if !inner.Rule.TofuOnly || !inner.InEffect() {
			continue
		}
		switch it := inner.Live[0]; {
		case !it.Source().Tofu:
			inert = append(inert, it)
		case counts == nil:
			counts = it
		}
	}
	if counts == nil {
		return
	}
	for _, it := range inert {
		m.report(startsToCount(it, counts))
	}
}

// checkActionConfig warns of an action with a config block in only some files: the engine can't
// read the merged result.
func checkActionConfig(m *merger, e *MergedItem) {
	config := e.Inner().claimNamed("config")
	for _, b := range e.extensions() {
		if len(b.Blocks("config")) == 0 || config == nil || config.Place == nil { // not in the primary file
			m.report(lacksConfig(b))
			return
		}
	}
}

// checkDestroyConnection warns of a connection that the engine would refuse had
// it stood in one block with a provisioner that runs at destroy time.
func checkDestroyConnection(m *merger, e *MergedItem) {
	conn, provisioners := e.Inner().claimNamed("connection"), e.Inner().claimNamed("provisioner")
	if conn == nil || provisioners == nil || !conn.InEffect() {
		return
	}
	b := conn.Live[0].(*source.Block)
	for _, it := range provisioners.Live {
		p := it.(*source.Block)
		if p.Within() == b.Within() || !judge.IsDestroyTime(p) || len(judge.OnlySelf(b)) == 0 {
			continue
		}
		m.report(destroyConnection(b, p))
		return
	}
}

// remedyVersions adds where to remove the version beside a source without versions. For some
// releases an override can do so; removing a version from the override only uncovers the version
// that it replaced.
func remedyVersions(e *MergedItem, diags hcl.Diagnostics) {
	for _, d := range diags {
		version := e.Inner().claimNamed("version")
		if diag.CodeOf(d) != diag.NoRegistrySource || !version.InEffect() {
			continue
		}
		set := version.Live[0]
		var earlier []source.Item
		for _, it := range version.Losers(set) {
			if !version.Rule.IsVoid(it) {
				earlier = append(earlier, it)
			}
		}
		canUnset := strings.Contains(d.Detail, judge.UnsetVersion)
		remedy := "Remove version at " + diag.SomePlaces(*d.Subject, source.Wheres(append([]source.Item{set}, earlier...)), 8) + "."
		switch by := e.Inner().claimNamed("source").Attr(); {
		case canUnset && source.IsOverride(set) && len(earlier) > 0:
			remedy = "Set version = null at " + placeOf(set) + "."
		case canUnset && !source.IsOverride(set) && by != nil && source.IsOverride(by):
			remedy = "Set version = null in the block at " + placeOf(by.Within()) + "."
		}
		d.Detail = strings.Replace(strings.Replace(d.Detail, judge.UnsetVersion, remedy, 1), judge.RemoveVersion, remedy, 1)
	}
}
