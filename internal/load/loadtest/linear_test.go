package loadtest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// failures is a test that notes that it failed.
type failures struct {
	testing.TB
	list []string
}

func (f *failures) Helper() {}
func (f *failures) Errorf(format string, args ...any) {
	f.list = append(f.list, fmt.Sprintf(format, args...))
}

// Time that grows with the square is found, even beside other time. Time in proportion passes, and so does too little
// time to be measured.
func TestGrows(t *testing.T) {
	for _, test := range []struct {
		name  string
		took  func(size int) time.Duration
		fails int
	}{
		{"square", func(size int) time.Duration { return time.Duration(size * (size + 1_000)) }, 1},
		{"line", func(size int) time.Duration { return time.Duration(1_000 * size) }, 0},
		{"little", func(size int) time.Duration { return time.Duration(size) }, 0},
	} {
		var f failures
		if Grows(&f, test.name, 1_000, 4<<20, test.took); len(f.list) != test.fails {
			t.Errorf("%s: %q", test.name, f.list)
		}
	}
}

var sink atomic.Int64

// The work of every goroutine is measured.
func TestSpent(t *testing.T) {
	work := func(n int) func() {
		return func() {
			var done sync.WaitGroup
			done.Go(func() {
				for range n {
					sink.Add(1)
				}
			})
			done.Wait()
		}
	}
	var one, four time.Duration
	for range 7 {
		if one, four = timeSpent(work(500_000)), timeSpent(work(2_000_000)); four > 2*one && one > 0 {
			return
		}
	}
	t.Errorf("%v, and %v for four times as much", one, four)
}

// Work in proportion passes.
func TestLinear(t *testing.T) {
	Linear(t, "line", 1_000, func(size int) {
		for range 100 * size {
			sink.Add(1)
		}
	})
}
