package gate

import (
	"errors"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// A configFlags holds --config and --config-from.
type ConfigFlags struct{ File, Revision string }

// readConfigFrom has settings files read from a revision of the repository that they are in.
func readConfigFrom(ws *workspace.Workspace, name string) {
	ws.Settings.Source = policy.Trees(func(dir string) (policy.Tree, error) {
		revision, err := ws.Revision(dir, name)
		if _, _, ok := ws.Repository(dir); !ok {
			return policy.Tree{Missing: err}, nil
		}
		if err != nil {
			return policy.Tree{}, err
		}
		return policy.Tree{
			Files: revision, Root: revision.Root, IsForeign: true,
			Called: func(path string) string { return name + ":" + path },
		}, nil
	})
}

// isConfigError reports whether something is wrong with a settings file, and not with reading
// all of them.
func isConfigError(err error) bool {
	return errors.As(err, new(*policy.Error))
}
