package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
)

// The other product's findings are those of the contents that are inspected, not of the files on
// disk, even if the override files are large.
func TestOtherEngineReadsTheSameContents(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.tf":     "resource \"net\" \"a\" {\n  x = 1\n}\n",
		"override.tf": strings.Repeat("#\n", 1<<20),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := newRun(t, dir)
	if err := r.gate.Prepare(); err != nil {
		t.Fatal(err)
	}
	contents := map[string][]byte{"override.tf": []byte("resource \"net\" \"a\" {\n  x = 1\n}\n")}
	in, err := r.gate.Inspect(&workspace.Subject{Dir: ".", Cache: load.NewCache()}, contents)
	if err != nil || in.Module == nil {
		t.Fatal(in, err)
	}
	if len(in.Found) != 1 || in.Found[0].Unlike.Version != "" {
		t.Errorf("found %v; want one finding, for both products", in.Found)
	}
}
