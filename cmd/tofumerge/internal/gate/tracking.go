package gate

import (
	"errors"
	"fmt"
	"os"
	"path"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// What check finds about override files and git: those that only this working tree has, and
// those that others would take for such.

// trackingFindings lists the findings of the rules about tracked override files in a module.
// Ignored and tracked files are only searched if the index is read anyway.
func (g *Gate) trackingFindings(src *load.Module, want *policy.Policy) []check.Finding {
	looksForUntracked := want.LooksFor(check.UntrackedOverride.ID)
	looksForIgnored := (g.ws.Tracked || looksForUntracked) && want.Judges(check.IgnoredOverride.ID)
	if !looksForUntracked && !looksForIgnored {
		return nil
	}
	index, err := g.ws.Index(src.Dir)
	if err != nil {
		if _, _, isInRepository := g.ws.Repository(src.Dir); isInRepository && !errors.Is(err, gitrev.ErrNoRepository) {
			g.ws.NoteOnce(fmt.Sprintf("Note: can't determine which override files are tracked: %v", err))
		}
		return nil
	}
	dir, ok := workspace.PathIn(index, src.Dir)
	if !ok {
		return nil
	}
	var found []check.Finding
	tree, isTree := src.From.(*gitrev.Directory)
	isPast := isTree && tree.Of() != gitrev.IndexName // all files of a revision are tracked
	for _, name := range overridesIn(src, !isPast) {
		at := path.Join(dir, name)
		isTracked := isPast || index.Has(at)
		switch {
		case !isTracked && looksForUntracked:
			found = append(found, check.Untracked(name))
		case isTracked && looksForIgnored:
			if by, err := index.IgnoredBy(at); err == nil && by != "" {
				found = append(found, check.Ignored(name, diag.Escape(by)))
			}
		}
	}
	return found
}

// overridesIn are the names of the override files of a module for any engine, and of those that
// lie on the disk beside one that was read elsewhere.
func overridesIn(src *load.Module, onDisk bool) []string {
	known := map[string]bool{}
	var names []string
	add := func(entries []load.DirEntry) {
		for _, e := range entries {
			isOther := e.Status == load.Ignored || e.Status == load.Unread
			if e.Role == source.Override && !isOther && !known[e.Name] {
				known[e.Name] = true
				names = append(names, e.Name)
			}
		}
	}
	add(src.Names)
	if src.From != nil && onDisk {
		add(load.Classify(namesOnDisk(src.Dir), engine.Default()))
	}
	return names
}

// namesOnDisk are the names of the files of a directory; none if it isn't there.
func namesOnDisk(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}
