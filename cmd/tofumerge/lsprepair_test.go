package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
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
	a, err := newAnalyst(&app{streams: streams{err: io.Discard, env: os.Getenv}, maxSize: 1 << 20}, settings{}, "")
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
