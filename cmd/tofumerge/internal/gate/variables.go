package gate

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// What check finds about the values that variables files give. Those that git doesn't track
// are not judged: most are such, and nobody else has them.

// variableFindings lists problems of a module's variables files. For a called module they are not
// loaded: then none is judged, which is noted if there are any findings.
func (g *Gate) variableFindings(mod *merge.Module, t *workspace.Subject, want *policy.Policy) []check.Finding {
	looksFor := func(r *check.Rule) bool { return want.Judges(r.ID) }
	if t.Called != nil || !slices.ContainsFunc(check.LayerRules, looksFor) {
		return nil
	}
	found, err := workspace.Beside(mod.Source)
	if err != nil {
		return nil
	}
	isOther := func(f sidefiles.File) bool { return f.Role != sidefiles.Variables || f.Status != sidefiles.Read }
	list, others := g.ws.TrackedOnly(mod.Source, slices.DeleteFunc(found.List, isOther))
	for _, f := range others {
		g.unjudged.add(path.Join(filepath.ToSlash(t.Dir), f.Name))
	}
	list = g.readable(mod.Source, t, list)
	if len(list) == 0 {
		return nil
	}
	files, diags := g.ws.VariablesFiles(mod.Source, list, sidefiles.Variables)
	all := append(check.BrokenVariables(diags), check.LayerFindings(layers.Of(mod, layers.Inputs{Files: files}))...)
	if len(all) == 0 || len(g.ws.Callers(mod.Source)) == 0 {
		return all
	}
	for _, f := range list {
		g.ofCalled.add(path.Join(filepath.ToSlash(t.Dir), f.Name))
	}
	return nil
}

// readable are the files of the index that people could read there, among some. Values are often
// encrypted in a repository, and the module is the same without them. It notes the others.
func (g *Gate) readable(src *load.Module, t *workspace.Subject, list []sidefiles.File) []sidefiles.File {
	if src.From == nil {
		return list
	}
	return slices.DeleteFunc(list, func(f sidefiles.File) bool {
		_, err := src.From.Read(f.Name, g.ws.MaxFileSize)
		if !gitrev.IsOtherForm(err) {
			return false
		}
		g.inOtherForm.add(path.Join(filepath.ToSlash(t.Dir), f.Name))
		return true
	})
}

// noteUnjudged names the variables files and lock files that were not judged.
func (g *Gate) noteUnjudged() {
	for _, why := range []struct {
		names []string
		kind  string
		which string
	}{
		{g.unjudged.sorted(), "variables file", "that git doesn't track"},
		{g.inOtherForm.sorted(), "file", "that git stores in another form"},
		{g.ofCalled.sorted(), "variables file", "of a module that another one calls"},
	} {
		what := why.kind + "s " + why.which + " are"
		if len(why.names) == 1 {
			what = "a " + why.kind + " " + why.which + " is"
		}
		for i, name := range why.names {
			why.names[i] = diag.Escape(name)
		}
		if len(why.names) > 0 {
			g.ws.Note(fmt.Sprintf("Note: %s not judged: %s", what, wording.Some(why.names, ", ")))
		}
	}
}

// A nameSet gathers names of files, for several goroutines.
type nameSet struct {
	mutex sync.Mutex
	all   map[string]bool
}

func (n *nameSet) add(name string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.all == nil {
		n.all = map[string]bool{}
	}
	n.all[name] = true
}

func (n *nameSet) sorted() []string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return slices.Sorted(maps.Keys(n.all))
}
