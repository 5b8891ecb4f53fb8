package editor

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// ErrNoModule is the error for a directory without configuration.
var ErrNoModule = errNoModule

// Gate makes the gate of a module.
func (n *Analyst) Gate(r view.Request) (*gate.Gate, error) { return n.gate(r) }
