package main

import (
	"runtime/debug"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// What is written anew leaves much garbage: of 6 MB as JSON, 95 MiB. It is collected sooner,
// but where that takes longer than there is to gain, and never later than it was.
func TestMemoryOfRewrite(t *testing.T) {
	const before = 555
	for _, c := range []struct {
		native, json, want int
	}{
		{native: 1 << 20, want: before},
		{native: 6 << 20, want: percentForRewrite},
		{native: 20 << 20, want: percentForRewrite},
		{native: 40 << 20, want: before},
		{native: 1 << 20, json: 6 << 20, want: before},
	} {
		files := []*source.File{
			{Given: make([]byte, c.native)},
			{Given: make([]byte, c.json), Syntax: source.JSON},
		}
		was := debug.SetGCPercent(before)
		a := &app{streams: streams{sized: func(_, _ int64) {}}}
		a.tuneMemoryForRewrite(&load.Module{Files: files})
		if got := debug.SetGCPercent(was); got != c.want {
			t.Errorf("%d bytes and %d of JSON: %d percent, want %d", c.native, c.json, got, c.want)
		}
	}
}
