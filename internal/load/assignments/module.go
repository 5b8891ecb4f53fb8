package assignments

import (
	"errors"
	"io/fs"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
)

// OfDirectory reads the variables files of one role that an engine loads for the directory of a
// module, in the order of the list. The function read opens them by name.
func OfDirectory(
	m *load.Module, files []sidefiles.File, role sidefiles.Role, read func(name string) ([]byte, error),
) ([]*File, hcl.Diagnostics) {
	var list []*File
	var diags hcl.Diagnostics
	for _, f := range files {
		if f.Role != role || f.Status != sidefiles.Read {
			continue
		}
		src, err := read(f.Name)
		if errors.Is(err, fs.ErrNotExist) && f.IsLookedFor() {
			diags = append(diags, passedOver(f.Name))
			continue
		}
		if err != nil {
			list, diags = append(list, &File{Name: f.Name, Broken: true}), append(diags, unreadable(f.Name, err))
			continue
		}
		file, more := Parse(f.Name, src, m.Engine)
		list, diags = append(list, file), append(diags, more...)
	}
	return list, diags
}
