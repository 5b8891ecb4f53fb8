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

// Error returns the text of the panic's value.
func (c *Crash) Error() string { return fmt.Sprint(c.Value) }

// Crashed returns a Crash for a value that recover returned, with the stack of the current goroutine. A Crash is
// returned unchanged. Call it in a deferred function of the goroutine that panicked.
func Crashed(recovered any) *Crash {
	if c, ok := recovered.(*Crash); ok {
		return c
	}
	return &Crash{Value: recovered, Stack: debug.Stack()}
}

// Each calls do for the numbers from 0 to n-1, several at a time, and returns after all calls. If some panicked, it
// panics in the caller's goroutine, where that can be caught, with the Crash of the lowest number.
func Each(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	var crashes sync.Map // *Crash by number
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if c := callCatching(i, do); c != nil {
				crashes.Store(i, c)
			}
		}
	}
	for range min(runtime.GOMAXPROCS(0), n) - 1 { // the caller's goroutine works too
		wg.Go(work)
	}
	work() // a goroutine for one thing would take longer than a small file
	wg.Wait()
	lowest := n // of the numbers that crashed
	crashes.Range(func(i, _ any) bool { lowest = min(lowest, i.(int)); return true })
	if c, isAny := crashes.Load(lowest); isAny {
		panic(c)
	}
}

// Ordered calls do for the numbers from 0 to n-1, several at a time. After each it calls take, in order and one at a
// time, in the caller's goroutine. Only a few numbers are between do and take at once, so that little memory is used
// if take releases the result of do. If do panics, Ordered panics with the Crash where it would have called take.
func Ordered(n int, do, take func(i int)) { OrderedAhead(n, math.MaxInt, do, take) }

// OrderedAhead calls do for the numbers from 0 to n-1, several at a time, and take for each in order, as Ordered
// does. At most ahead numbers, but at least one, are between do and take at once. If do panics, OrderedAhead panics
// with the Crash where it would have called take.
func OrderedAhead(n, ahead int, do, take func(i int)) {
	if n == 1 { // needs no goroutine
		if c := callCatching(0, do); c != nil {
			panic(c)
		}
		take(0)
		return
	}
	ahead = max(1, ahead)
	workers := min(runtime.GOMAXPROCS(0), n, ahead)
	var next atomic.Int64
	var stop atomic.Bool
	var wg sync.WaitGroup
	slots := make(chan struct{}, min(4*workers, ahead)) // holds an element for each number from do to after take
	results := make([]chan *Crash, n)                   // each gets one element when do returned, nil if it didn't panic
	for i := range results {
		results[i] = make(chan *Crash, 1)
	}
	// Each worker takes the next number until none is left.
	for range workers {
		wg.Go(func() {
			for {
				slots <- struct{}{} // waits if too many numbers are ahead of take
				i := int(next.Add(1)) - 1
				if i >= n || stop.Load() {
					return
				}
				results[i] <- callCatching(i, do)
			}
		})
	}
	defer wg.Wait() // runs after the function below
	// After a panic, end the workers that wait for a slot: emptied once, slots has room for all of them (it has at
	// least as many places as there are workers), and behind it they see stop.
	defer func() {
		stop.Store(true)
		for len(slots) > 0 {
			<-slots
		}
	}()
	// Here, in the caller's goroutine, take the numbers in order, each when its do has returned.
	for i := range n {
		if c := <-results[i]; c != nil {
			panic(c)
		}
		take(i)
		<-slots
	}
}

// callCatching calls do(i), and returns a Crash if that panics, otherwise nil.
func callCatching(i int, do func(i int)) (c *Crash) {
	defer func() {
		if r := recover(); r != nil {
			c = Crashed(r)
		}
	}()
	do(i)
	return nil
}
