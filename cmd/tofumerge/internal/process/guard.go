package process

import (
	"cmp"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"syscall"
)

// failed is the exit status of a program that could not be started.
const failed = 1

// Guard returns the exit status of a run. If the runtime can't continue, for example because the
// stack overflows or memory runs out, which no program can catch, it aborts with a separate status
// (134 in a shell on Unix), without a core file. A script that reads the exit status must never
// take that for findings, and Go would end such a program with 2.
func Guard(run func() int) (status int) {
	noCoreFile()
	debug.SetTraceback("crash")
	if os.Getpid() == 1 { // in a container, where an abort would end with 2: the signal has no effect on process 1
		return supervised()
	}
	ignoreBrokenPipes()
	return run()
}

// ignoreBrokenPipes makes writing to a closed pipe fail, where the signal would end the program before it
// prints its messages. Programs that this one starts would inherit that: git undoes it, and those of a
// Command don't get it.
func ignoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }

// version is the version of a release, set by the linker.
var version = ""

// A Build describes how the program was built.
type Build struct {
	Version   string
	Commit    string // empty outside of a repository
	Date      string // of the commit
	GoVersion string
	Platform  string // as in linux/amd64
}

// ThisBuild returns the build of the running program.
func ThisBuild() Build {
	b := Build{Version: version, GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		}
	}
	b.Version = cmp.Or(b.Version, build.Main.Version)
	return b
}

// With a small input the heap may grow further than usual between collections, which makes a run
// shorter; with a tiny one there is no collection below 32 MiB. With a large input, collections keep
// the memory of a run near the size of the input.
const (
	tinyInput       = 8 << 20 // bytes
	smallInput      = 32 << 20
	percentForTiny  = 800
	percentForSmall = 300
	percentForLarge = 15
	percentForJSON  = 12 // reading JSON makes almost no garbage

	// If a module is rewritten, most of the new memory is garbage at once.
	smallRewrite      = 2 << 20 // bytes
	percentForRewrite = 100

	// If there are many modules, only a few are in memory at a time.
	smallModule         = 1 << 20 // bytes
	percentForMany      = 400
	percentForManyLarge = 100

	// A server runs for days.
	percentForServer = 200
)

// A Heap sets how eagerly a run collects garbage: the GC percentage, as GOGC does. The user's GOGC outranks it. A nil
// Heap leaves the collector alone.
type Heap struct {
	mutex            sync.Mutex
	last             int   // the percentage that was set last
	native, json     int64 // bytes of the largest module so far, by syntax
	isMany, hasLarge bool  // the run reads many modules, and one of them was large
	isFinal          bool  // ForServer has set the final percentage
	base             int   // the percentage for the size of the input, while the heap is small
	live             int64 // bytes that were in use after the last collection
	allocated        int64 // bytes that had been allocated by then, in total
	churns           bool  // almost all that is allocated becomes garbage
}

// TuneHeap prepares the collector for a run on one module. It returns nil, and changes nothing, if the user has
// set GOGC.
func TuneHeap() *Heap {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	h := &Heap{last: percentForTiny, base: percentForTiny}
	debug.SetGCPercent(h.last) // listing a large directory alone may start a collection
	afterEachCollection(h.collected)
	return h
}

// The size of the input reveals little about the memory it needs: if every line is overridden, or
// gets a finding, that is many times more. So the growth of the heap is limited, too, in proportion
// to the input. A fixed allowance for small inputs keeps the time for collections in proportion.
const (
	heapPerInput = 18       // bytes of heap for a byte of input
	leastHeap    = 64 << 20 // bytes
	leastPercent = 25       // the least percentage

	// If much is in use, and next to nothing is kept of what is made besides, collections that
	// follow each other closely take most of the time and save little.
	churnLive    = 20 // times the input
	churnPercent = 50
)

// collected adjusts the percentage after each collection. live is the number of bytes still in use, allocated
// the number allocated since the program started.
func (h *Heap) collected(live, allocated int64) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	grown, allocatedSince := live-h.live, allocated-h.allocated // since the last collection
	h.churns = 4*grown < allocatedSince                         // less than a quarter of the new memory is still in use
	h.live, h.allocated = live, allocated
	h.adjust()
}

// percentWithin returns the GC percentage for a heap with live bytes in use: base, or less if the heap would
// otherwise exceed leastHeap + heapPerInput*input bytes before the next collection. input is in bytes. The result
// is never below leastPercent, unless base is.
func percentWithin(base int, live, input int64) int {
	room := leastHeap + heapPerInput*input - live // how much the heap may grow
	inPercent := int(100 * room / max(live, 1))   // of live
	return min(base, max(leastPercent, inPercent))
}

// afterEachCollection has f called after each collection, with the bytes in use and the bytes allocated in
// total. For that it sets a finalizer on a value that nothing refers to. The finalizer calls f and sets itself
// again.
func afterEachCollection(f func(live, allocated int64)) {
	type mark struct{ _ [16]byte } // smaller values share memory, and may never be finalized
	var again func(*mark)
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	again = func(m *mark) {
		if metrics.Read(sample); sample[0].Value.Kind() == metrics.KindUint64 {
			f(int64(sample[0].Value.Uint64()), int64(sample[1].Value.Uint64()))
		}
		runtime.SetFinalizer(m, again)
	}
	runtime.SetFinalizer(new(mark), again)
}

// Sized chooses the percentage by the size of a module: the bytes read of it so far, by syntax. In a run on many
// modules, the first large one lowers the percentage for good. Several goroutines may call it.
func (h *Heap) Sized(native, json int64) {
	if h == nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	switch {
	case h.isFinal: // nothing changes the percentage
	case h.isMany && !h.hasLarge && native+json > smallModule:
		h.hasLarge = true
		h.set(percentForManyLarge)
	case !h.isMany:
		h.native, h.json = max(h.native, native), max(h.json, json) // concurrent calls may come in any order
		h.set(garbagePercent(h.native, h.json))
	}
}

// set sets the base, and adjusts the collector to it at once.
func (h *Heap) set(percent int) {
	h.base = percent
	h.adjust()
}

// adjust tells the collector the percentage, if it changed. Usually it is h.base. In a run on one module it is
// less if the heap is much larger than the input (percentWithin). But it is at least churnPercent if the heap churns
// and is more than churnLive times as large as the input, because then collecting saves little.
func (h *Heap) adjust() {
	percent := h.base
	if !h.isMany && !h.isFinal {
		percent = percentWithin(h.base, h.live, h.native+h.json)
		if h.churns && h.live > churnLive*(h.native+h.json) {
			percent = max(percent, churnPercent)
		}
	}
	if percent != h.last {
		debug.SetGCPercent(percent)
		h.last = percent
	}
}

// ForMany tunes for a run that reads modules one after the other.
func (h *Heap) ForMany() {
	if h == nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if !h.isMany && !h.isFinal {
		h.isMany = true
		h.set(percentForMany)
	}
}

// ForRewrite tunes for writing a module of this size anew, which makes much garbage.
func (h *Heap) ForRewrite(native, json int64) {
	if h == nil || native+json <= smallRewrite {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if !h.isFinal && garbagePercent(native, json) > percentForRewrite {
		h.set(percentForRewrite)
	}
}

// ForServer ends the tuning for short runs, for a process that runs for days beside others.
func (h *Heap) ForServer() {
	if h == nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.isFinal = true
	h.set(percentForServer)
}

// garbagePercent returns the percentage for a module of so many bytes of native syntax and JSON.
func garbagePercent(native, json int64) int {
	switch {
	case native+json <= tinyInput:
		return percentForTiny
	case json > native:
		return percentForJSON
	case native+json <= smallInput:
		return percentForSmall
	}
	return percentForLarge
}
