// Package view holds the state of one module at one moment for the language server: the merged
// module, the findings of check, and the texts of its files, to which positions refer.
//
// An Analyst makes views; features read them. A View does not change, so several goroutines may
// read it; so do they with a Text, since applying edits makes a new one. A position that doesn't
// exist is replaced by the nearest one before it, as the specification requires. The Analyst decides
// which findings a module is checked for.
package view

import (
	"context"
	"encoding/json"
	"net/url"
	gopath "path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// A Request asks for a view of a module.
type Request struct {
	Dir string // absolute
	// Open holds the contents of its files that are open in an editor, by name.
	Open map[string][]byte
	// Settings holds the contents of the settings files that are open in an editor and count
	// for the module, by path.
	Settings map[string][]byte
	// Before is the previous view of the module, or nil. Files that have not changed since are
	// not read again.
	Before *View
	// Once is set if the module won't be analysed again soon, so its files need not be cached.
	Once bool
}

// An Analyst loads, merges and checks modules, each by its own settings. Several goroutines
// may use it.
type Analyst interface {
	// Analyse makes a view of a module. Problems of the module are findings in the view. It
	// fails if ctx is done, or if there is nothing to show.
	Analyse(ctx context.Context, r Request) (*View, error)
	// IsPart reports whether a file with this name can be part of a module.
	IsPart(name string) bool
	// Governing lists the names of the files that hold settings for their directory and those below it.
	Governing() []string
	// Modules lists the modules with override files in dir and below, by their directories.
	Modules(ctx context.Context, dir string) ([]string, error)
	// With returns an analyst that follows the settings of a client. The error names the
	// setting that is wrong.
	With(settings json.RawMessage) (Analyst, error)
}

// A View is a module at one moment.
type View struct {
	Dir      string // absolute
	Encoding protocol.PositionEncodingKind
	// Merged is nil if the module could not be loaded.
	Merged   *merge.Module
	Diags    hcl.Diagnostics
	Findings []check.Finding // in the order in which check lists them
	// Redact hides values in everything that is shown beside the text of files.
	Redact bool
	// Detail selects the parts that are left out.
	Detail Detail
	// Cache lets the next analysis of the module skip unchanged files.
	Cache *load.Cache
	// Open holds the client's URIs of the files that are open in an editor, by name.
	Open map[string]protocol.DocumentURI
	// Settings holds the client's URIs of the settings files that are open in an editor and apply
	// to the module, by path.
	Settings map[string]protocol.DocumentURI
	// WithoutBroken is set if there are lines that can't be parsed. It returns a view of the
	// module in which these lines are blank, or nil if that doesn't help.
	WithoutBroken func() *View

	mutex sync.Mutex
	texts map[string]*Text
	once  sync.Map // of func() T by the key of Once
}

// A Detail lists the parts that editors don't show beside the text. The zero value leaves nothing
// out.
type Detail struct {
	HidesDropped bool // hints at dropped or changed parts of a replaced value
	HidesAdded   bool // hints at the additions of overrides
	HidesCounts  bool // numbers in hints and lenses
	HidesFades   bool // diagnostics that only fade out replaced items

	FadesLines bool // fades out lines one by one, because the editor fades out hints inside of a range
}

// Shown returns the view for what editors show beside the text, which should not vanish while
// someone types: if lines can't be parsed, it is the view of the module without these lines.
func (v *View) Shown() *View {
	if v.WithoutBroken == nil {
		return v
	}
	without := v.WithoutBroken()
	if without == nil {
		return v
	}
	return Once(v, shownKey{}, func(v *View) *View { // without is shared: set its fields only once
		without.Encoding, without.Open, without.Settings, without.Redact = v.Encoding, v.Open, v.Settings, v.Redact
		without.Detail = v.Detail
		return without
	})
}

type shownKey struct{}

// Once returns make(v) and calls make only once for each key of a view. A key needs a type of
// its own. make must not call Once with the same key.
func Once[T any](v *View, key any, make func(*View) T) T {
	once, ok := v.once.Load(key)
	if !ok {
		once, _ = v.once.LoadOrStore(key, sync.OnceValue(func() T { return make(v) }))
	}
	return once.(func() T)()
}

// Cached returns a function that calls make only once for each view. make must not call it.
func Cached[T any](make func(*View) T) func(*View) T {
	key := new(byte)
	return func(v *View) T { return Once(v, key, make) }
}

// Text returns the content of a file of the module, or nil if the file was not read.
func (v *View) Text(name string) *Text {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if t := v.texts[name]; t != nil || v.Merged == nil {
		return t
	}
	f := v.Merged.Source.File(name)
	if f == nil {
		return nil
	}
	if v.texts == nil {
		v.texts = map[string]*Text{}
	}
	v.texts[name] = NewText(f.Raw)
	return v.texts[name]
}

// IsPart reports whether a file is part of the configuration.
func (v *View) IsPart(name string) bool {
	return v.Merged != nil && v.Merged.Source.File(name) != nil
}

// Size returns the number of bytes of configuration that the view holds.
func (v *View) Size() int {
	if v.Merged == nil {
		return 0
	}
	size := 0
	for _, f := range v.Merged.Source.Files {
		size += len(f.Raw) + len(f.Native)
	}
	return size
}

// Keep adds the content of a file that isn't part of the module, so that Text returns it: findings have positions
// in such files, too.
func (v *View) Keep(name string, content []byte) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.texts == nil {
		v.texts = map[string]*Text{}
	}
	v.texts[name] = NewText(content)
}

// URI returns the URI of a file of the module: if the file is open, the client's own, which may be spelled
// differently.
func (v *View) URI(name string) protocol.DocumentURI {
	if uri, isOpen := v.Open[name]; isOpen {
		return uri
	}
	path := filepath.Join(v.Dir, name)
	if uri, isOpen := v.Settings[path]; isOpen {
		return uri
	}
	return URIOf(path)
}

// Range converts a range of a file to positions in the client's encoding. If the file was not read, it returns an
// empty range at the start.
func (v *View) Range(r hcl.Range) protocol.Range {
	t := v.Text(r.Filename)
	if t == nil {
		return protocol.Range{}
	}
	return t.Range(r.Start.Byte, r.End.Byte, v.Encoding)
}

// Location returns the location of an item's name, for the client.
func (v *View) Location(it source.Item) protocol.Location {
	r := source.Where(it)
	return protocol.Location{URI: v.URI(r.Filename), Range: v.Range(r)}
}

// ItemAt returns the innermost item at a position of a configuration file of the module, or nil.
func (v *View) ItemAt(name string, p protocol.Position) source.Item {
	if !v.IsPart(name) {
		return nil
	}
	return v.Merged.Source.File(name).ItemAt(v.Text(name).Offset(p, v.Encoding))
}

const isWindows = runtime.GOOS == "windows"

// URIOf returns the URI of an absolute path.
func URIOf(path string) protocol.DocumentURI { return uriOf(filepath.ToSlash(path), isWindows) }

// PathOf returns the path of the file that a URI names. It reports false if the URI names no file.
func PathOf(uri protocol.DocumentURI) (path string, ok bool) {
	path, ok = pathOf(string(uri), isWindows)
	return filepath.FromSlash(path), ok
}

// uriOf returns the URI of an absolute path with slashes, as Windows or other systems spell it.
func uriOf(slashed string, isWindows bool) protocol.DocumentURI {
	u := url.URL{Scheme: "file", Path: slashed}
	if isWindows {
		if host, path, isShare := shareOf(slashed); isShare {
			u.Host, u.Path = host, path
		} else {
			u.Path = "/" + slashed // C:/modules
		}
	}
	return protocol.DocumentURI(u.String())
}

// shareOf splits a UNC path, such as //host/share/main.tf, into its host and the rest.
func shareOf(slashed string) (host, path string, ok bool) {
	rest, ok := strings.CutPrefix(slashed, "//")
	host, path, hasPath := strings.Cut(rest, "/")
	return host, "/" + path, ok && hasPath && host != ""
}

// pathOf returns the path of the file that a URI names, as Windows or other systems spell it, but with
// slashes on both. It reports false if the URI names no file.
func pathOf(uri string, isWindows bool) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Opaque != "" || strings.ContainsRune(u.Path, 0) {
		return "", false
	}
	path = u.Path
	switch {
	case !isWindows:
		return gopath.Clean(path), strings.HasPrefix(path, "/") && (u.Host == "" || u.Host == "localhost")
	case u.Host != "" && u.Host != "localhost": // a network share of Windows
		return "//" + u.Host + gopath.Clean(path), true
	}
	// A path of Windows has a drive: /c:/dir becomes C:/dir.
	path = strings.TrimPrefix(path, "/")
	if len(path) < 3 || path[1] != ':' || path[2] != '/' { // not C:/
		return "", false
	}
	return strings.ToUpper(path[:1]) + ":" + gopath.Clean(path[2:]), true
}
