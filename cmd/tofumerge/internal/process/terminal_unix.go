//go:build unix

package process

import (
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// Terminals for a program's output, which is read here. They are raw: the real terminal behind them
// does the processing, so no byte changes on the way.

// A pair is a terminal and the reader of everything written to it.
type pair struct {
	real, master, slave *os.File
	to                  io.Writer
	done                chan struct{}
}

// terminals are the terminals of one program.
type terminals []*pair

func openTerminals(c *Command, cmd *exec.Cmd) terminals {
	var list terminals
	open := func(real *os.File, to *io.Writer) {
		if real == nil {
			return
		}
		master, slave, err := pty.Open()
		if err != nil {
			return // a pipe does
		}
		if _, err := term.MakeRaw(int(slave.Fd())); err == nil {
			list = append(list, &pair{real: real, master: master, slave: slave, to: *to, done: make(chan struct{})})
			*to = slave
		}
	}
	open(c.OutTerminal, &cmd.Stdout)
	open(c.ErrTerminal, &cmd.Stderr)
	list.resize()
	return list
}

// resize gives the terminals the size of the real ones.
func (list terminals) resize() {
	for _, p := range list {
		_ = pty.InheritSize(p.real, p.master) // an odd size is better than no output
	}
}

// start begins to read. From now on only the program holds the ends that it writes to.
func (list terminals) start() {
	for _, p := range list {
		_ = p.slave.Close()
		go func() {
			defer close(p.done)
			_, _ = io.Copy(p.to, p.master)       // ends with an error if nobody holds the other end
			_, _ = io.Copy(io.Discard, p.master) // unwritable output must not block the program
		}()
	}
}

// drain waits until everything is read, and reports false if that takes too long.
func (list terminals) drain(most time.Duration) bool {
	deadline := time.After(most)
	for _, p := range list {
		select {
		case <-p.done:
		case <-deadline:
			return false
		}
	}
	return true
}

func (list terminals) close() {
	for _, p := range list {
		_, _ = p.slave.Close(), p.master.Close()
	}
}
