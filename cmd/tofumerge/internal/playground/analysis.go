package main

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
)

// An analysis is a merged module with what check finds in it.
type analysis struct {
	files           texts
	dir             string
	choice          enginechoice.Choice
	merged          *merge.Module
	diags           hcl.Diagnostics
	found, silenced []check.Finding
	beside          []sidefiles.File
	layers          *layers.Set
}

// analyse merges a module and checks it as the command check does by default. The error is that
// there is none, or that a settings file or an engine's name is invalid.
func analyse(m *moduleText) (*analysis, error) {
	a := &analysis{files: texts{}, dir: path.Clean(m.Dir)}
	for name, text := range m.Files {
		a.files[path.Clean(name)] = text
	}
	rules := &policy.Files{User: &policy.Settings{}, Source: settings{a.files}}
	var err error
	if a.choice, err = a.choose(m.Engine, rules); err != nil {
		return nil, err
	}
	want, broken := rules.For(a.dir)
	if len(broken) > 0 {
		return nil, errors.Join(broken...)
	}
	opts := a.options()
	opts.Engine = a.choice.Release
	if a.merged, a.diags, err = merge.Dir(a.dir, opts, merge.Options{}); err != nil {
		return nil, err
	}
	a.check(want)
	return a, nil
}

// options find the files of the module in memory.
func (a *analysis) options() load.Options {
	return load.Options{MaxFileSize: maxFile, From: directory{a.files, a.dir}}
}

// choose chooses the engine: the one of a name, else by the files.
func (a *analysis) choose(name string, rules *policy.Files) (enginechoice.Choice, error) {
	return enginechoice.Choose(enginechoice.Wishes{
		Given: []enginechoice.EngineName{{Text: name, From: "the choice on the page"}},
		Settings: func(dir string) (enginechoice.EngineName, error) {
			s, err := rules.In(dir)
			if err != nil || s == nil || s.Engine == nil {
				return enginechoice.EngineName{}, err
			}
			return enginechoice.EngineName{Text: *s.Engine, From: s.Name()}, nil
		},
	}, enginechoice.InTree(a.files, a.dir, a.options()))
}

// check finds what a policy wants to be found.
func (a *analysis) check(want *policy.Policy) {
	s := &check.Sieve{
		Wants: want.Wants, Comments: check.CommentsOf(a.merged.Source),
		Left: check.List{IsShort: true}, Silenced: check.List{IsShort: true},
	}
	check.Each(a.merged, slices.Clone(a.diags), want.LooksFor, s.Take)
	for _, list := range [][]check.Finding{a.lockFindings(), a.denied(want), a.variableFindings()} {
		for _, f := range list {
			s.Take(f)
		}
	}
	s.TakeComments(a.merged, true)
	a.found, a.silenced = s.Left.All(a.merged), s.Silenced.All(a.merged)
	a.compare(want)
	check.Sort(a.merged, a.found)
}

// compare marks findings that don't hold for the other product, if the engine is assumed.
func (a *analysis) compare(want *policy.Policy) {
	if !a.choice.IsAssumed() || len(a.found) == 0 {
		return
	}
	opts := a.options()
	opts.Engine = a.choice.Product.Other().Newest()
	merged, diags, err := merge.Dir(a.dir, opts, merge.Options{})
	if err != nil {
		return // it reads none of the files
	}
	facts := check.NewFacts(merged.Source)
	check.Each(merged, diags, want.LooksFor, facts.Note)
	check.Compare(a.found, facts, opts.Engine)
}

func (a *analysis) lockFindings() []check.Finding {
	locked, diags, err := a.merged.Source.LockedProviders(maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return []check.Finding{check.Unreadable(load.LockName, err)}
	case diags.HasErrors():
		return []check.Finding{check.BrokenLock(diags)}
	}
	return check.Locked(a.merged, providers.Compare(a.merged, locked))
}

// denied lists items and files that the settings deny.
func (a *analysis) denied(want *policy.Policy) []check.Finding {
	found := deny.Items(a.merged, want.DeniedIn, nil)
	for _, e := range a.merged.Source.Names {
		isThere := e.Status == load.Read || e.Status == load.Shadowed
		if e.Role == source.Override && isThere && want.DeniesFile(e.Name) {
			found = append(found, deny.File(e.Name))
		}
	}
	return found
}

// variableFindings reads the variables files, and lists their problems.
func (a *analysis) variableFindings() []check.Finding {
	src := a.merged.Source
	beside, err := sidefiles.FindIn(src.From, nil, nil, src.Engine)
	if err != nil {
		return nil
	}
	a.beside = beside.List
	files, diags := assignments.OfDirectory(src, a.beside, sidefiles.Variables, func(name string) ([]byte, error) {
		return src.TextOf(name, maxFile)
	})
	if len(files) == 0 {
		return check.BrokenVariables(diags)
	}
	a.layers = layers.Of(a.merged, layers.Inputs{Files: files})
	return append(check.BrokenVariables(diags), check.LayerFindings(a.layers)...)
}

// elsewhere counts the files that are in other directories than the module's.
func (a *analysis) elsewhere() (n int) {
	for name := range a.files {
		if path.Dir(name) != a.dir && !strings.HasPrefix(path.Base(name), ".") {
			n++
		}
	}
	return n
}
