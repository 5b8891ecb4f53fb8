package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// An analyst looks at modules for the language server, each time as check would in a run of
// its own.
type analyst struct {
	*app
}

func newAnalyst(a *app) (*analyst, error) {
	return &analyst{app: a}, nil
}

// IsPart reports whether an engine may read a file of a name.
func (*analyst) IsPart(name string) bool {
	return len(load.Classify([]string{name}, engine.Default())) > 0
}

// With follows the settings of a client.
func (n *analyst) With(settings json.RawMessage) (view.Analyst, error) { return n, nil }

// errNoModule is the error of a directory without configuration.
var errNoModule = errors.New("no module")

// Analyse makes the view of a module.
func (n *analyst) Analyse(ctx context.Context, r view.Request) (*view.View, error) {
	c, err := n.checkCommand()
	if err != nil {
		return nil, err
	}
	in, only := c.inspect(&target{dir: r.Dir}, r.Open)
	switch {
	case in == nil && only.err != nil:
		return nil, only.err
	case in == nil && only.record == nil:
		return nil, errNoModule
	case in == nil:
		return &view.View{Dir: r.Dir, Findings: only.only}, nil
	}
	return &view.View{Dir: r.Dir, Merged: in.mod, Diags: in.diags, Findings: in.found}, nil
}

// checkCommand is one that has read no settings yet.
func (n *analyst) checkCommand() (*checkCommand, error) {
	a := &app{
		streams:  streams{in: n.in, out: io.Discard, err: io.Discard, env: n.env},
		chdirs:   n.chdirs,
		color:    "never",
		maxSize:  n.maxSize,
		schema:   n.schema,
		overlays: n.overlays,
		excluded: n.excluded,

		showSource: n.showSource,
	}
	a.engines.flag = n.engines.flag
	c := &checkCommand{app: a, format: "text"}
	return c, c.prepare()
}
