package feature

import (
	"encoding/json"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// The names of commands. Those of the client need windows and cursors: a client that has
// them names them when it starts, in its options. The server runs the others.
const (
	// ShowOverrides has the client list places: the URI of a document, a position in it, and
	// locations.
	ShowOverrides = "tofumerge.showOverrides"
	// ShowEffective has the client show the effective configuration: the URI of a document,
	// and a position in it.
	ShowEffective = "tofumerge.showEffective"
	// RunEffective returns the effective configuration.
	RunEffective = "tofumerge.effective"
	// RunExplain returns where what is at a position comes from.
	RunExplain = "tofumerge.explain"
)

// A Client is what a client can do, as far as answers depend on it.
type Client struct {
	// Commands are those that the client runs itself.
	Commands []string
	// Snippets says that texts to insert may have places to fill in.
	Snippets bool
	// DocumentChanges says that edits may name the version of a document.
	DocumentChanges bool
	// Version is the version of a document that is open, else nil.
	Version func(protocol.DocumentURI) *int32
	// LazyEdits says that the edits of an action may come when it is chosen.
	LazyEdits bool
	// DisabledActions says that actions may be shown that can't be chosen.
	DisabledActions bool
}

func (c *Client) knows(command string) bool { return slices.Contains(c.Commands, command) }

// command is a command of the client; only its title where the client does not know it.
func (c *Client) command(title, name string, arguments ...any) *protocol.Command {
	made := &protocol.Command{Title: title}
	if !c.knows(name) {
		return made
	}
	made.Command = name
	for _, a := range arguments {
		text, err := json.Marshal(a)
		if err != nil {
			return &protocol.Command{Title: title}
		}
		made.Arguments = append(made.Arguments, text)
	}
	return made
}
