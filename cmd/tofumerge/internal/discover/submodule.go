package discover

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// A missingSubmodule is one whose files aren't there, so that a search can't find its modules.
type missingSubmodule struct {
	commit string // its id
	why    error  // nil for an empty directory
}

// noteMissing names the submodules below a directory whose files are missing now or at the revision,
// and counts those that are missing now. The revision shows whether one moved to another commit.
func (f *finder) noteMissing(root string, now map[string]missingSubmodule, past *Past) {
	was := map[string]missingSubmodule{}
	if past != nil {
		was = past.missing
	}
	all := maps.Clone(was)
	if all == nil {
		all = map[string]missingSubmodule{}
	}
	maps.Copy(all, now)
	for _, rel := range slices.Sorted(maps.Keys(all)) {
		if f.excludedAbove(rel) != "" {
			continue
		}
		dir := diag.Escape(filepath.Join(root, filepath.FromSlash(rel)))
		here, isHere := now[rel]
		there, isThere := was[rel]
		text := fmt.Sprintf("Note: %s is a submodule that isn't checked out; run: git submodule update --init %[1]s", dir)
		switch {
		case isHere && isThere && here.commit != there.commit:
			text = fmt.Sprintf("Note: the submodule %s moved from %s to %s and isn't checked out, so its modules can't be compared; "+
				"run: git submodule update --init %[1]s", dir, short(there.commit), short(here.commit))
		case !isHere:
			text = "Note: the modules of " + dir + " can't be compared: " + there.why.Error()
		}
		if isHere {
			f.skipped.Submodules++
		}
		f.Note(text)
	}
}

// short is the beginning of an id, as git prints it.
func short(commit string) string { return commit[:min(len(commit), 7)] }
