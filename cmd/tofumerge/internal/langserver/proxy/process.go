package proxy

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/transport"
)

// A Process is the other server while it runs.
type Process struct {
	In  io.WriteCloser
	Out io.ReadCloser
	// Kill ends it at once. It may be called several times.
	Kill func()
	// Ended is closed when it has ended.
	Ended <-chan struct{}
	// Why describes how it ended.
	Why func() string
}

// Command returns a function that starts a program with some arguments. The program's standard
// error is written to errs.
func Command(path string, args []string, errs io.Writer) func() (*Process, error) {
	return func() (*Process, error) {
		cmd := exec.Command(path, args...)
		cmd.Stderr, cmd.WaitDelay = errs, linger
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, write, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		cmd.Stdout = write
		err = cmd.Start()
		write.Close()
		if err != nil {
			out.Close()
			return nil, err
		}
		ended := make(chan struct{})
		why := "exit status 0"
		go func() {
			if err := cmd.Wait(); err != nil {
				why = err.Error()
			}
			close(ended)
		}()
		return &Process{In: in, Out: out, Kill: func() { _ = cmd.Process.Kill() }, Ended: ended, Why: func() string { return why }}, nil
	}
}

// linger is how long the output of a process is read after its end: a process that it started may
// hold the output for ever.
const linger = 500 * time.Millisecond

// connect reads the messages of the other server until it ends or violates the protocol. It also
// ends a server that doesn't read.
func (p *proxy) connect(process *Process) *peer {
	x := p.newPeer(p.Name, transport.New(process.Out, process.In, maxMessage))
	p.mutex.Lock()
	p.process = process
	p.mutex.Unlock()
	go func() {
		select {
		case <-process.Ended:
			time.AfterFunc(linger, func() { process.Out.Close() })
		case <-x.stream.Failed():
			process.Kill()
		}
	}()
	go func() {
		err := x.read(p.editor.stream.WaitForRoom, func(m message) { p.fromTheirs(x, m) })
		if errors.Is(err, transport.ErrHeader) {
			p.logf("%s: %v", p.Name, err)
		}
		_ = process.In.Close()
		select {
		case <-process.Ended:
		case <-time.After(linger):
			process.Kill()
			<-process.Ended
		}
		process.Out.Close()
		p.theirsEnded(x, process.Why())
	}()
	return x
}

// fromTheirs handles a request or a notification of the other server.
func (p *proxy) fromTheirs(x *peer, m message) {
	switch {
	case m.Method == "$/cancelRequest":
		x.cancelled(m.Params)
	case m.Method == "client/registerCapability" && m.ID != nil:
		p.register(x, m)
	case m.Method == "client/unregisterCapability" && m.ID != nil:
		p.unregistered(x, m)
	case m.ID != nil:
		x.forward(p.editor, m)
	case m.Method == publishMethod:
		p.publishTheirs(m.Params)
	default:
		p.editor.notify(m.Method, m.Params)
	}
}
