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
		file, more := Read(f.Name, src, err, m)
		list, diags = append(list, file), append(diags, more...)
	}
	return list, diags
}

// Read is Parse for a file that was read with a result, for a module.
func Read(name string, src []byte, err error, m *load.Module) (*File, hcl.Diagnostics) {
	if err != nil {
		return &File{Name: name, Broken: true}, hcl.Diagnostics{unreadable(name, err)}
	}
	return Parse(name, src, m.Engine)
}
