package mergetest

import (
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Dir loads and merges a directory with all trees, as the default engine does. It returns an error
// if the engine refuses the module.
func Dir(dir string) (*merge.Module, error) {
	m, diags, err := merge.Dir(dir, load.Options{}, merge.Options{})
	if err == nil && diags.HasErrors() {
		err = diags
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}
