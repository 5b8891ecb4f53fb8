// Package editor analyses modules for the language server: it finds the findings of check, in the
// texts that an editor has open, and edits that are proved by merging again.
//
// From the flags of the server and the settings of an editor, an Analyst makes views of modules. It
// caches expensive results between analyses, and prints nothing.
package editor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// An Analyst analyses modules for the language server. Each time it works as a new run of check would,
// because settings and version files may have changed.
type Analyst struct {
	ws         *workspace.Workspace
	flags      policy.Settings // of the command
	config     string          // of --config, absolute
	redact     bool            // of --redact
	client     Settings        // of the editor
	files      *input.Cache    // files that earlier analyses read
	schema     *readSchema     // the provider schema that was read last
	schemaFile string          // of --provider-schema, absolute
}

// Settings are the settings of an editor. Instead of an empty one, the flag or the settings files of the
// module apply.
type Settings struct {
	Engine         string   `json:"engine"`
	MinSeverity    string   `json:"minSeverity"`
	Enable         []string `json:"enable"`
	Disable        []string `json:"disable"`
	AgainstEngines []string `json:"againstEngines"`
	Config         string   `json:"config"`
	Baseline       string   `json:"baseline"`
	ProviderSchema string   `json:"providerSchema"`
	Redact         bool     `json:"redact"`
	detailSettings

	min check.Severity
}

// maxCached is the maximum total size, in bytes, of files that are kept between analyses.
const maxCached = 256 << 20

// New returns the analyst of the command lsp. ws reads modules, and flags, config and redact are flags of the
// command. The error is about wrong flags.
func New(ws *workspace.Workspace, flags policy.Settings, config string, redact bool) (*Analyst, error) {
	n := &Analyst{ws: ws, redact: redact, flags: flags, config: config, files: input.NewCache(maxCached), schema: &readSchema{}, schemaFile: ws.Schema}
	for _, file := range []*string{&n.config, &n.schemaFile} {
		if *file != "" {
			*file = repo.Absolute(repo.In(ws.Base(), *file)) // the server will change its working directory
		}
	}
	if name := ws.Engines.Flag; name != "" {
		if _, err := (enginechoice.EngineName{Text: name, From: "--engine"}).Parse(); err != nil {
			return nil, err
		}
	}
	_, err := n.Gate(view.Request{}) // refuses the other wrong flags
	return n, err
}

// IsPart reports whether a file with this name may be part of a module, to any engine.
func (*Analyst) IsPart(name string) bool {
	list := load.Classify([]string{name}, engine.Default())
	return len(list) > 0 && list[0].Status != load.Ignored && list[0].Status != load.Unread
}

// Governing implements view.Analyst: it lists the names of files that hold settings or choose the engine.
func (*Analyst) Governing() []string { return append(enginechoice.VersionFiles(), policy.FileName) }

// With returns an analyst for the settings of an editor, in JSON. The error, which the editor shows, says which
// setting is wrong.
func (n *Analyst) With(given json.RawMessage) (view.Analyst, error) {
	other := *n
	other.client, other.schema = Settings{}, &readSchema{}
	if len(given) > 0 {
		err := json.Unmarshal(given, &other.client)
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			return nil, fmt.Errorf("%s can't be %s %s", cmp.Or(wrong.Field, "what the section holds"), strings.ToLower(diag.Article(wrong.Value)), wrong.Value)
		} else if err != nil {
			return nil, err
		}
	}
	// Refuse wrong values.
	if name := other.client.MinSeverity; name != "" {
		var ok bool
		if other.client.min, ok = check.ParseSeverity(name); !ok {
			return nil, fmt.Errorf("minSeverity takes error, warning or notice, not %q", name)
		}
	}
	if err := other.client.checkDetail(); err != nil {
		return nil, err
	}
	if name := other.client.Engine; name != "" {
		if _, err := (enginechoice.EngineName{Text: name, From: "engine"}).Parse(); err != nil {
			return nil, err
		}
	}
	if _, err := other.Gate(view.Request{}); err != nil { // refuses the other wrong settings
		return nil, err
	}
	return &other, nil
}

// ErrNoModule is the error for a directory without configuration.
var ErrNoModule = errors.New("no configuration files")

// Analyse makes the view of the module in r.Dir: the merged module, with the texts that the editor has open, and what
// check finds in it. Its error is ErrNoModule for a directory without configuration, and that of ctx once ctx is
// done.
func (n *Analyst) Analyse(ctx context.Context, r view.Request) (*view.View, error) {
	info, err := os.Stat(r.Dir)
	isMissing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	if isMissing || err == nil && !info.IsDir() {
		return nil, ErrNoModule
	}
	c, err := n.Gate(r)
	if broken := (*policy.Error)(nil); errors.As(err, &broken) {
		return n.withoutModule(r, broken.FindingFor(r.Dir)), nil // the file of --config has become invalid
	} else if err != nil {
		return nil, err
	}
	read := n.reader(ctx, r.Once)
	c.Workspace().Files.Read, c.Workspace().Loading.Read = read, read
	// cache holds parsed blocks. That of the view before spares parsing unchanged ones again.
	cache := load.NewCache()
	if r.Before != nil && r.Before.Cache != nil {
		cache = r.Before.Cache
	}
	r.Before = nil // the new view keeps r, and would keep all earlier views in memory
	in, err := c.Inspect(&workspace.Subject{Dir: r.Dir, Cache: cache}, r.Open)
	// Without a module, the view holds only the findings.
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	case in.Module == nil && len(in.Found) == 0:
		return nil, ErrNoModule
	case in.Module == nil: // perhaps because of an invalid version file, which then shows the finding
		return n.withoutModule(r, n.moveToVersionFile(c, r.Dir, in.Found)...), nil
	}
	found := dropLaterSyntaxErrors(in.Found) // leaves the first of each file
	found = slices.DeleteFunc(found, func(f check.Finding) bool { return f.Severity < n.client.min })
	v := &view.View{Dir: r.Dir, Merged: in.Module, Diags: in.Diags, Findings: found, Cache: cache, Redact: n.redact || n.client.Redact, Detail: n.client.hidden()}
	if syntaxError(in.Module.Source, in.Diags, r.Open) != nil {
		v.WithoutBroken = sync.OnceValue(func() *view.View { return n.withoutBroken(in, r) })
	}
	return v, nil
}

// reader returns the function that reads files for an analysis: through the cache of earlier ones or, if isOnce, from
// the disk, because no analysis will need these files again soon. The function fails once ctx is done, to stop an
// analysis that nobody waits for.
func (n *Analyst) reader(ctx context.Context, isOnce bool) func(path string, limit int64) ([]byte, error) {
	return func(path string, limit int64) ([]byte, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if isOnce {
			return input.Read(path, limit)
		}
		return n.files.Read(path, limit)
	}
}

// moveToVersionFile moves the finding about an invalid version file to that file, because not every editor shows
// diagnostics of other files. It returns the findings unchanged unless this one is the only one, and the file is
// open.
func (n *Analyst) moveToVersionFile(c *gate.Gate, dir string, found []check.Finding) []check.Finding {
	_, err := c.Workspace().Engine(dir)
	var broken *enginechoice.VersionFileError
	isAboutFile := len(found) == 1 && errors.As(err, &broken) && found[0].Message == err.Error()
	if !isAboutFile {
		return found
	}
	file := filepath.Join(broken.Dir, broken.Name)
	if _, isOpen := c.Workspace().Files.SettingsText(file); !isOpen {
		return found
	}
	f := check.Unreadable(repo.From(dir, file), err)
	f.Message = strings.TrimPrefix(f.Message, diag.Escape(repo.FromHere(file))+": ") // the finding is shown in this file
	return []check.Finding{f}
}

// dropLaterSyntaxErrors removes the syntax errors after the first one in each file, in place. While someone types a
// block, these come and go with every key.
func dropLaterSyntaxErrors(found []check.Finding) []check.Finding {
	isBroken := map[string]bool{} // by file: it has had a syntax error
	return slices.DeleteFunc(found, func(f check.Finding) bool {
		if f.Rule.ID != "syntax-error" {
			return false
		}
		isLater := isBroken[f.Range.Filename]
		isBroken[f.Range.Filename] = true
		return isLater
	})
}

// withoutModule returns the view of a module that can't be loaded, for example because its settings are invalid: only
// findings are known. The view also keeps the texts of the files that the findings are about. These may be in
// directories above the module.
func (n *Analyst) withoutModule(r view.Request, found ...check.Finding) *view.View {
	v := &view.View{Dir: r.Dir, Findings: found, Redact: n.redact || n.client.Redact}
	for _, f := range found {
		if f.Range.Filename == "" {
			continue
		}
		path := filepath.Join(v.Dir, f.Range.Filename)
		// r.Settings has the settings files that are open in the editor. Others are read from the disk, unless the
		// finding is about a whole file (line 0): then it needs no text.
		text, isOpen := r.Settings[path]
		if !isOpen && f.Range.Start.Line > 0 {
			text, _ = input.Read(path, input.MaxSettingsSize)
		}
		if text != nil {
			v.Keep(f.Range.Filename, text)
		}
	}
	return v
}

// Gate returns a new gate for the module of a request. The texts of open files replace those on the disk. The
// editor's settings outrank flags, but its lists of rules are added to those of the flags.
func (n *Analyst) Gate(r view.Request) (*gate.Gate, error) {
	ws := &workspace.Workspace{
		Console:     terminal.Silent(n.ws.In, n.ws.Env),
		Seams:       workspace.Seams{Parsed: n.ws.Parsed},
		Chdirs:      n.ws.Chdirs,
		MaxFileSize: n.ws.MaxFileSize,
		Excluded:    n.ws.Excluded,
		ShowSource:  n.ws.ShowSource,
		NoIgnore:    n.ws.NoIgnore,
		Files:       workspace.Files{Read: n.files.Read, Open: r.Open, Settings: r.Settings},
	}
	ws.Settings.Source = policy.Disk{Open: ws.Files.SettingsText}
	c := gate.New(ws)
	c.Format, c.Flags = "text", n.flags
	// Add the editor's settings to the flags.
	ws.Engines.Flag = cmp.Or(n.client.Engine, n.ws.Engines.Flag)
	c.Config = gate.ConfigFlags{File: cmp.Or(n.client.Config, n.config)}
	ws.Schema = cmp.Or(n.client.ProviderSchema, n.schemaFile)
	c.Baseline.Read = n.client.Baseline
	c.Flags.Enable = slices.Concat(c.Flags.Enable, n.client.Enable)
	c.Flags.Disable = slices.Concat(c.Flags.Disable, n.client.Disable)
	c.Flags.AgainstEngines = slices.Concat(c.Flags.AgainstEngines, n.client.AgainstEngines)
	opts, err := n.schema.options(ws)
	if err != nil {
		return nil, err
	}
	ws.Loading = &opts
	if err := c.Prepare(); err != nil {
		return nil, err
	}
	return c, c.OpenBaseline(c.Baseline.Read != "", false) // an editor may read a baseline, but writes none
}

// A readSchema caches the provider schema until its file changes: schemas of large providers
// take seconds to read.
type readSchema struct {
	mutex sync.Mutex
	info  os.FileInfo
	opts  *load.Options
}

// options returns the load options of a workspace, with the provider schema if it has one. It reads the schema again
// only if the file has another size or time.
func (r *readSchema) options(ws *workspace.Workspace) (load.Options, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if ws.Schema == "" {
		return ws.ReadOptions()
	}
	info, err := os.Stat(repo.In(ws.Base(), ws.Schema))
	if err == nil && r.opts != nil && info.Size() == r.info.Size() && info.ModTime().Equal(r.info.ModTime()) {
		return *r.opts, nil
	}
	opts, err := ws.ReadOptions()
	if err == nil {
		r.info, r.opts = info, &opts
	}
	return opts, err
}

// Committed implements feature.Committer: it returns the text of a file of a module in the last commit. ok is false
// if HEAD lacks the file, or if the directory was renamed since then.
func (n *Analyst) Committed(dir, name string) (text []byte, ok bool) {
	c, err := n.Gate(view.Request{})
	if err != nil {
		return nil, false
	}
	ws := c.Workspace()
	defer ws.Revisions.Close()
	past, err := ws.Past(dir, workspace.Rev{Name: "HEAD"})
	if err != nil || past.From == nil || past.Now != "" { // HEAD lacks the directory, or has it by another name
		return nil, false
	}
	text, err = past.From.Read(name, n.ws.MaxFileSize)
	return text, err == nil
}

// Fix implements feature.Fixer: it fixes the finding that of selects. It returns the new texts of the files that
// change, by name, or the reason why it can't be fixed.
func (n *Analyst) Fix(ctx context.Context, r view.Request, of feature.FindingAt) (map[string][]byte, string, error) {
	c, err := n.Gate(r)
	if err != nil {
		return nil, "", err
	}
	return c.FixOne(ctx, r.Dir, r.Open, of.Is)
}

// FixAll implements feature.Fixer: it fixes those findings in the file of this name that an editor may fix without
// asking. It returns the new texts of the files that change.
func (n *Analyst) FixAll(ctx context.Context, r view.Request, name string) (map[string][]byte, error) {
	c, err := n.Gate(r)
	if err != nil {
		return nil, err
	}
	return c.FixAll(ctx, r.Dir, r.Open, func(f check.Finding) bool {
		return f.Range.Filename == name && feature.IsFixedAtOnce(f)
	})
}

// maxSearched is the maximum number of directories that Modules searches. The folder of an editor may be the
// root of the file system.
const maxSearched = 100_000

// Modules lists the directories of modules with override files, in dir and below. It stops when ctx is done, and
// after maxSearched directories. The directories found are valid even with an error.
func (n *Analyst) Modules(ctx context.Context, dir string) ([]string, error) {
	searched := 0
	s := &discover.Search{
		Base: n.ws.Base(), Recursive: true, DirsOnly: true, Note: func(string) {},
		IsOver: func() bool {
			searched++
			return ctx.Err() != nil || searched > maxSearched
		},
	}
	found, err := s.Find([]string{dir})
	if deep := (*discover.TooDeepError)(nil); errors.As(err, &deep) {
		err = errors.New(deep.Fact() + ", so its modules are not reported on")
	}
	var dirs []string
	for _, subject := range found.Subjects {
		if discover.MayHoldOverrides(repo.In(s.Base, subject.Dir)) {
			dirs = append(dirs, subject.Dir)
		}
	}
	return dirs, err
}

// While someone types, the current line often can't be parsed, and so nothing would be known
// about its file. What editors show beside the text, such as hints, then comes from the module
// without the line.

// maxBlanked is the maximum number of lines that are left out of a module.
const maxBlanked = 3

// withoutBroken returns the view of a module in which lines of open files that can't be parsed are blank. It returns
// nil if the module still can't be parsed without maxBlanked lines.
func (n *Analyst) withoutBroken(in *gate.Inspection, r view.Request) *view.View {
	opts, mod, diags := in.Options, in.Module, in.Diags
	opts.Contents, opts.Read = maps.Clone(r.Open), n.files.Read
	for range maxBlanked {
		at := syntaxError(mod.Source, diags, opts.Contents)
		if at == nil {
			break
		}
		text, ok := blankLine(opts.Contents[at.Filename], at.Start.Line)
		if !ok {
			return nil
		}
		opts.Contents[at.Filename] = text
		src, loaded, err := load.Dir(r.Dir, opts)
		if err != nil {
			return nil
		}
		mod, diags = merge.Files(src, merge.Options{})
		diags = append(loaded, diags...)
	}
	if syntaxError(mod.Source, diags, opts.Contents) != nil {
		return nil
	}
	return &view.View{Dir: r.Dir, Merged: mod, Diags: diags}
}

// syntaxError returns the range of the first syntax error in an open native file; nil if there is none. Only open
// files count, because someone may be typing there.
func syntaxError(m *load.Module, diags hcl.Diagnostics, open map[string][]byte) *hcl.Range {
	for _, d := range diags {
		if d.Severity != hcl.DiagError || d.Subject == nil || open[d.Subject.Filename] == nil {
			continue
		}
		// A file that can be parsed has other errors only.
		if f := m.File(d.Subject.Filename); f != nil && f.Broken && f.Syntax == source.Native {
			return d.Subject
		}
	}
	return nil
}

// blankLine returns a copy of a text with blanks in place of a line, counted from 1, so that everything else keeps
// its position. It reports false for a line that is blank already, and for one with brackets, comments or heredocs:
// without that, the lines around it would mean something else.
func blankLine(text []byte, line int) ([]byte, bool) {
	start := 0
	for range line - 1 {
		next := bytes.IndexByte(text[start:], '\n')
		if next < 0 {
			return nil, false
		}
		start += next + 1
	}
	end := len(text)
	if next := bytes.IndexByte(text[start:], '\n'); next >= 0 {
		end = start + next
	}
	content := bytes.TrimRight(text[start:end], "\r")
	isBlank := len(bytes.TrimSpace(content)) == 0
	holds := func(mark string) bool { return bytes.Contains(content, []byte(mark)) }
	if isBlank || bytes.ContainsAny(content, "{}[]()") || holds("<<") || holds("/*") || holds("*/") {
		return nil, false
	}
	out := bytes.Clone(text)
	for i := range content {
		out[start+i] = ' '
	}
	return out, true
}

// detailSettings control how much editors show beside the text: a level, and a switch for each part
// that overrides the level.
type detailSettings struct {
	Detail       string `json:"detail"` // quiet, normal or full; empty means normal
	DroppedHints *bool  `json:"droppedHints"`
	AddedHints   *bool  `json:"addedHints"`
	Counts       *bool  `json:"counts"`
	Fade         *bool  `json:"fade"`
	// ListsHints is false for an editor that lists no hints and fades out what they are about, with the
	// inlay hints in between.
	ListsHints *bool `json:"listsHints"`
}

// checkDetail refuses an unknown level.
func (s *detailSettings) checkDetail() error {
	switch s.Detail {
	case "", "quiet", "normal", "full":
		return nil
	}
	return fmt.Errorf("detail takes quiet, normal or full, not %q", s.Detail)
}

// hidden returns what an editor doesn't show, by the level and the switches that override it. Diagnostics that only
// fade text out are shown at the level full; at the level normal only to editors that don't list them among the errors.
func (s *detailSettings) hidden() view.Detail {
	isQuiet, isFull := s.Detail == "quiet", s.Detail == "full"
	hides := func(isSwitchedOn *bool, levelHides bool) bool { // the switch is nil if it isn't set
		if isSwitchedOn != nil {
			return !*isSwitchedOn
		}
		return levelHides
	}
	listsHints := s.ListsHints == nil || *s.ListsHints
	return view.Detail{
		HidesDropped: hides(s.DroppedHints, isQuiet),
		HidesAdded:   hides(s.AddedHints, isQuiet),
		HidesCounts:  hides(s.Counts, isQuiet),
		HidesFades:   hides(s.Fade, isQuiet || !isFull && listsHints), // such an editor would list fades among the problems
		FadesLines:   !listsHints,
	}
}
