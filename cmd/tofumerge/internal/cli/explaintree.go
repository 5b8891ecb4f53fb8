package cli

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/tree"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// How explain looks into the modules that others call.

// moduleStep reads the start of an address that leads into a module, as plans print it, too: the
// name of the call, and what is behind it.
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

// leadsIntoModule reports whether something that is asked for may be in a called module; places
// in files are in the module at hand.
func leadsIntoModule(asked []string) bool {
	return slices.ContainsFunc(asked, hasModuleStep) && !slices.ContainsFunc(asked, isPlaceInFile)
}

func isPlaceInFile(text string) bool { _, ok := placeIn(text); return ok }

// callsModule reports whether a module has the calls with which addresses start.
func (x *explainCommand) callsModule(mod *merge.Module, asked []string) bool {
	return !slices.ContainsFunc(asked, func(text string) bool {
		name, _, ok := moduleStep(text)
		return ok && len(address.Find(mod, address.New("module", name))) == 0
	})
}

// An explained is what is explained of one module.
type explained struct {
	node    *tree.Node
	targets []address.Target
}

// runTree explains what is in modules of a tree; without anything asked for, all of them.
func (x *explainCommand) runTree(dirs, asked []string) error {
	t, err := x.ws.Follow(dirs, load.AllTrees, merge.Options{})
	if err != nil {
		return err
	}
	var list []explained
	for _, n := range t.Nodes {
		if len(asked) == 0 && n.First == n {
			list = append(list, explained{n, address.Top(n.Module)})
		}
	}
	for _, text := range asked {
		found, err := x.inTree(t, text)
		if err != nil {
			return err
		}
		for _, e := range found {
			if last := len(list) - 1; last >= 0 && list[last].node == e.node {
				list[last].targets = append(list[last].targets, e.targets...)
			} else {
				list = append(list, e)
			}
		}
	}
	if len(asked) == 0 {
		if err := t.ReportModules(); err != nil {
			return err
		}
	} else if err := x.reportTree(list); err != nil {
		return err
	}
	if x.json {
		return x.writeTree(t, list)
	}
	return x.printTree(t, list)
}

// inTree finds what is asked for: under --modules in all modules, unless it has the path of
// one.
func (x *explainCommand) inTree(t *workspace.Tree, text string) ([]explained, error) {
	if x.modules && !hasModuleStep(text) {
		return x.everywhere(t, text)
	}
	n, targets, err := x.alongPath(t, text)
	return []explained{{n, targets}}, err
}

// everywhere finds what an address, a pattern or a name stands for in the modules of a tree.
func (x *explainCommand) everywhere(t *workspace.Tree, text string) ([]explained, error) {
	if isInvalid(text) || len(t.Nodes) == 1 {
		targets, err := x.named(t.Nodes[0].Module, text)
		return []explained{{t.Nodes[0], targets}}, err
	}
	var found []explained
	modules := 0
	for _, n := range t.Nodes {
		if n.First != n {
			continue
		}
		modules++
		if targets, err := x.named(n.Module, text); err == nil {
			found = append(found, explained{n, targets})
		}
	}
	if found == nil {
		return nil, fmt.Errorf("nothing in %s has the address %s; to list all addresses, run: tofumerge explain --modules --all",
			wording.Count(modules, "module"), diag.Escape(text))
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

// alongPath finds what an address with the path of a module stands for. What is in the module
// nearest to the root counts.
func (x *explainCommand) alongPath(t *workspace.Tree, text string) (*tree.Node, []address.Target, error) {
	at := t.Nodes[0]
	targets, failed := x.named(at.First.Module, text)
	for rest := text; failed != nil; {
		name, behind, ok := moduleStep(rest)
		if !ok {
			return nil, nil, failed
		}
		path := append(slices.Clone(at.Path), name)
		i := slices.IndexFunc(t.Nodes, func(n *tree.Node) bool { return slices.Equal(n.Path, path) })
		if i < 0 {
			_ = x.ws.Report(at.First.Module.Source, at.First.Unfound) // warnings, which may say why
			if !strings.Contains(behind, ".") {
				return nil, nil, failed // rather an argument of the call
			}
			called := diag.Escape(text[:len(text)-len(behind)-1])
			why := "no module has the address " + called
			if len(address.Find(at.First.Module, address.New("module", name))) > 0 {
				why = called + " was not read"
			}
			return nil, nil, fmt.Errorf("%s; to list the modules, run: tofumerge list --modules", why)
		}
		at, rest = t.Nodes[i], behind
		targets, failed = x.named(at.First.Module, rest)
		if failed != nil && !hasModuleStep(rest) {
			failed = fmt.Errorf("in %s: %w", at.Own, failed)
		}
	}
	return at, targets, nil
}

// reportTree reports what is wrong with what is explained.
func (x *explainCommand) reportTree(list []explained) error {
	for _, e := range list {
		mod := e.node.First.Module
		diags := workspace.DiagsOf(e.node.First)
		if slices.ContainsFunc(mod.Source.Files, func(f *source.File) bool { return f.Broken }) {
			return x.ws.Report(mod.Source, diags)
		}
		if err := x.reportConcerning(mod, e.targets, diags); err != nil {
			return err
		}
	}
	return nil
}

// printTree explains under the title of each module.
func (x *explainCommand) printTree(t *workspace.Tree, list []explained) error {
	var text bytes.Buffer
	to := x.ws.Screen(x.ws.Out)
	for i, e := range list {
		if i > 0 {
			text.WriteString("\n")
		}
		text.WriteString(to.Place(diag.Escape(t.Title(e.node))+":") + "\n")
		explanation := term.Explain(e.node.First.Module, to, term.ExplainOptions{
			All: x.all, Redact: x.redact, Highlight: x.ws.Highlights(x.ws.Out), Within: e.node.Own,
		})
		if err := explanation.Write(&text, e.targets); err != nil {
			return err
		}
	}
	_, err := x.ws.Out.Write(text.Bytes())
	return err
}

func (x *explainCommand) writeTree(t *workspace.Tree, list []explained) error {
	doc := report.New(t.Nodes[0].Module.Source, nil)
	doc.Modules, doc.Histories = []report.ModuleRecord{}, []report.HistoryRecord{}
	for _, e := range list {
		src := e.node.First.Module.Source
		rec := t.Record(e.node)
		doc.Modules = append(doc.Modules, rec)
		doc.Later(x.historiesIn(e, rec.Directory))
		doc.Add(src, x.ws.Unignored(src, workspace.DiagsOf(e.node.First)))
	}
	return doc.Write(x.ws.JSONOut())
}

// historiesIn yields the histories that are explained of one of several modules.
func (x *explainCommand) historiesIn(e explained, directory string) iter.Seq[report.HistoryRecord] {
	mod := e.node.First.Module
	return func(yield func(report.HistoryRecord) bool) {
		for h := range report.Histories(mod, wording.NewRedactor(mod.Source, x.redact), e.targets, x.all) {
			h.Module, h.Address = directory, segments.Concat(e.node.Own.String(), h.Address)
			if !yield(h) {
				return
			}
		}
	}
}
