package parallel

import (
	"bytes"
	"sync/atomic"
	"testing"
)

// A panic in one of the goroutines would end the program with the status of
// findings; it has to arrive where it can be caught, with the stack it came from.
func TestEachCarriesPanics(t *testing.T) {
	var calls atomic.Int64
	defer func() {
		c, ok := recover().(*Crash)
		if !ok || c.Error() != "number 3" || !bytes.Contains(c.Stack, []byte("failAt")) {
			t.Errorf("recovered %v", c)
		}
		if calls.Load() != 100 {
			t.Errorf("%d calls, want all 100", calls.Load())
		}
	}()
	Each(100, func(outer int) {
		calls.Add(1)
		Each(1, func(int) { failAt(outer, 3, 70) })
	})
	t.Error("no panic")
}

func failAt(i int, numbers ...int) {
	for _, n := range numbers {
		if i == n {
			panic("number " + string(rune('0'+n)))
		}
	}
}
