//go:build unix

package process

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// ending is the variable that selects how a test's child process ends: with a status, or by a
// signal.
const ending = "PROCESS_TEST_ENDS"

// init ends a child before it runs any test.
func init() {
	how := os.Getenv(ending)
	if name, isSignal := strings.CutPrefix(how, "signal "); isSignal {
		number, _ := strconv.Atoi(name)
		_ = syscall.Kill(os.Getpid(), syscall.Signal(number))
		select {}
	}
	if status, err := strconv.Atoi(how); err == nil {
		os.Exit(status)
	}
}

// The first process of a container ends as its child does, and a signal is 128 and its number.
func TestSupervised(t *testing.T) {
	for how, want := range map[string]int{"0": 0, "2": 2, "7": 7, "signal " + strconv.Itoa(int(syscall.SIGKILL)): 137, "signal " + strconv.Itoa(int(syscall.SIGTERM)): 143} {
		t.Setenv(ending, how)
		if got := supervised(); got != want {
			t.Errorf("%s: %d, want %d", how, got, want)
		}
	}
}

// A run has the status that it returns, and leaves no core file.
func TestGuard(t *testing.T) {
	if got := Guard(func() int { return 5 }); got != 5 {
		t.Errorf("the status is %d", got)
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_CORE, &limit); err != nil || limit.Cur != 0 {
		t.Errorf("a core file may have %d bytes, %v", limit.Cur, err)
	}
}

// The user's setting wins; otherwise the collector is tuned, and the tuning follows each
// collection.
func TestTuneHeap(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	t.Setenv("GOGC", "50")
	if TuneHeap() != nil {
		t.Error("a heap is tuned against the wish of the user")
	}
	if got := debug.SetGCPercent(100); got != 100 {
		t.Errorf("the percentage is %d", got)
	}
	t.Setenv("GOGC", "")
	h := TuneHeap()
	if got := debug.SetGCPercent(percentForTiny); got != percentForTiny {
		t.Errorf("the percentage is %d", got)
	}
	for range 100 {
		runtime.GC()
		h.mutex.Lock()
		live := h.live
		h.mutex.Unlock()
		if live > 0 {
			return
		}
		runtime.Gosched()
	}
	t.Error("no collection was noticed")
}
