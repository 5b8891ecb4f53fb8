package parallel

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// All are taken in order, and never are more than a few begun that are not taken.
func TestOrdered(t *testing.T) {
	for _, n := range []int{0, 1, 7, 1000} {
		var begun, most atomic.Int64
		next := 0
		results := make([]int, n)
		Ordered(n, func(i int) {
			if now := begun.Add(1); now > most.Load() {
				most.Store(now)
			}
			results[i] = i + 1
		}, func(i int) {
			if i != next || results[i] != i+1 {
				t.Errorf("took %d with result %d, want %d", i, results[i], next)
			}
			next++
			begun.Add(-1)
		})
		if next != n || most.Load() > int64(5*runtime.GOMAXPROCS(0)) {
			t.Errorf("took %d of %d, with %d in between", next, n, most.Load())
		}
	}
}

// A panic arrives where its number would be taken, after those before it were; one of take
// is its own. Neither leaves anything running, or hangs.
func TestOrderedPanics(t *testing.T) {
	for _, inTake := range []bool{false, true} {
		taken := 0
		func() {
			defer func() {
				recovered := recover()
				if c, ok := recovered.(*Crash); recovered == nil || ok == inTake || ok && c.Error() != "number 7" {
					t.Errorf("recovered %v", recovered)
				}
			}()
			Ordered(1000, func(i int) {
				if !inTake {
					failAt(i, 7, 9, 100)
				}
			}, func(i int) {
				if inTake && i == 7 {
					panic("taking")
				}
				taken++
			})
		}()
		if taken != 7 {
			t.Errorf("took %d, want 7", taken)
		}
	}
}

// Of large things, no more are begun than there may be.
func TestOrderedAhead(t *testing.T) {
	for ahead := range 4 {
		var begun, most atomic.Int64
		taken := 0
		OrderedAhead(500, ahead, func(int) {
			if now := begun.Add(1); now > most.Load() {
				most.Store(now)
			}
		}, func(i int) {
			if i != taken {
				t.Errorf("took %d, want %d", i, taken)
			}
			taken++
			begun.Add(-1)
		})
		if limit := int64(max(1, ahead)); taken != 500 || most.Load() > limit {
			t.Errorf("took %d, with %d in between, want %d", taken, most.Load(), limit)
		}
	}
}
