package load

import (
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
)

// Links are followed as engines do. One may lead to a file that has nothing to do with
// the module, such as one with the passwords of whoever runs the program, and messages
// about it must not tell what it holds.

// findOutside notes which files links lead to that are not to be quoted.
func (m *Module) findOutside(links map[string]bool, leadsOut func(path string) bool) {
	if leadsOut == nil {
		return
	}
	isDirOutside := leadsOut(m.Dir)
	for _, f := range m.Files {
		switch {
		case f.Path == "" || f.Given != nil && !links[f.Name]:
		case f.Overlay || links[filepath.Base(f.Path)]:
			f.Outside = leadsOut(f.Path)
		default:
			f.Outside = isDirOutside
		}
	}
}

// NotQuoted is what is said instead of what quotes a file.
const NotQuoted = "The file is a link that leads out of the repository, so nothing of it is quoted."

// Unquote takes out of diagnostics about files outside what may quote them.
func (m *Module) Unquote(diags hcl.Diagnostics) {
	if m.ShowSource {
		return
	}
	for _, d := range diags {
		if d.Subject == nil || d.Summary == Unreadable {
			continue
		}
		if f := m.File(d.Subject.Filename); f != nil && f.Outside {
			d.Detail = NotQuoted + " --show-source quotes it."
		}
	}
}
