package main

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// The server tunes the garbage collector for a long run: with the settings for short runs, it
// took 1.5 GB after 100 edits in a module of 6 MB.
func TestMemoryOfServer(t *testing.T) {
	before := debug.SetGCPercent(percentForTiny)
	defer debug.SetGCPercent(before)
	a := &app{streams: streams{sized: func(_, _ int64) {}, env: os.Getenv}}
	a.tuneMemoryForServer()
	if got := debug.SetGCPercent(before); got != percentForServer {
		t.Errorf("%d percent, want %d", got, percentForServer)
	}
	n, err := newAnalyst(a, settings{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := n.checkCommand(view.Request{}); err != nil || c.sized != nil {
		t.Errorf("an analysis tunes the garbage collector: %v", err)
	}
}
