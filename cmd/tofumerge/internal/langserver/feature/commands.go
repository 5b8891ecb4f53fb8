package feature

import (
	"encoding/json"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// The names of commands. The client runs those that open something in the editor, and names
// the ones that it has in its initialization options. The server runs the others.
const (
	// ShowOverrides lists locations. Its arguments are the URI of a document, a position in it, and
	// locations. The client runs it. If it doesn't have it but can show a document, the server runs
	// it, and shows the location that the user chooses.
	ShowOverrides = "tofumerge.showOverrides"
	// ShowEffective shows the effective configuration. Its arguments are the URI of a document
	// and a position in it. The client runs it.
	ShowEffective = "tofumerge.showEffective"
	// RunEffective returns the effective configuration. The server runs it.
	RunEffective = "tofumerge.effective"
	// RunExplain returns the history of the item at a position, as Hover words it. The server runs
	// it.
	RunExplain = "tofumerge.explain"
)

// A Client holds the abilities of a client on which answers depend.
type Client struct {
	// Commands are the commands that the client runs.
	Commands []string
	// Snippets is set if texts to insert may be snippets.
	Snippets bool
	// DocumentChanges is set if edits may name the version of a document.
	DocumentChanges bool
	// CreatesFiles is set if edits may create files.
	CreatesFiles bool
	// Version returns the version of an open document, and nil for others.
	Version func(protocol.DocumentURI) *int32
	// ShowsDocuments is set if the client shows documents that the server names.
	ShowsDocuments bool
	// LazyEdits is set if the client resolves an action's edit when the user chooses it.
	LazyEdits bool
	// DisabledActions is set if the client shows disabled actions.
	DisabledActions bool
}

func (c *Client) knows(command string) bool { return slices.Contains(c.Commands, command) }

// LeavesShowOverrides reports whether the server runs ShowOverrides, because the client doesn't.
func (c *Client) LeavesShowOverrides() bool { return !c.knows(ShowOverrides) && c.ShowsDocuments }

// command makes a command. If nobody can run it, it is the title alone.
func (c *Client) command(title, name string, arguments ...any) *protocol.Command {
	made := &protocol.Command{Title: title}
	if !c.knows(name) && !(name == ShowOverrides && c.LeavesShowOverrides()) {
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
