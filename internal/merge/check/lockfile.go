package check

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
)

// Locked lists the effective constraints that the locked version of their provider does not meet.
// Providers missing from the lock file are skipped.
func Locked(m *merge.Module, compared []providers.Provider) []Finding {
	wanted := map[source.Item]bool{}
	for _, p := range compared {
		for _, c := range p.Unmet() {
			wanted[c.Item] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	f := &findings{m: m, names: map[source.Item]nameItem{}}
	none := func(*source.File, int) bool { return false }
	address.WalkSome(m, none, func(own address.Address, e *merge.MergedItem) {
		if a := e.Attr(); a != nil && wanted[a] {
			f.names[a] = nameItem{own, e}
		}
	})
	for _, p := range compared {
		for _, c := range p.Unmet() {
			f.add(lockMismatch, c.Item, "%s locks %s at %s, which doesn't meet %q. Run init -upgrade, or change the constraint.", load.LockName, diag.Escape(p.Source), p.Version, c.Text)
		}
	}
	return f.found
}

// BrokenLock is the finding that the lock file can't be parsed. init fails on it.
func BrokenLock(diags hcl.Diagnostics) Finding {
	d := diags.Errs()[0].(*hcl.Diagnostic)
	at := hcl.Range{Filename: load.LockName}
	if d.Subject != nil {
		at = *d.Subject
	}
	return unreadable.At(at, "init fails on this lock file: "+d.Summary+". Restore it, or remove it and run init.")
}
