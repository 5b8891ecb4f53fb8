package main

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
)

// A serverRun is a language server in this process.
type serverRun struct {
	log    lockedBuffer
	done   chan struct{}
	status int // once done is closed
}

// A lockedBuffer is what several goroutines write to.
type lockedBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(text)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.String()
}

// serve starts a language server between two streams.
func serve(in io.Reader, out io.WriteCloser, args ...string) *serverRun {
	s := &serverRun{done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.status = run(slices.Concat([]string{"lsp"}, args), streams{in: in, out: out, err: &s.log, env: func(string) string { return "" }})
		out.Close()
	}()
	return s
}

// connect starts a language server and connects a client, which has not said anything yet.
// Without --chdir the server would take the directory of this process to the client's folder.
func connect(tb testing.TB, args ...string) (*lsptest.Client, *serverRun) {
	tb.Helper()
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	s := serve(fromClient, toClient, args...)
	c := lsptest.Connect(tb, in, out)
	tb.Cleanup(func() {
		fromClient.Close()
		<-s.done
		if tb.Failed() {
			tb.Logf("log of the server:\n%.4000s", s.log.String())
		}
	})
	return c, s
}
