package loadtest

import (
	"math"
	"runtime"
	"testing"
	"time"
)

// Linear fails the test if work takes more than time in proportion to a size. Four times the size
// may take ten times as long: quadratic work takes sixteen times. On Linux it measures the
// processor time of the thread, which a busy machine doesn't change much; work in other goroutines
// isn't measured.
func Linear(t testing.TB, what string, size int, work func(size int)) {
	t.Helper()
	var one, four time.Duration
	for range 3 { // what something else delays once is measured again
		one, four = leastTime(size, work), leastTime(4*size, work)
		if four <= 10*max(one, shortest) {
			return
		}
	}
	t.Errorf("%s: %v for %d, and %v for four times as much", what, one, size, four)
}

// shortest is the shortest time that is compared.
const shortest = time.Millisecond

// leastTime is the shorter of two measurements.
func leastTime(size int, work func(size int)) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	least := time.Duration(math.MaxInt64)
	for range 2 {
		runtime.GC()
		start := threadTime()
		work(size)
		least = min(least, threadTime()-start)
	}
	return least
}
