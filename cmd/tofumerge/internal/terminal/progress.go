package terminal

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A Progress shows on a terminal how far a long run is, on one line that disappears at the end.
// Anything other than a terminal gets nothing.
type Progress struct {
	to      io.Writer
	line    func() string
	mutex   sync.Mutex // of the stream
	isShown bool
	quit    chan bool // nil without a terminal
	gone    chan bool
}

// Progress starts a line with the number of modules that are done. One module has none.
func (c *Console) Progress(verb string, total int, done *atomic.Int64) *Progress {
	p := &Progress{to: Beneath(c.Err)} // a line that disappears isn't a message
	if !IsTerminal(c.Err) || total < 2 {
		return p
	}
	p.line = func() string { return fmt.Sprintf("\r%s %d of %s", verb, done.Load(), wording.Count(total, "module")) }
	p.quit, p.gone = make(chan bool), make(chan bool)
	go p.run()
	return p
}

func (p *Progress) run() {
	const patience, every = time.Second, 200 * time.Millisecond
	defer close(p.gone)
	for wait := patience; ; wait = every {
		select {
		case <-p.quit:
			return
		case <-time.After(wait):
			p.mutex.Lock()
			fmt.Fprint(p.to, p.line())
			p.isShown = true
			p.mutex.Unlock()
		}
	}
}

// Aside calls a function that may print messages.
func (p *Progress) Aside(do func()) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.clear()
	do()
}

func (p *Progress) clear() {
	if p.isShown {
		fmt.Fprint(p.to, "\r\x1b[K")
		p.isShown = false
	}
}

// Stop ends it; a second time does nothing.
func (p *Progress) Stop() {
	if p.quit == nil {
		return
	}
	close(p.quit)
	<-p.gone
	p.quit = nil
	p.clear()
}
