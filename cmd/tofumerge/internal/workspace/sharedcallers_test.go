package workspace_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
)

// Workspaces share the calls of a repository for as long as they are kept.
func TestSharedCallers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD":      "ref: refs/heads/main\n",
		"live/main.tf":   "module \"net\" {\n  source = \"../net/\"\n  size   = 1\n}\nmodule \"other\" {\n  source = \"a/b/c\"\n}\n",
		"net/main.tf":    "variable \"size\" {\n}\n",
		"broken/main.tf": "module \"net\" {\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	called := &load.Module{Dir: filepath.Join(dir, "net")}
	count := func(shared *workspace.CallerIndexes) int {
		w := newTry(t, dir)
		w.SharedCallers = shared
		list := w.Callers(called)
		for _, c := range list {
			if at := c.Arguments["size"]; c.Address != "module.net" || at.Filename != "live/main.tf" || at.Start.Line != 3 {
				t.Errorf("%s sets it at %v", c.Address, at)
			}
		}
		return len(list)
	}
	brief, long := &workspace.CallerIndexes{Keeps: time.Nanosecond}, &workspace.CallerIndexes{Keeps: time.Hour}
	for name, shared := range map[string]*workspace.CallerIndexes{"none": nil, "brief": brief, "long": long} {
		if n := count(shared); n != 1 {
			t.Errorf("%s: %d callers", name, n)
		}
	}
	if err := os.Remove(filepath.Join(dir, "live", "main.tf")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		shared *workspace.CallerIndexes
		want   int
	}{"none": {nil, 0}, "brief": {brief, 0}, "long": {long, 1}} {
		if n := count(c.shared); n != c.want {
			t.Errorf("%s: %d callers once the call is gone, want %d", name, n, c.want)
		}
	}
}
