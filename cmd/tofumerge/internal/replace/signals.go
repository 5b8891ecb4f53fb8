package replace

import (
	"os"
	"os/signal"
	gosync "sync"
	"sync/atomic"
)

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
