package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/section"
)

// A request asks for a view of a module.
type request struct {
	View string `json:"view"` // effective, changes, check, explain or engines
	// Module is the module; without one the request is about that of the request before.
	Module *moduleText `json:"module"`
	At     *position   `json:"at"` // of explain
	// Columns is how many columns explain may use; 0 for any number.
	Columns int `json:"columns"`
}

// A moduleText is a module as the page has it.
type moduleText struct {
	// Files are texts by their paths, with slashes.
	Files  map[string]string `json:"files"`
	Dir    string            `json:"dir"`    // of the module among the files; empty for the top
	Engine string            `json:"engine"` // as in --engine; empty if the files choose it
}

// A position is a line and a column of a file, which both start at 1.
type position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in characters; 0 for the start of the text of the line
}

// An answer is what the page draws. Views that weren't asked for are missing.
type answer struct {
	// Error is the reason why there is no module, in words for people.
	Error string `json:"error,omitempty"`
	// Crash is set if the program failed.
	Crash   bool           `json:"crash,omitempty"`
	Module  *moduleAnswer  `json:"module,omitempty"`
	Explain *explanation   `json:"explain,omitempty"`
	Engines []engineChoice `json:"engines,omitempty"`
}

// An engineChoice is a product and the releases of it to choose from, the newest first.
type engineChoice struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Releases []string `json:"releases"`
}

// A session keeps the module of the last request, so that the page need not send it again. It is
// for one goroutine.
type session struct{ last *analysis }

// answer answers a request. A crash becomes an error, since a page without an answer would wait.
func (s *session) answer(text []byte) (out []byte) {
	defer func() {
		if r := recover(); r != nil {
			s.last = nil
			out = encode(answer{Crash: true, Error: fmt.Sprintf("tofumerge crashed on this module: %s", parallel.Crashed(r))})
		}
	}()
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return encode(answer{Error: "the request can't be read: " + err.Error()})
	}
	return encode(s.do(&r))
}

func (s *session) do(r *request) answer {
	if r.View == "engines" {
		return answer{Engines: engines()}
	}
	if r.Module != nil {
		s.last = nil
		a, err := analyse(r.Module)
		if err != nil {
			return answer{Error: err.Error()}
		}
		s.last = a
	}
	switch {
	case s.last == nil:
		return answer{Error: "the request has no module"}
	case r.View != "explain":
		src := s.last.merged.Source
		names, _, _ := s.last.merged.Source.From.Names() // never fails
		list := make([]fileAnswer, 0, len(names))
		for _, name := range names {
			list = append(list, s.last.roleOf(name))
		}
		m := &moduleAnswer{
			Engine: src.Engine.String(), Title: src.Engine.Product.Title(), Reason: s.last.choice.Reason(),
			IsRefused: s.last.diags.HasErrors(), Elsewhere: s.last.elsewhere(), Files: list,
			Findings: records(s.last, s.last.found), Silenced: records(s.last, s.last.silenced),
		}
		switch r.View {
		case "effective":
			m.Effective = section.Of(section.Module{
				Number: 1, Dir: s.last.dir, Merged: s.last.merged, Diags: s.last.diags, Findings: s.last.found, Silenced: s.last.silenced,
				Outranked: s.last.layers.Outranked(),
			}, section.Options{Room: maxText})
		case "changes":
			m.Changes = s.last.changes()
		}
		return answer{Module: m}
	case r.At == nil:
		return answer{Error: "explain needs a position"}
	}
	return answer{Explain: s.last.explain(*r.At, r.Columns)}
}

func engines() (list []engineChoice) {
	for _, p := range engine.Products() {
		c := engineChoice{Name: string(p), Title: p.Title()}
		for _, e := range p.Observed() {
			c.Releases = append([]string{string(e.Version)}, c.Releases...)
		}
		list = append(list, c)
	}
	return list
}

func encode(a answer) []byte {
	out, err := json.Marshal(a)
	if err != nil {
		panic(err) // every field has a JSON form
	}
	return out
}

// maxRequest is how many bytes a line of standard input may have.
const maxRequest = 64 << 20

// serve answers the requests that a reader holds, one on each line.
func serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxRequest)
	s := &session{}
	for lines.Scan() {
		if _, err := fmt.Fprintf(out, "%s\n", s.answer(lines.Bytes())); err != nil {
			return err
		}
	}
	return lines.Err()
}

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
	locked, diags, err := providers.Locked(a.merged.Source, maxFile)
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
