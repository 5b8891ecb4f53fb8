// Package parallel calls a function for each of several indexes, several at a time, and passes a
// panic on to the caller with its stack.
package parallel

import (
	"fmt"
	"math"
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

// Each calls do for the numbers below n, several at a time, and returns when all calls have. If some
// panicked, it panics with the Crash of the lowest of those numbers, in the goroutine of the caller, where
// it can be caught.
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

// Ordered calls do for the numbers below n, several at a time, and take for each of them after that, in
// order and one at a time, in the goroutine of the caller. Only a few numbers are between the two at once,
// so few results of do are in memory if take releases them. If do panics, Ordered panics with the Crash
// where it would have called take.
func Ordered(n int, do, take func(i int)) { OrderedAhead(n, math.MaxInt, do, take) }

// OrderedAhead is Ordered with at most ahead numbers between do and take, but at least one.
func OrderedAhead(n, ahead int, do, take func(i int)) {
	if ahead = max(1, ahead); n == 1 {
		if c := try(0, do); c != nil {
			panic(c)
		}
		take(0)
		return
	}
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
