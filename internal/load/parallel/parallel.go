package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A Crash is a caught panic: a defect of the program. It is an error, and is the value re-panicked
// with.
type Crash struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

func (c *Crash) Error() string { return fmt.Sprint(c.Value) }

// Crashed makes a Crash of the value returned by recover, in a deferred function of the goroutine
// that panicked. A value that is a Crash already is returned unchanged.
func Crashed(recovered any) *Crash {
	if c, ok := recovered.(*Crash); ok {
		return c
	}
	return &Crash{Value: recovered, Stack: debug.Stack()}
}

// Each calls do for the numbers below n, for several at a time, and returns when
// all calls have. If some panicked, it panics with the Crash of the first of
// those numbers, in the goroutine of the caller, where it can be caught.
func Each(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	var crashes sync.Map // *Crash by number
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			if c := try(i, do); c != nil {
				crashes.Store(i, c)
			}
		}
	}
	for range min(runtime.GOMAXPROCS(0), n) - 1 {
		wg.Go(work)
	}
	work() // a goroutine for one thing would take longer than a small file
	wg.Wait()
	first := n
	crashes.Range(func(i, _ any) bool { first = min(first, i.(int)); return true })
	if c, crashed := crashes.Load(first); crashed {
		panic(c)
	}
}
