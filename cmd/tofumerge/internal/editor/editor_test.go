package editor_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/editor"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// An analysis leaves the garbage collector as the server set it.
func TestMemoryOfServer(t *testing.T) {
	n, err := editor.New(&workspace.Workspace{Console: terminal.Silent(nil, os.Getenv), Seams: workspace.Seams{Heap: &process.Heap{}}}, policy.Settings{}, "", false)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := n.Gate(view.Request{}); err != nil || c.Workspace().Heap != nil {
		t.Errorf("an analysis tunes the garbage collector: %v", err)
	}
}

// A directory that is gone, or has become a file, isn't a module: the editor shows nothing about
// it.
func TestNoDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "module")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), file + "-gone"} {
		open := map[string][]byte{"main.tf": []byte("locals {}\n")}
		if _, err := newTestAnalyst(t).Analyse(t.Context(), view.Request{Dir: dir, Open: open}); !errors.Is(err, editor.ErrNoModule) {
			t.Errorf("%s: %v", filepath.Base(dir), err)
		}
	}
}
