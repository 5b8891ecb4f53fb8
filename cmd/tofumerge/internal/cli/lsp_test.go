package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// An analysis leaves the garbage collector as the server set it.
func TestMemoryOfServer(t *testing.T) {
	n, err := newAnalyst(&app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv), Seams: workspace.Seams{Heap: &process.Heap{}}}}, policy.Settings{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := n.gate(view.Request{}); err != nil || c.Workspace().Heap != nil {
		t.Errorf("an analysis tunes the garbage collector: %v", err)
	}
}

// A directory that is gone, or has become a file, is no module: there is nothing to say about it
// in an editor.
func TestNoDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "module")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), file + "-gone"} {
		open := map[string][]byte{"main.tf": []byte("locals {}\n")}
		if _, err := newTestAnalyst(t).Analyse(t.Context(), view.Request{Dir: dir, Open: open}); !errors.Is(err, errNoModule) {
			t.Errorf("%s: %v", filepath.Base(dir), err)
		}
	}
}

// A request that crashes after the end of the server writes nothing.
func TestLogHasEnded(t *testing.T) {
	var errs bytes.Buffer
	log := &serverLog{app: &app{ws: &workspace.Workspace{Console: &terminal.Console{Err: &errs, Verbose: true}}}}
	log.crashed("first")
	if !strings.Contains(errs.String(), "goroutine") {
		t.Errorf("no stack in:\n%s", errs.String())
	}
	errs.Reset()
	log.end()
	log.crashed("second")
	if errs.Len() > 0 {
		t.Errorf("written after the end:\n%s", errs.String())
	}
}
