package extract

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// LastName proposes a name for an override file with an ending, such as ".tf", that engines apply
// after all others of a directory.
func LastName(names []string, ending string, e engine.Release) string {
	const stem = "extract_override"
	for _, name := range []string{stem + ending, "z_" + stem + ending, "zz_" + stem + ending} {
		if IsLast(name, names, e) {
			return name
		}
	}
	var last string
	for _, entry := range load.Classify(names, e) {
		if entry.Role == source.Override && entry.Status == load.Read {
			last = max(last, entry.Name)
		}
	}
	// A letter sorts after the underscore and the dots that may follow the last name.
	last, _, _ = strings.Cut(last, "override.")
	return strings.TrimSuffix(last, "_") + "z_override" + ending
}

// Ending is the ending for native files added to a directory: .tofu if the directory has .tofu
// files that the engine reads.
func Ending(names []string, e engine.Release) string {
	if e.ReadsTofuFiles() && slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, ".tofu") }) {
		return ".tofu"
	}
	return ".tf"
}

// IsLast reports whether a name is an override file's that engines apply after all others of a
// directory, and that shadows none of its files.
func IsLast(name string, names []string, e engine.Release) bool {
	all := slices.Clone(names)
	if !slices.Contains(all, name) {
		all = append(all, name)
	}
	isRead := false
	for _, entry := range load.Classify(all, e) {
		switch {
		case entry.Name == name:
			isRead = entry.Role == source.Override && entry.Status == load.Read
		case entry.By == name:
			return false
		case entry.Role == source.Override && entry.Status == load.Read && entry.Name > name:
			return false
		}
	}
	return isRead
}

// Earlier returns the files of the module to extract from: the primary files of BASE with the
// override files of EDITED, which stay as they were edited. It takes the files of the two by name.
func Earlier(base, edited map[string][]byte) map[string][]byte {
	files := map[string][]byte{}
	for _, side := range []struct {
		files map[string][]byte
		role  source.Role
	}{{base, source.Primary}, {edited, source.Override}} {
		for name, text := range side.files {
			if entries := load.Classify([]string{name}, engine.Default()); len(entries) == 1 && entries[0].Role == side.role {
				files[name] = text
			}
		}
	}
	return files
}
