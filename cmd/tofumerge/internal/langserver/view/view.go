// Package view is what the language server knows of one module at one moment: the merged
// module, what check finds in it, and the texts of its files, in which positions are
// counted.
//
// An Analyst makes views; features read them. A View does not change, so several
// goroutines may read it. It holds no policy: what to look for is up to the analyst.
package view

import (
	"context"
	"encoding/json"
	"path/filepath"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/document"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// A Request says of which module a view is to be.
type Request struct {
	Dir string // absolute
	// Open are the contents of its files that are open in an editor, by name.
	Open map[string][]byte
	// Before is the last view of the module, if there is one. What has not changed since is
	// not read again.
	Before *View
}

// An Analyst loads, merges and checks modules, as the settings of each ask for. Several
// goroutines may use it.
type Analyst interface {
	// Analyse makes the view of a module. The error is that of the context, or one that
	// leaves nothing to show; what is wrong with the module is a finding.
	Analyse(ctx context.Context, r Request) (*View, error)
	// IsPart reports whether a file of a name can be part of a module.
	IsPart(name string) bool
	// With is an analyst that does as the settings of a client ask for. The error says
	// which of them makes no sense.
	With(settings json.RawMessage) (Analyst, error)
}

// A View is a module at one moment.
type View struct {
	Dir      string // absolute
	Encoding protocol.PositionEncodingKind
	// Merged is nil where the module could not be loaded.
	Merged   *merge.Module
	Diags    hcl.Diagnostics
	Findings []check.Finding // as check lists them, sorted
	// Cache is what the next look at the module need not read again.
	Cache *load.Cache
	// Open are the files that are open in an editor, by name, as the client calls them.
	Open map[string]protocol.DocumentURI
	// WithoutBroken, if set, makes a view of the module without the lines that can't be
	// parsed, which are blank in it; nil if there is none.
	WithoutBroken func() *View

	mutex sync.Mutex
	texts map[string]*document.Text
	once  sync.Map // what Once made, as functions, by key
}

// Shown is the view for what is shown beside the text while people type: where a line can't
// be parsed, that of the module without the line.
func (v *View) Shown() *View {
	if v.WithoutBroken == nil {
		return v
	}
	without := v.WithoutBroken()
	if without == nil {
		return v
	}
	return Once(v, shownKey{}, func(v *View) *View {
		without.Encoding, without.Open = v.Encoding, v.Open
		return without
	})
}

type shownKey struct{}

// Once is what make returns for a view. It is made once for each key, which is of a type of
// its own; make must not ask for the same key.
func Once[T any](v *View, key any, make func(*View) T) T {
	made, ok := v.once.Load(key)
	if !ok {
		made, _ = v.once.LoadOrStore(key, sync.OnceValue(func() T { return make(v) }))
	}
	return made.(func() T)()
}

// Text is the content of a file of the module, by its name; nil of one that was not read.
func (v *View) Text(name string) *document.Text {
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
		v.texts = map[string]*document.Text{}
	}
	v.texts[name] = document.New(f.Given)
	return v.texts[name]
}

// Size is how many bytes of configuration the view holds.
func (v *View) Size() int {
	if v.Merged == nil {
		return 0
	}
	size := 0
	for _, f := range v.Merged.Source.Files {
		size += len(f.Given) + len(f.Src)
	}
	return size
}

// Keep notes the content of a file that is not one of the module.
func (v *View) Keep(name string, content []byte) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.texts == nil {
		v.texts = map[string]*document.Text{}
	}
	v.texts[name] = document.New(content)
}

// URI is how clients name a file of the module.
func (v *View) URI(name string) protocol.DocumentURI {
	if uri, isOpen := v.Open[name]; isOpen {
		return uri
	}
	return URIOf(filepath.Join(v.Dir, name))
}

// Range is a range of a file as a client counts. What has no bytes is the start of the file.
func (v *View) Range(r hcl.Range) protocol.Range {
	t := v.Text(r.Filename)
	if t == nil {
		return protocol.Range{}
	}
	return t.Range(r.Start.Byte, r.End.Byte, v.Encoding)
}

// Location is where an item is named.
func (v *View) Location(it source.Item) protocol.Location {
	r := source.Where(it)
	return protocol.Location{URI: v.URI(r.Filename), Range: v.Range(r)}
}

// ItemAt is the innermost item at a position of a file of the module, or nil.
func (v *View) ItemAt(name string, p protocol.Position) source.Item {
	t := v.Text(name)
	if t == nil {
		return nil
	}
	return v.Merged.Source.File(name).ItemAt(t.Offset(p, v.Encoding))
}
