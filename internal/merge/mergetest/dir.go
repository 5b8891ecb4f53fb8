package mergetest

import (
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Dir loads and merges a directory with all trees, as the default engine does. It returns an error
// if the engine refuses the module.
func Dir(dir string) (*merge.Module, error) {
	src, diags, err := load.Dir(dir, load.Options{})
	if err != nil {
		return nil, err
	}
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	return m, nil
}
