package policy

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// An Error explains why a settings file can't be read or is invalid.
type Error struct {
	file   File
	unread error     // nil for one that is invalid
	at     hcl.Range // line 0 for the file as a whole
	why    string
}

func (e *Error) Error() string {
	at := e.file.called()
	if e.unread != nil {
		return fmt.Sprintf("can't read %s: %v", at, e.unread)
	}
	return e.place() + ": " + e.why
}

// place is FILE:LINE:COLUMN, or FILE for the file as a whole.
func (e *Error) place() string {
	if e.at.Start.Line == 0 {
		return e.file.called()
	}
	return fmt.Sprintf("%s:%d:%d", e.file.called(), e.at.Start.Line, e.at.Start.Column)
}

// FindingFor returns the finding that a module has no valid settings. An error in a file of a
// revision has no location in the module, so its message names the file.
func (e *Error) FindingFor(dir string) check.Finding {
	if e.file.Path == "" {
		return check.Unreadable("", e)
	}
	f := check.Unreadable(repo.From(dir, e.file.Path), e)
	f.Message = e.why
	if e.unread != nil {
		f.Message = fmt.Sprintf("Can't read the file: %s.", e.unread)
	}
	f.Range.Start, f.Range.End = e.at.Start, e.at.End
	return f
}

// called is how messages name a file.
func (f File) called() string {
	if f.Path == "" {
		return diag.Escape(f.Name)
	}
	return diag.Escape(repo.FromHere(f.Path))
}
