package parallel

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// Ordered calls do for the numbers below n, for several at a time, and after that take for
// each of them, in order and one at a time, in the goroutine of the caller. Only a few
// numbers are ever between the two, so that few results of do are in memory at once if take
// releases them. If do panics, so does Ordered where take would have been called, with the Crash.
func Ordered(n int, do, take func(i int)) { OrderedAhead(n, math.MaxInt, do, take) }

// OrderedAhead is Ordered with at most so many numbers between the two; at least one.
func OrderedAhead(n, ahead int, do, take func(i int)) {
	ahead = max(1, ahead)
	workers := min(runtime.GOMAXPROCS(0), n, ahead)
	var next atomic.Int64
	var stop atomic.Bool
	var wg sync.WaitGroup
	slots := make(chan struct{}, min(4*workers, ahead))
	results := make([]chan *Crash, n)
	for i := range results {
		results[i] = make(chan *Crash, 1)
	}
	for range workers {
		wg.Go(func() {
			for {
				slots <- struct{}{}
				i := int(next.Add(1)) - 1
				if i >= n || stop.Load() {
					return
				}
				results[i] <- try(i, do)
			}
		})
	}
	defer wg.Wait()
	defer func() {
		for stop.Store(true); len(slots) > 0; { // should take panic, the others end
			<-slots
		}
	}()
	for i := range n {
		if c := <-results[i]; c != nil {
			panic(c)
		}
		take(i)
		<-slots
	}
}

// try calls do, and returns the Crash if it panics.
func try(i int, do func(i int)) (c *Crash) {
	defer func() {
		if r := recover(); r != nil {
			c = Crashed(r)
		}
	}()
	do(i)
	return nil
}
