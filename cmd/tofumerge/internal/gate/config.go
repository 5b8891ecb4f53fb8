package gate

import (
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
