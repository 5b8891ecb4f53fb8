package main

import (
	"os"
	"runtime/debug"
)

const (
	// gcPercent lets the heap grow further than usual between collections. Most
	// of what a run allocates is the parser's garbage, and a run is short.
	gcPercent = 200
	// leastMemory is how much memory, in bytes, any run may take before the
	// collector works harder.
	leastMemory = 128 << 20
)

// tuneMemory bounds the memory of the process by the size of the input, in
// bytes: somewhat more than three times as much, which leaves room for the text
// itself, what is kept of it, and garbage. What the user set counts instead.
func tuneMemory(input int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(leastMemory, input*13/4))
	}
}
