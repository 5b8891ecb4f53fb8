package loadtest

import (
	"maps"
	"slices"
)

// InOrder are the texts of files in the order of their names.
func InOrder(files map[string]string) (texts []string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		texts = append(texts, files[name])
	}
	return texts
}
