package main

import (
	"os"
	"runtime/debug"
)

// Most of what a run allocates is the parser's garbage. While the input is small
// the heap may grow further than usual between collections, which makes a run
// shorter; with a large one its memory is kept near the size of the input.
const (
	smallInput      = 32 << 20 // bytes
	percentForSmall = 200
	percentForLarge = 40
)

// tuneMemory sets how eagerly garbage is collected, by the size of the input in
// bytes. What the user set counts instead.
func tuneMemory(input int64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	if input <= smallInput {
		debug.SetGCPercent(percentForSmall)
	} else {
		debug.SetGCPercent(percentForLarge)
	}
}
