package discover

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pastOf is a revision that has these names in directories.
func pastOf(dirs map[string][]string) func(string) (*Past, error) {
	return func(string) (*Past, error) { return ReadPast(fakeTree(dirs), ".") }
}

// A fakeTree is the names of the files in directories.
type fakeTree map[string][]string

func (t fakeTree) Walk(_ string, visit func(string, []string) error, _ func(string, string, error)) error {
	for dir, names := range t {
		if err := visit(strings.TrimSuffix(dir, "/"), names); err != nil && err != fs.SkipDir {
			return err
		}
	}
	return nil
}

// Directories of a revision are found together with existing ones, unless they are excluded,
// reserved, without configuration, or there under another name.
func TestPast(t *testing.T) {
	w := newWorld(t, "infra/a/main.tf", "infra/new/main.tf", "infra/empty/readme", "other/b/main.tf")
	s := w.search()
	s.Past = pastOf(map[string][]string{
		"": {"readme"}, "a": {"main.tf"}, "a/b": {"x.tf.json"}, "empty": {"main.tofu"}, "old": {"main.tf"}, "docs": {"main.txt"},
		"test/x": {"main.tf"}, ".terraform": {"main.tf"},
	})
	s.Exclude = []string{"test"}
	w.finds(s, []string{"infra"}, "infra/a", "infra/a/b", "infra/empty", "infra/new", "infra/old")
	plain := s.Past
	s.Past = func(root string) (*Past, error) {
		past, err := plain(root)
		past.IsMoved = func(now []string) func(string) bool {
			return func(rel string) bool { return rel == "old" && slices.Contains(now, filepath.Join("other", "b")) }
		}
		return past, err
	}
	// Directories below a later argument are known, too.
	w.finds(s, []string{"infra", "other/b"}, "infra/a", "infra/a/b", "infra/empty", "infra/new",
		"other/b", "other/b/a", "other/b/a/b", "other/b/empty")
	// A directory that was removed as a whole keeps its earlier modules.
	w.finds(s, []string{"gone"}, "gone/a", "gone/a/b", "gone/empty", "gone/old")
}
