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
	smallJSON       = 1 << 20
	percentForSmall = 300
	percentForLarge = 40
	percentForJSON  = 12 // JSON is read with next to no garbage
)

// tuneMemory sets how eagerly garbage is collected, by the size of the input in
// bytes. What the user set counts instead.
func tuneMemory(native, json int64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	switch {
	case json > smallJSON && json > native:
		debug.SetGCPercent(percentForJSON)
	case native+json <= smallInput:
		debug.SetGCPercent(percentForSmall)
	default:
		debug.SetGCPercent(percentForLarge)
	}
}
