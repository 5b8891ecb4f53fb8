// Command playground merges modules in a browser: the page in docs/site/playground gives it the
// files of a module as text, and draws the answers, which are JSON.
//
// It reads nothing but these files. Called modules are not read, and neither are programs, networks,
// repositories and the disk: TestDependencies refuses the packages that could.
//
// In a browser (GOOS=js GOARCH=wasm) it defines the function tofumerge, which takes a request and
// returns the answer. Built for any other system it answers the requests of standard input, one on
// each line.
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
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/section"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A request asks for a view of a module.
type request struct {
	View string `json:"view"` // effective, changes, check, explain or engines
	// Module is the module; without one the request is about the module of the request before.
	Module *moduleText `json:"module"`
	At     *position   `json:"at"` // what explain is about
	// Columns is the width for explain; 0 means any.
	Columns int `json:"columns"`
}

// A moduleText is a module as the page has it.
type moduleText struct {
	// Files are texts by their paths, with slashes.
	Files  map[string]string `json:"files"`
	Dir    string            `json:"dir"`    // the directory of the module among the files; empty for the top
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
	// Error says, in words for people, why there is no answer.
	Error string `json:"error,omitempty"`
	// Crash is set if the program failed.
	Crash   bool           `json:"crash,omitempty"`
	Module  *moduleAnswer  `json:"module,omitempty"`
	Explain *explanation   `json:"explain,omitempty"`
	Engines []engineChoice `json:"engines,omitempty"`
}

// An engineChoice is a product and its releases to choose from, the newest first.
type engineChoice struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Releases []string `json:"releases"`
}

// A session keeps the module of the last request, so that the page needn't send it again. It is for one
// goroutine.
type session struct{ last *analysis }

// answer answers a request in JSON. A crash becomes an error, since a page without an answer would wait for
// ever.
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
	return encode(s.respond(&r))
}

// respond answers a request: with the engines to choose from, a view of the session's module, or an explanation of a
// position in it. A request with a module replaces the session's module, or removes it if the new one can't be read.
func (s *session) respond(r *request) answer {
	if r.View == "engines" {
		return answer{Engines: engineChoices()}
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
		return answer{Module: s.last.module(r.View)}
	case r.At == nil:
		return answer{Error: "explain needs a position"}
	}
	return answer{Explain: s.last.explain(*r.At, r.Columns)}
}

// engineChoices lists the engines to choose from, each with its releases from the newest on.
func engineChoices() (list []engineChoice) {
	for _, p := range engine.Products() {
		c := engineChoice{Name: string(p), Title: p.Title()}
		for _, e := range p.Observed() {
			c.Releases = append([]string{string(e.Version)}, c.Releases...)
		}
		list = append(list, c)
	}
	return list
}

// module describes the module, its files and its findings. For the views effective and changes, it adds what these
// show.
func (a *analysis) module(view string) *moduleAnswer {
	src := a.merged.Source
	names, _, _ := src.From.Names() // never fails
	list := make([]fileAnswer, 0, len(names))
	for _, name := range names {
		list = append(list, a.answerFor(name))
	}
	// What every view shows.
	m := &moduleAnswer{
		Engine: src.Engine.String(), Title: src.Engine.Product.Title(), Reason: a.choice.Reason(),
		IsRefused: a.diags.HasErrors(), Elsewhere: a.elsewhere(), Files: list,
		Findings: records(a, a.found), Silenced: records(a, a.silenced),
	}
	switch view {
	case "effective":
		m.Effective = section.Of(section.Module{
			Number: 1, Dir: a.dir, Room: maxText,
			Merged: a.merged, Diags: a.diags, Findings: a.found, Silenced: a.silenced,
		})
	case "changes":
		m.Changes = a.changes()
	}
	return m
}

// encode returns an answer as JSON.
func encode(a answer) []byte {
	out, err := json.Marshal(a)
	if err != nil {
		panic(err) // every field has a JSON form
	}
	return out
}

// maxRequest is the maximum length of a request in bytes.
const maxRequest = 64 << 20

// serve answers the requests in a stream, one a line, until it ends.
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
	dir             string // of the module, among files
	choice          enginechoice.Choice
	merged          *merge.Module
	diags           hcl.Diagnostics
	found, silenced []check.Finding
}

// analyse merges a module, and checks it as the command check does by default. The error is that the
// directory holds no module, or that a settings file or an engine's name is invalid.
func analyse(m *moduleText) (*analysis, error) {
	a := &analysis{files: texts{}, dir: path.Clean(m.Dir)}
	for name, text := range m.Files {
		a.files[path.Clean(name)] = text
	}
	// Choose the engine, and read the settings for the directory.
	rules := &policy.Files{User: &policy.Settings{}, Source: settings{a.files}} // there is no user with settings
	var err error
	if a.choice, err = a.choose(m.Engine, rules); err != nil {
		return nil, err
	}
	want, broken := rules.For(a.dir)
	if len(broken) > 0 {
		return nil, errors.Join(broken...)
	}
	// Merge the module.
	opts := a.options()
	opts.Engine = a.choice.Release
	if a.merged, a.diags, err = merge.Dir(a.dir, opts, merge.Options{}); err != nil {
		return nil, err
	}
	// Check it. The sieve sorts the findings that the settings want into those to show and those that a comment
	// silences, and keeps only the first of many similar ones (IsShort).
	s := &check.Sieve{
		Wants: want.Wants, Comments: check.CommentsOf(a.merged.Source),
		Left: check.List{IsShort: true}, Silenced: check.List{IsShort: true},
	}
	check.Each(a.merged, slices.Clone(a.diags), want.LooksFor, s.Take)
	// Check what the settings deny: items of override files, and whole files.
	found := deny.Items(a.merged, want.DeniedIn, nil)
	for _, e := range a.merged.Source.Names {
		isThere := e.Status == load.Read || e.Status == load.Shadowed
		if e.Role == source.Override && isThere && want.DeniesFile(e.Name) {
			found = append(found, deny.File(e.Name))
		}
	}
	for _, f := range found {
		s.Take(f)
	}
	s.TakeComments(a.merged, true) // adds findings about comments; true: the module has all its files
	a.found, a.silenced = s.Left.All(a.merged), s.Silenced.All(a.merged)
	a.markAssumed(want)
	return a, nil
}

// options returns options that make package load read the module from memory.
func (a *analysis) options() load.Options {
	return load.Options{MaxFileSize: maxFile, From: directory{a.files, a.dir}}
}

// choose chooses the engine. name is the engine chosen on the page; if it is "", the settings files in rules and the
// files of the module decide.
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

// markAssumed marks the findings that don't hold for the other product, OpenTofu or Terraform. It does so only if
// neither the page nor a file chooses the engine, because then the user may run that product.
func (a *analysis) markAssumed(want *policy.Policy) {
	if !a.choice.IsAssumed() || len(a.found) == 0 {
		return
	}
	opts := a.options()
	opts.Engine = a.choice.Product.Other().Newest()
	unsettled := check.Unsettled(a.merged.Source, a.found, opts.Engine) // points into a.found; the others hold there
	// Set Unlike in those that the other product lacks. An error means that it reads none of the files.
	if merged, diags, err := merge.Dir(a.dir, opts, merge.Options{}); err == nil {
		check.MarkUnlike(unsettled, check.FactsOf(merged, diags, want.LooksFor, unsettled), opts.Engine)
	}
}

// elsewhere returns the number of files in other directories than the module's, without hidden files.
func (a *analysis) elsewhere() (n int) {
	for name := range a.files {
		if path.Dir(name) != a.dir && !strings.HasPrefix(path.Base(name), ".") {
			n++
		}
	}
	return n
}

// A moduleAnswer describes a module. Every view has the files and the findings.
type moduleAnswer struct {
	Engine    string `json:"engine"`    // a release, such as opentofu@1.11.4
	Title     string `json:"title"`     // of the product
	Reason    string `json:"reason"`    // why this engine
	IsRefused bool   `json:"isRefused"` // by the engine
	// Elsewhere is the number of files in other directories.
	Elsewhere int                    `json:"elsewhere"`
	Files     []fileAnswer           `json:"files"`
	Findings  []report.FindingRecord `json:"findings"`
	Silenced  []report.FindingRecord `json:"silenced"`
	Effective *section.Section       `json:"effective,omitempty"`
	Changes   *changesAnswer         `json:"changes,omitempty"`
}

// A fileAnswer is a file of the module's directory and its part in the module.
type fileAnswer struct {
	Name string `json:"name"`
	Role string `json:"role"` // primary, override, none, or the role of a side file
	Note string `json:"note,omitempty"`
}

// A changesAnswer lists the changes of the overrides, block by block.
type changesAnswer struct {
	Blocks []changedBlock `json:"blocks"`
	Count  string         `json:"count"`          // in words
	Left   string         `json:"left,omitempty"` // how much is not listed
}

type changedBlock struct {
	Address string              `json:"address"`
	Note    string              `json:"note,omitempty"`
	Lines   []report.ChangeLine `json:"lines"`
}

// An explanation is what explain prints for a position. Its text is empty if nothing is there.
type explanation struct {
	Text string `json:"text"`
}

const (
	// maxText is roughly the maximum size of a view's text in bytes: nobody reads more.
	maxText = 1_000_000
	// maxLines is the maximum number of lines of changes that are listed.
	maxLines = 3000
)

// records returns findings as records for JSON, with names of files as the module has them. The list is never nil,
// which would be null in JSON.
func records(a *analysis, found []check.Finding) []report.FindingRecord {
	return append([]report.FindingRecord{}, report.Findings(a.merged.Source, "", found)...)
}

// answerFor tells what part a file of the module's directory has in the module, or why the module doesn't read it.
func (a *analysis) answerFor(name string) fileAnswer {
	f := fileAnswer{Name: name, Role: "none"}
	if own := a.merged.Source.File(name); own != nil {
		f.Role = own.Role.String()
		return f
	}
	for _, e := range a.merged.Source.Names {
		if e.Name == name {
			f.Note = whyUnread(e, a.merged.Source)
			return f
		}
	}
	if name == policy.FileName {
		f.Role = "settings"
	} else if role := sidefiles.RoleOf(name, false); role != "" {
		f.Role = string(role)
	}
	return f
}

// whyUnread says why the module doesn't read a file whose name resembles configuration.
func whyUnread(e load.DirEntry, m *load.Module) string {
	switch {
	case e.Status == load.Shadowed:
		return diag.Escape(e.By) + " shadows it"
	case e.Meant != "":
		return "not read; to make it an override file, rename it to " + diag.Escape(e.Meant)
	}
	return m.Engine.Product.Title() + " doesn't read it"
}

// changes lists the changes of the overrides, block by block, as the command changes does, up to maxLines lines.
func (a *analysis) changes() *changesAnswer {
	m := report.ModuleChanges{
		Redact: wording.NewRedactor(a.merged.Source, false), Blocks: changes.Of(a.merged),
	}
	all := &changesAnswer{Blocks: []changedBlock{}, Count: m.Count()}
	lines, left := 0, 0 // lines counts those listed; left counts the blocks that aren't listed, or not completely
	for _, b := range m.Blocks {
		if lines >= maxLines {
			left++
			continue
		}
		block := changedBlock{Address: b.Address.String(), Note: report.BlockNote(b), Lines: []report.ChangeLine{}}
		for l := range m.GroupedLines(b) {
			if lines++; lines > maxLines {
				left++
				break
			}
			block.Lines = append(block.Lines, l)
		}
		all.Blocks = append(all.Blocks, block)
	}
	if left > 0 {
		all.Left = "The changes of " + wording.Count(left, "block") + " are not listed, or not all of them."
	}
	return all
}

// explain explains the argument or block at a position as the command explain does, with lines of at most columns; 0
// means any length. The text is empty if nothing is at the position, or if it can't be explained.
func (a *analysis) explain(p position, columns int) *explanation {
	f := a.merged.Source.File(path.Base(p.File))
	// Nothing is known of the contents of a file that can't be parsed, so the history of any item may lack a part.
	isAnyBroken := slices.ContainsFunc(a.merged.Source.Files, func(f *source.File) bool { return f.Broken })
	if f == nil || path.Dir(path.Clean(p.File)) != a.dir || a.diags.HasErrors() && isAnyBroken {
		return &explanation{}
	}
	offset, _ := textedit.Offset(f.Raw, p.Line, p.Column)
	if offset < 0 {
		return &explanation{}
	}
	it := f.ItemAt(offset)
	if it == nil {
		return &explanation{}
	}
	// Explain the item, unless the engine refuses it.
	targets := lookup.OfItem(a.merged, it)
	if len(targets) == 0 {
		return &explanation{}
	}
	concern := lookup.NewConcern(targets)
	if slices.ContainsFunc(a.diags, func(d *hcl.Diagnostic) bool { return diag.IsError(d) && concern.IsAbout(d) }) {
		return &explanation{Text: a.merged.Source.Engine.Product.Title() + " refuses this. See the findings of check."}
	}
	to := screen.Plain()
	if columns > 0 { // break lines as on a terminal of that width
		to.Width, to.IsTerminal = columns, true
	}
	var out strings.Builder
	x := term.Explain(a.merged, to, term.ExplainOptions{})
	if err := x.Write(&out, targets); err != nil {
		panic(err) // a builder takes everything
	}
	return &explanation{Text: out.String()}
}

// maxFile is the maximum size of a file in bytes. Merging a larger one would take longer than the page
// allows.
const maxFile = 4 << 20

// texts holds files by their paths, with slashes, from the top of what the page has. It stands for a disk: a
// directory exists if a file is in it.
type texts map[string]string

// Has implements enginechoice.Tree: it reports whether there is a file or a directory called name.
func (t texts) Has(name string) bool {
	if _, isFile := t[name]; isFile {
		return true
	}
	for other := range t {
		if strings.HasPrefix(other, name+"/") {
			return true
		}
	}
	return false
}

// Read implements enginechoice.Tree. It refuses a file of more than limit or maxFile bytes.
func (t texts) Read(name string, limit int64) ([]byte, error) {
	text, isFile := t[name]
	switch {
	case !isFile:
		return nil, fs.ErrNotExist
	case int64(len(text)) > min(limit, maxFile):
		return nil, fmt.Errorf("it is larger than %d bytes, which the playground reads at most", min(limit, maxFile))
	}
	return []byte(text), nil
}

// EscapesRepo implements enginechoice.Tree: there are no links.
func (texts) EscapesRepo(string) bool { return false }

// A directory is a directory of texts. It implements load.Directory.
type directory struct {
	texts
	dir string
}

// Names implements load.Directory: it lists the files in the directory itself. There are no links.
func (d directory) Names() (names []string, links map[string]bool, err error) {
	for name := range d.texts {
		if path.Dir(name) == d.dir {
			names = append(names, path.Base(name))
		}
	}
	slices.Sort(names)
	return names, nil, nil
}

// Read implements load.Directory.
func (d directory) Read(name string, limit int64) ([]byte, error) {
	return d.texts.Read(path.Join(d.dir, name), limit)
}

// settings finds settings files among texts. It implements policy.Source.
type settings struct{ texts }

// Above implements policy.Source: it lists a directory and those above it, from the innermost out.
func (settings) Above(dir string) (list []string, err error) {
	for {
		list = append(list, dir)
		if dir == "." {
			return list, nil
		}
		dir = path.Dir(dir)
	}
}

// Read implements policy.Source: it returns the settings file in a directory.
func (s settings) Read(dir string) (policy.File, error) {
	name := path.Join(dir, policy.FileName)
	text, err := s.texts.Read(name, input.MaxSettingsSize)
	return policy.File{Name: name, Text: text}, err
}
