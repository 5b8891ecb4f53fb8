package main

import (
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// While the input is small the heap may grow further than usual between collections, which
// makes a run shorter, above all with several threads, and as long as it is smaller yet, to
// 32 MiB without any; with a large one the memory of a run is kept near the size of the input.
const (
	tinyInput       = 8 << 20 // bytes
	smallInput      = 32 << 20
	smallJSON       = 1 << 20
	percentForTiny  = 800
	percentForSmall = 300
	percentForLarge = 15
	percentForJSON  = 12 // JSON is read with next to no garbage

	// Where a module is written anew, most of what is made is garbage at once.
	smallRewrite      = 2 << 20
	percentForRewrite = 100

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
	last := percentForTiny
	debug.SetGCPercent(last)       // listing a large directory alone may start a collection
	var mostNative, mostJSON int64 // of all modules, since each begins anew
	return func(native, json int64) {
		mutex.Lock()
		defer mutex.Unlock()
		mostNative, mostJSON = max(mostNative, native), max(mostJSON, json)
		if percent := garbagePercent(mostNative, mostJSON); percent != last {
			debug.SetGCPercent(percent)
			last = percent
		}
	}
}

func garbagePercent(native, json int64) int {
	switch {
	case json > smallJSON && json > native:
		return percentForJSON
	case native+json <= tinyInput:
		return percentForTiny
	case native+json <= smallInput:
		return percentForSmall
	}
	return percentForLarge
}

// tuneMemoryForRewrite prepares for writing anew what was read.
func (a *app) tuneMemoryForRewrite(m *load.Module) {
	var native, json int64
	for _, f := range m.Files {
		if f.Syntax == source.JSON {
			json += int64(len(f.Given))
		} else {
			native += int64(len(f.Given))
		}
	}
	if a.sized != nil && native+json > smallRewrite && garbagePercent(native, json) > percentForRewrite {
		debug.SetGCPercent(percentForRewrite)
	}
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

// percentForServer is for a process that runs for days beside others.
const percentForServer = 200

// tuneMemoryForServer takes back what suits short runs.
func (a *app) tuneMemoryForServer() {
	if a.sized != nil {
		debug.SetGCPercent(percentForServer)
		a.sized = nil
	}
}
