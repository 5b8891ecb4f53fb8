package editor_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
)

// A serverRun is a language server in this process.
type serverRun struct {
	log    lockedBuffer
	done   chan struct{}
	status int // once done is closed
}

// A lockedBuffer is a buffer for several goroutines.
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
		s.status = cli.Run(slices.Concat([]string{"lsp"}, args), cli.Streams{In: in, Out: out, Err: &s.log, Env: func(string) string { return "" }})
		out.Close()
	}()
	return s
}

// connect starts a language server and connects a client, which hasn't sent initialize yet.
// Without --chdir, the server would change the working directory of this process.
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

// connectProgram is connect for a server in a separate process.
func connectProgram(t *testing.T) *lsptest.Client {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "tofumerge") // under this name, the test binary is the program
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(program, "lsp")
	log := &lockedBuffer{}
	cmd.Stderr = log
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("log of the server:\n%.4000s", log.String())
		}
	})
	return lsptest.Connect(t, in, out)
}

// TestLSPFolderGone removes the folder that the editor works on, with the server running in
// it, and makes it again.
func TestLSPFolderGone(t *testing.T) {
	root := filepath.Join(t.TempDir(), "folder")
	name := filepath.Join(root, "override.tf")
	write := func(primary string) {
		t.Helper()
		if err := os.MkdirAll(root, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "main.tf"), []byte(primary), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("locals {\n  a = 1\n}\n")
	c := connectProgram(t)
	capabilities := lsptest.Capabilities("utf-8")
	delete(capabilities["textDocument"].(map[string]any), "diagnostic")
	c.InitializeWith([]string{root}, capabilities, nil)
	doc := c.Open(name, "locals {\n  a = 1\n}\n")
	hasOne := func(published map[string]lsptest.Published) bool {
		list := published[doc.URI].Diagnostics
		return len(list) == 1 && list[0].Code == "equivalent-override"
	}
	c.Wait("the finding", hasOne)
	if err := os.RemoveAll(root); err != nil {
		t.Skip(err) // Windows refuses to remove the working directory of a process
	}
	c.Watched(filepath.Join(root, "main.tf"), lsptest.Deleted)
	c.Wait("that it goes", func(published map[string]lsptest.Published) bool { return !hasOne(published) })
	write("locals {\n  a = 1\n}\n# again\n")
	c.Watched(filepath.Join(root, "main.tf"), lsptest.Created)
	c.Wait("that it comes back", hasOne)
	c.Shutdown()
}
