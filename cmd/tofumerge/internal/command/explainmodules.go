package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// How explain looks for something in all modules below a directory.

// A searched module holds the targets found in it.
type searchedModule struct {
	targets []address.Target
	isFound []bool // by requested address
	near    [][]string
}

// runSearch explains the requested addresses in every module that has them; without any, everything
// in all modules.
func (o *explainOptions) runSearch(dirs []string) error {
	for _, text := range o.asked {
		if isInvalid(text) {
			_, err := address.Parse(text)
			return err
		}
	}
	v, err := o.newView(dirs)
	if err != nil {
		return err
	}
	isFound, near := make([]bool, len(o.asked)), make([][]string, len(o.asked))
	err = workspace.Each(v.work, o.searchIn, func(m *workspace.Module, s searchedModule) error {
		for i, found := range s.isFound {
			isFound[i] = isFound[i] || found
			near[i] = append(near[i], s.near[i]...)
		}
		return v.addSearched(m, s.targets)
	})
	if err != nil {
		return err
	}
	if i := slices.Index(isFound, false); i >= 0 {
		if len(dirs) == 0 && o.isDir(o.asked[i]) {
			return misplacedDir(o.asked[i], append([]string{"-r"}, o.asked...))
		}
		return notFound(o.asked[i], wording.Count(v.work.Totals.Modules, "module"), few(near[i]), o.listing())
	}
	if err := v.print(o.ws); err != nil {
		return err
	}
	v.work.Finish()
	return nil
}

// searchIn finds the requested addresses in a module.
func (o *explainOptions) searchIn(m *workspace.Module) (s searchedModule) {
	s.isFound, s.near = make([]bool, len(o.asked)), make([][]string, len(o.asked))
	switch {
	case m.Diags.HasErrors():
		return s
	case len(o.asked) == 0:
		s.targets = address.Top(m.Module)
	}
	for i, text := range o.asked {
		if found, err := o.named(m.Module, text); err == nil {
			s.targets = append(s.targets, found...)
			s.isFound[i] = true
		} else {
			s.near[i] = similar(m.Module, text)
		}
	}
	return s
}

// few are the first three of some texts, each once.
func few(texts []string) []string {
	slices.Sort(texts)
	texts = slices.Compact(texts)
	return texts[:min(len(texts), 3)]
}

// addSearched adds a module. Warnings of a module without any target are left out.
func (v *explainView) addSearched(m *workspace.Module, targets []address.Target) error {
	var diags hcl.Diagnostics
	if len(targets) == 0 {
		m.Diags = diag.Refusals(m.Diags)
		diags = m.Diags
	} else if diags, _ = concerning(targets, m.Diags); !v.format.isJSON {
		diags = slices.DeleteFunc(diags, isInTable)
	}
	v.begin(m)
	if len(targets) == 0 {
		return v.ws.Report(m.Source, diags)
	}
	if err := v.work.Report(m, diags); err != nil {
		return err
	}
	m.Diags = diags // totals include these
	return v.add(m, targets, diags)
}

// How explain looks into the modules that others call.

// moduleStep reads the start of an address in a called module, even as plans print it: the name of
// the call, and the rest.
func moduleStep(text string) (name, rest string, ok bool) {
	parts, err := segments.Read(text)
	if err != nil || len(parts) < 3 || parts[0].Name != "module" || parts[1].IsWild || parts[1].IsIndex() {
		return "", "", false
	}
	next := parts[2]
	if text[next.Start] == '[' { // the key of an instance
		if len(parts) < 4 {
			return "", "", false
		}
		next = parts[3]
	}
	if text[next.Start] == '[' {
		return "", "", false
	}
	return parts[1].Name, text[next.Start+1:], true
}

func hasModuleStep(text string) bool {
	_, _, ok := moduleStep(text)
	return ok
}

func isPlaceInFile(text string) bool { _, ok := placeIn(text); return ok }

// leadsIntoCall reports whether a requested address may be in a module that this one calls.
func (o *explainOptions) leadsIntoCall(mod *merge.Module) bool {
	leads := false
	for _, text := range o.asked {
		name, _, ok := moduleStep(text)
		if isPlaceInFile(text) || ok && len(address.Find(mod, address.New("module", name))) == 0 {
			return false
		}
		leads = leads || ok
	}
	return leads
}

// moduleTargets are the addresses of one module that are explained.
type moduleTargets struct {
	module  *workspace.Module
	targets []address.Target
}

// An explainTree finds targets in the modules of a tree.
type explainTree struct {
	*explainView
	modules []*workspace.Module
	inAll   bool // addresses without the path of a module are looked up in all modules
}

// runTree explains the requested addresses in the modules of a tree; without any, all of them.
func (o *explainOptions) runTree(dirs []string) error {
	inAll := o.search.Modules
	o.search.Modules = true
	v, err := o.newView(dirs)
	if err != nil {
		return err
	}
	t := &explainTree{explainView: v, inAll: inAll}
	err = v.work.Take(func(m *workspace.Module) error {
		t.modules = append(t.modules, m)
		if m.IsRepeated() || len(o.asked) > 0 {
			return nil // only what concerns the targets will be reported
		}
		return o.ws.Report(m.Source, m.Diags)
	})
	if err != nil {
		return err
	}
	list, err := t.find()
	if err != nil {
		return err
	}
	if len(o.asked) > 0 {
		if err := o.reportTree(list); err != nil {
			return err
		}
	}
	t.begin(t.modules[0])
	for _, e := range list {
		if err := t.add(e.module, e.targets, e.module.Diags); err != nil {
			return err
		}
	}
	return t.print(o.ws)
}

// find finds the requested addresses, or everything.
func (t *explainTree) find() (list []moduleTargets, err error) {
	for _, m := range t.modules {
		if len(t.asked) == 0 && !m.IsRepeated() {
			list = append(list, moduleTargets{m, address.Top(m.Module)})
		}
	}
	for _, text := range t.asked {
		find := t.alongPath
		if t.inAll && !hasModuleStep(text) {
			find = t.everywhere
		}
		found, err := find(text)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			if last := len(list) - 1; last >= 0 && list[last].module == e.module {
				list[last].targets = append(list[last].targets, e.targets...)
			} else {
				list = append(list, e)
			}
		}
	}
	return list, nil
}

// everywhere finds the targets of an address, a pattern or a name in all modules.
func (t *explainTree) everywhere(text string) ([]moduleTargets, error) {
	if isInvalid(text) || len(t.modules) == 1 {
		targets, err := t.named(t.modules[0].Module, text)
		return []moduleTargets{{t.modules[0], targets}}, err
	}
	var found []moduleTargets
	var near []string
	modules := 0
	for _, m := range t.modules {
		if m.IsRepeated() {
			continue
		}
		modules++
		if targets, err := t.named(m.Module, text); err == nil {
			found = append(found, moduleTargets{m, targets})
		} else {
			near = append(near, similar(m.Module, text)...)
		}
	}
	if found == nil {
		return nil, notFound(text, wording.Count(modules, "module"), few(near), t.listing())
	}
	return found, nil
}

// isInvalid reports whether a text is neither an address nor a pattern.
func isInvalid(text string) bool {
	_, err := address.Parse(text)
	if address.IsPattern(text) {
		_, err = address.ParsePattern(text)
	}
	return err != nil
}

// alongPath finds the targets of an address with the path of a module. The module nearest to the
// root that has it wins.
func (t *explainTree) alongPath(text string) ([]moduleTargets, error) {
	at := t.modules[0]
	targets, failed := t.named(at.Module, text)
	for rest := text; failed != nil; {
		name, behind, ok := moduleStep(rest)
		if !ok {
			return nil, failed
		}
		path := append(slices.Clone(at.Path()), name)
		i := slices.IndexFunc(t.modules, func(m *workspace.Module) bool { return slices.Equal(m.Path(), path) })
		if i < 0 {
			return nil, t.notFollowed(at, name, text, behind, failed)
		}
		at, rest = t.modules[i], behind
		targets, failed = t.named(at.Module, rest)
		if failed != nil && !hasModuleStep(rest) {
			failed = fmt.Errorf("in %s: %w", at.Own(), failed)
		}
	}
	return []moduleTargets{{at, targets}}, nil
}

// notFollowed is the error about an address in a called module that was not read.
func (t *explainTree) notFollowed(at *workspace.Module, name, text, behind string, failed error) error {
	_ = t.ws.Report(at.Source, at.Unfound()) // warnings, which may name the reason
	if !strings.Contains(behind, ".") {
		return failed // rather an argument of the call
	}
	called := diag.Escape(text[:len(text)-len(behind)-1])
	why := "no module has the address " + called
	if len(address.Find(at.Module, address.New("module", name))) > 0 {
		why = called + " was not read"
	}
	return fmt.Errorf("%s; to list the modules, run: tofumerge list --modules", why)
}

// reportTree reports diagnostics about the explained targets.
func (o *explainOptions) reportTree(list []moduleTargets) error {
	for _, e := range list {
		src := e.module.Source
		if slices.ContainsFunc(src.Files, func(f *source.File) bool { return f.Broken }) {
			return o.ws.Report(src, e.module.Diags)
		}
		if err := o.reportConcerning(e.module.Module, e.targets, e.module.Diags); err != nil {
			return err
		}
	}
	return nil
}
