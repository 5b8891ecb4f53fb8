package loadtest

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// Linear fails the test if the processor time of work grows faster than its size. It begins with the given size, and
// doubles it up to 4 Mi. The time of other goroutines counts, too.
func Linear(t testing.TB, what string, size int, work func(size int)) {
	t.Helper()
	// A small size that collects no garbage can't be compared with a large one. The outer call restores the setting.
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	Grows(t, what, size, 4<<20, func(size int) time.Duration {
		runtime.GC()
		return timeSpent(func() { work(size) })
	})
}

// timeSpent returns the processor time that this process uses during work.
func timeSpent(work func()) time.Duration {
	start := processorTime()
	work()
	return processorTime() - start
}

// Grows fails the test if the processor time that measure returns grows faster than the size. It compares a size with
// four times as much, up to seven times, and passes as soon as the larger one takes at most 2.3 squared times as
// long: time may grow by 2.3 for a doubling.
//
// First it doubles the size, up to most, until one measurement takes long enough to be compared: quadratic work of a
// millisecond hides behind what every run costs. If none takes that long, nothing is compared.
//
// On a busy or virtual machine processor time includes pauses, and the same work takes up to twice as long. So a run
// is compared with the mean of four runs around it of a quarter of its size, which meet as many pauses. Caches and
// the first collections of garbage make a step at some sizes, so larger ones are compared next. Quadratic work fails
// all comparisons.
func Grows(t testing.TB, what string, size, most int, measure func(size int) time.Duration) {
	t.Helper()
	for measure(size) < shortest {
		if size *= 2; size > most {
			return
		}
	}
	var one, four time.Duration
	for range 7 {
		before := measure(size) + measure(size)
		four = measure(4 * size)
		after := measure(size) + measure(size)
		one = (before + after) / 4 // each is of two runs
		if four <= one*529/100 {   // 529/100 is 2.3 squared, for two doublings
			return
		}
		if four < longest && 2*size <= most {
			size *= 2
		}
	}
	t.Errorf("%s: %v for %d, and %v for four times as much", what, one, size, four)
}

// Times shorter than shortest aren't compared, and none much longer than longest.
const (
	shortest = 10 * time.Millisecond
	longest  = 400 * time.Millisecond
)
