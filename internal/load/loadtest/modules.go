package loadtest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"golang.org/x/tools/txtar"
)

// A Module is the files of a module on the disk.
type Module struct {
	Name  string
	Files map[string]string
}

// Modules are the modules in the directories below one, and in the archives there.
func Modules(t *testing.T, root string) (list []Module) {
	t.Helper()
	byDir := map[string]map[string]string{}
	take := func(path, text string) {
		dir, name := filepath.Split(path)
		if load.IsIgnoredName(name) || len(load.Classify([]string{name}, engine.Default())) == 0 {
			return
		}
		if byDir[dir] == nil {
			byDir[dir] = map[string]string{}
		}
		byDir[dir][name] = text
	}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.HasSuffix(path, ".txtar") {
			for _, f := range txtar.Parse(text).Files {
				take(filepath.Join(path, f.Name), string(f.Data))
			}
			return err
		}
		take(path, string(text))
		return err
	})
	if err != nil || len(byDir) == 0 {
		t.Fatalf("no modules below %s (%v)", root, err)
	}
	for _, dir := range slices.Sorted(maps.Keys(byDir)) {
		list = append(list, Module{dir, byDir[dir]})
	}
	return list
}
