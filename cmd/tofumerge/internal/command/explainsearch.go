package command

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
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
	err = workspace.Each(v.run, o.searchIn, func(m *workspace.Module, s searchedModule) error {
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
		return notFound(o.asked[i], wording.Count(v.run.Totals.Modules, "module"), few(near[i]), o.listing())
	}
	if err := v.write(); err != nil {
		return err
	}
	v.run.Finish()
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
	if err := v.run.Report(m, diags); err != nil {
		return err
	}
	m.Diags = diags // totals include these
	return v.add(m, targets, diags)
}
