package editor_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/editor"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// TestShownWhileTyping types into an override file: the hints on other lines stay as long as
// only the line that is being typed can't be parsed.
func TestShownWhileTyping(t *testing.T) {
	const main = "resource \"a\" \"b\" {\n  c = 1\n  d = 2\n}\n"
	const override = "resource \"a\" \"b\" {\n  c = 3\n|\n}\n"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(main), 0o644); err != nil {
		t.Fatal(err)
	}
	a, err := editor.New(&workspace.Workspace{Console: terminal.Silent(nil, os.Getenv), MaxFileSize: 1 << 20}, policy.Settings{}, "", false)
	if err != nil {
		t.Fatal(err)
	}
	all := protocol.Range{End: protocol.Position{Line: 100}}
	for typed, want := range map[string]string{
		"":                               "c = 1 ← ",
		"  d = 4":                        "c = 1 ← , d = 2 ← ",
		"  d = ":                         "c = 1 ← ",
		"  d":                            "c = 1 ← ",
		"  d = \"é":                      "c = 1 ← ",
		"  d = var.":                     "c = 1 ← ",
		"  d = 1 +\r":                    "c = 1 ← ",
		"  d = \n  e = \n  f":            "c = 1 ← ",
		"  d = {":                        "", // the object may hold the other lines
		"  d = <<E":                      "",
		"}":                              "",
		"  d = \n  e = \n  f = \n  g = ": "",
	} {
		text := strings.Replace(override, "|", typed, 1)
		v, err := a.Analyse(context.Background(), view.Request{Dir: dir, Open: map[string][]byte{"override.tf": []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		v.Encoding = protocol.UTF16
		var got []string
		for _, h := range feature.InlayHints(v.Shown(), "main.tf", all) {
			got = append(got, strings.TrimSpace(strings.Split(main, "\n")[h.Position.Line])+" ← ")
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%q: hints after %q, want %q", typed, got, want)
		}
		for _, h := range feature.InlayHints(v.Shown(), "override.tf", all) {
			line := strings.Split(text, "\n")[h.Position.Line]
			if int(h.Position.Character) > len(line) || strings.TrimSpace(line) == "" {
				t.Errorf("%q: a hint at %v", typed, h.Position)
			}
		}
	}
}

// A view doesn't keep the views before it in memory, even if a file can't be parsed: someone may
// type for hours before it can be again.
func TestEarlierViewsAreFreed(t *testing.T) {
	for _, text := range []string{"locals {\n  a = 1\n}\n", "locals {\n  a = \n}\n"} {
		dir := clitest.Write(t, map[string]string{"main.tf": "locals {\n  a = 0\n}\n"})
		a, ctx := newTestAnalyst(t), t.Context()
		const views = 40
		var earlier []weak.Pointer[view.View]
		var last *view.View
		for i := range views {
			open := map[string][]byte{"override.tf": []byte(strings.Repeat("#\n", i) + text)}
			v, err := a.Analyse(ctx, view.Request{Dir: dir, Open: open, Before: last})
			if err != nil {
				t.Fatal(err)
			}
			if last = v; i > 0 {
				earlier = append(earlier, weak.Make(v))
			}
		}
		runtime.GC()
		runtime.GC()
		kept := 0
		for _, v := range earlier {
			if v.Value() != nil {
				kept++
			}
		}
		if kept > views/2 { // a goroutine that is ending may hold one
			t.Errorf("%q: %d of %d views are still in memory", text, kept, views)
		}
		runtime.KeepAlive(last)
	}
}
