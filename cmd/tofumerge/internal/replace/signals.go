package replace

import (
	"fmt"
	"os"
	"os/signal"
	gosync "sync"
	"sync/atomic"
)

// Options are the callbacks of a run.
type Options struct {
	// Warn receives messages for the user.
	Warn func(text string)
	// Step, if set, is called before each visible step, with its number; an error ends the run
	// there, and leaves everything unchanged.
	Step func(i int) error
}

// A signalGuard separates the steps of a run from the actions of a signal.
type signalGuard struct {
	mutex    gosync.Mutex
	signals  chan os.Signal
	isCaught atomic.Bool // a signal came and is about to end the process
}

// watch calls undo when a signal comes, between two steps, and ends the process then.
func watch(undo func(os.Signal)) *signalGuard {
	g := &signalGuard{signals: make(chan os.Signal, 1)}
	if list := endings(); len(list) > 0 {
		signal.Notify(g.signals, list...)
	}
	go func() {
		s, ok := <-g.signals
		if !ok {
			return
		}
		g.isCaught.Store(true)
		g.mutex.Lock() // and no step begins any more
		undo(s)
		die(s)
	}()
	return g
}

// lock keeps signals waiting. It doesn't return if one came during the step before, which
// then ends the process: a mutex alone lets the next step go first.
func (g *signalGuard) lock() {
	g.mutex.Lock()
	if g.isCaught.Load() {
		g.mutex.Unlock()
		select {}
	}
}

// do does a step.
func (g *signalGuard) do(step func() error) error {
	g.lock()
	defer g.mutex.Unlock()
	return step()
}

func (g *signalGuard) stop() {
	g.lock()
	defer g.mutex.Unlock()
	signal.Stop(g.signals)
	close(g.signals)
}

// stopped words the effect of a signal on a file that is there as a whole or not at all.
func stopped(sig os.Signal, name string, isWritten bool) string {
	if isWritten {
		return fmt.Sprintf("stopped by a signal (%v) after %s was written", sig, name)
	}
	return fmt.Sprintf("stopped by a signal (%v): %s was not written", sig, name)
}
