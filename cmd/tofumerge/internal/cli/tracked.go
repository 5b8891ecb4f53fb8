package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// With --tracked, modules consist of the files in git's index, regardless of the working tree.

// writers are the commands that change files, or that look at unsaved ones.
var writers = []string{"exec", "extract", "flatten", "lsp", "mark"}

// checkTracked refuses --tracked for commands that write files: their text is the working tree's.
func (a *app) checkTracked(cmd *cobra.Command) error {
	if !a.ws.Tracked {
		return nil
	}
	for _, name := range writers {
		if cmd.Name() == name {
			return fmt.Errorf("--tracked reads the index, but %s works on the working tree; leave out --tracked", name)
		}
	}
	for _, name := range []string{"fix", "write"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--tracked reads the index, but --%s changes the working tree; use only one of them", name)
		}
	}
	a.ws.UseIndex()
	return nil
}
