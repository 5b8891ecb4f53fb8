package main

import (
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Most of what a run allocates is the parser's garbage. While the input is small
// the heap may grow further than usual between collections, which makes a run
// shorter; with a large one its memory is kept near the size of the input.
const (
	smallInput      = 32 << 20 // bytes
	smallJSON       = 1 << 20
	percentForSmall = 300
	percentForLarge = 25
	percentForJSON  = 12 // JSON is read with next to no garbage

	// Of many modules only a few are in memory at a time.
	smallModule         = 1 << 20
	percentForMany      = 400
	percentForManyLarge = 100
)

// memoryTuner returns what sets how eagerly garbage is collected, by the bytes that were
// read so far. What the user set counts instead.
func memoryTuner() func(native, json int64) {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	var mutex sync.Mutex
	last := 0
	return func(native, json int64) {
		mutex.Lock()
		defer mutex.Unlock()
		if percent := garbagePercent(native, json); percent != last {
			debug.SetGCPercent(percent)
			last = percent
		}
	}
}

func garbagePercent(native, json int64) int {
	switch {
	case json > smallJSON && json > native:
		return percentForJSON
	case native+json <= smallInput:
		return percentForSmall
	}
	return percentForLarge
}

// tuneMemoryForMany sets how eagerly garbage is collected while modules are read one after
// the other. What it returns is called with the size of each, by several goroutines.
func tuneMemoryForMany() func(native, json int64) {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	debug.SetGCPercent(percentForMany)
	var isLarge atomic.Bool
	return func(native, json int64) {
		if native+json > smallModule && isLarge.CompareAndSwap(false, true) {
			debug.SetGCPercent(percentForManyLarge)
		}
	}
}
