package main

import (
	"fmt"
	"time"

	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// progress says on a terminal how far a long run is, on one line that goes when
// it ends. Anything else than a terminal gets nothing.
func (c *checkCommand) progress(total int) (stop func()) {
	const patience, every = time.Second, 200 * time.Millisecond
	if !isTerminal(c.err) {
		return func() {}
	}
	to := beneath(c.err) // what goes again is no message
	quit, gone := make(chan bool), make(chan bool)
	go func() {
		defer close(gone)
		wait, shown := patience, false
		for {
			select {
			case <-quit:
				if shown {
					fmt.Fprint(to, "\r\x1b[K")
				}
				return
			case <-time.After(wait):
				fmt.Fprintf(to, "\rchecked %d of %s", c.done.Load(), wording.Count(total, "module"))
				wait, shown = every, true
			}
		}
	}()
	return func() { close(quit); <-gone }
}
