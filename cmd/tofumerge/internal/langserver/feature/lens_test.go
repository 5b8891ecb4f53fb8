package feature

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// A locals block of an override file overrides the blocks that declare its names. If it only
// adds names, and there are several locals blocks, it overrides none.
func TestLensesOfLocals(t *testing.T) {
	v := viewOf(t, map[string][]byte{
		"main.tf":     []byte("locals {\n  a = 1\n}\nlocals {\n  b = 1\n}\nlocals {\n  c = 1\n}\n"),
		"override.tf": []byte("locals {\n  new = 1\n}\nlocals {\n  c = 2\n  a = 2\n}\n"),
	}, engine.Default(), protocol.UTF16)
	var titles []string
	for _, lens := range CodeLenses(v, fullClient, "override.tf") {
		titles = append(titles, lens.Command.Title)
	}
	if want := []string{"overrides main.tf:7, main.tf:1"}; !slices.Equal(titles, want) {
		t.Errorf("%q, want %q", titles, want)
	}
}

// Lenses take time in proportion to the file, even if all its blocks override the same one.
func TestLensesOfManyOverrides(t *testing.T) {
	loadtest.Linear(t, "lenses", 1_000, func(n int) {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "resource \"x_y\" \"z\" {\n  a = %d\n}\n", i)
		}
		v := viewOf(t, map[string][]byte{
			"main.tf":     []byte("resource \"x_y\" \"z\" {\n  a = 1\n}\n"),
			"override.tf": []byte(text.String()),
		}, engine.Default(), protocol.UTF16)
		if lenses := CodeLenses(v, fullClient, "override.tf"); len(lenses) != n {
			t.Errorf("%d lenses, want %d", len(lenses), n)
		}
	})
}
