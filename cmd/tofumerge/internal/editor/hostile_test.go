package editor_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
)

// Broken and hostile clients, and modules that cause trouble in an editor.

// frame is a message with its header.
func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`

// TestLSPHostileBytes sends bytes that aren't a message, and then a request. Whether the server
// answers it or gives up, it ends, and it allocates no memory for a message that a header only
// announces.
func TestLSPHostileBytes(t *testing.T) {
	for _, c := range []struct {
		why, sent string
		survives  bool // it answers the request that follows
	}{
		{"a length that no machine has", "Content-Length: 4611686018427387904\r\n\r\n{}", false},
		{"a length that is no number", "Content-Length: 1e3\r\n\r\n", false},
		{"a negative length", "Content-Length: -1\r\n\r\n", false},
		{"a header without an end", strings.Repeat("a", 10<<20), false},
		{"many headers", strings.Repeat("X: y\r\n", 1<<20) + "\r\n", true},
		{"no length", "X: y\r\n\r\n", true},
		{"brackets that nest too deep", frame(strings.Repeat("[", 1<<20)), true},
		{"objects that nest too deep", frame(`{"jsonrpc":"2.0","id":9,"method":"x","params":` + strings.Repeat(`{"a":`, 1<<18) + "1" + strings.Repeat("}", 1<<18) + "}"), true},
		{"no JSON", frame("\x00\xff"), true},
		{"a batch", frame("[" + initialize + "]"), true},
		{"parameters of other types", frame(`{"jsonrpc":"2.0","id":9,"method":"initialize","params":[1,"a"]}`), true},
		{"half a message", "Content-Length: 100\r\n\r\n{", false},
		{"nothing", "", true},
	} {
		t.Run(c.why, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, toClient := io.Pipe()
			in := strings.NewReader(c.sent + frame(initialize) + frame(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + frame(`{"jsonrpc":"2.0","method":"exit"}`))
			s := serve(in, toClient, "--chdir", t.TempDir())
			answers, _ := io.ReadAll(out)
			select {
			case <-s.done:
			case <-time.After(time.Minute):
				t.Fatal("the server goes on")
			}
			runtime.ReadMemStats(&after)
			if survives := bytes.Contains(answers, []byte(`"id":2`)); survives != c.survives {
				t.Errorf("answered what followed: %v\n%s\nlog %s", survives, answers[max(0, len(answers)-900):], s.log.String())
			}
			if isImpossible := strings.Contains(c.sent, "Content-Length: 4") || strings.Contains(c.why, "length that is") || strings.Contains(c.why, "negative"); isImpossible != strings.Contains(s.log.String(), "impossible header") {
				t.Errorf("log:\n%.500s", s.log.String())
			}
			if c.survives && strings.Contains(s.log.String(), "crash") {
				t.Errorf("log:\n%.500s", s.log.String())
			}
			if used := int64(after.TotalAlloc - before.TotalAlloc); used > 256<<20 {
				t.Errorf("%d MB were allocated for %d bytes", used>>20, len(c.sent))
			}
		})
	}
}

// TestLSPDeaf sends requests and never reads: the server gives up instead of storing the
// answers.
func TestLSPDeaf(t *testing.T) {
	fromClient, in := io.Pipe()
	_, toClient := io.Pipe()
	s := serve(fromClient, toClient, "--chdir", t.TempDir())
	go func() {
		<-s.done
		fromClient.CloseWithError(io.ErrClosedPipe)
	}()
	if _, err := io.WriteString(in, frame(initialize)); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("<", 100_000) // every answer repeats it, as \u003c
	sent := 0
	for ; sent < 100_000; sent++ {
		if _, err := io.WriteString(in, frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s%d","method":"x"}`, long, sent))); err != nil {
			break
		}
	}
	in.Close()
	<-s.done
	if s.status != 1 || !strings.Contains(s.log.String(), "does not read") {
		t.Errorf("after %d requests: status %d\n%.300s", sent, s.status, s.log.String())
	}
}

// openOverridden opens an override file of a module with a finding, in a client to which the
// server publishes diagnostics.
func openOverridden(t *testing.T, files map[string]string, name string) (*lsptest.Client, *serverRun, *lsptest.Document, string) {
	dir := clitest.Write(t, files)
	c, s := connect(t, "-v", "--chdir", dir)
	capabilities := lsptest.Capabilities("utf-16")
	delete(capabilities["textDocument"].(map[string]any), "diagnostic")
	c.InitializeWith([]string{dir}, capabilities, nil)
	return c, s, c.Open(filepath.Join(dir, name), files[name]), dir
}

// TestLSPFlood sends 20,000 edits without a pause: the diagnostics are for the last one, and the
// server doesn't analyse the module for each edit.
func TestLSPFlood(t *testing.T) {
	c, s, doc, _ := openOverridden(t, editedModule, "local_override.tf")
	c.WaitFor(doc)
	const edits = 20_000
	for i := range edits {
		if at := strings.Index(doc.Text, "t3"); i%2 == 0 {
			c.Replace(doc, at, at+2, "t33")
		} else {
			c.Replace(doc, at, at+3, "t3")
		}
	}
	c.WaitFor(doc)
	if n := strings.Count(s.log.String(), "analysed"); n == 0 || n > edits/2 { // a slow machine makes pauses
		t.Errorf("looked at the module %d times", n)
	}
	c.Shutdown()
}

// TestLSPCancelAll cancels all its requests: each gets one answer.
func TestLSPCancelAll(t *testing.T) {
	c, _, doc, _ := openOverridden(t, editedModule, "local_override.tf")
	cancelled := 0
	for range 50 {
		var waits []func(any) error
		for i := range 40 {
			c.Replace(doc, 0, 0, "#\n")
			id, wait := c.Start("textDocument/hover", lsptest.At(doc.URI, lsptest.Position{Line: 2, Character: 4}))
			if c.Cancel(id); i%10 == 0 {
				c.Cancel(id + 1000)
			}
			waits = append(waits, wait)
		}
		for _, wait := range waits {
			var failed *lsptest.Error
			switch err := wait(nil); {
			case errors.As(err, &failed) && (failed.Code == -32800 || failed.Code == -32801):
				cancelled++
			case err != nil:
				t.Error(err)
			}
		}
	}
	if cancelled == 0 {
		t.Error("nothing was cancelled")
	}
	c.Shutdown()
}

// TestLSPManyModules opens more modules than the server keeps views of.
func TestLSPManyModules(t *testing.T) {
	root := t.TempDir()
	c, _ := connect(t, "--chdir", root)
	c.Initialize([]string{root}, "utf-8")
	const modules = 300
	for i := range modules {
		dir := filepath.Join(root, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range editedModule {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c.Open(filepath.Join(dir, "main.tf"), editedModule["main.tf"])
	}
	for i := 0; i < modules; i += 37 {
		uri := lsptest.URI(filepath.Join(root, fmt.Sprint(i), "main.tf"))
		var hover struct{ Contents struct{ Value string } }
		c.Call("textDocument/hover", lsptest.At(uri, lsptest.Position{Line: 2, Character: 4}), &hover)
		if !strings.Contains(hover.Contents.Value, "t3.micro") {
			t.Errorf("%s: %q", uri, hover.Contents.Value)
		}
	}
	c.Shutdown()
}

// TestLSPLongLine opens a document with a very long line.
func TestLSPLongLine(t *testing.T) {
	dir := clitest.Write(t, editedModule)
	c, _ := connect(t, "--chdir", dir)
	c.Initialize([]string{dir}, "utf-16")
	line := c.Open(filepath.Join(dir, "line.tf.json"), `{"locals": {"é": "`+strings.Repeat("😀", 1<<18)+`"}}`)
	c.Change(line, lsptest.Edit{Range: &lsptest.Range{Start: lsptest.Position{Character: 14}, End: lsptest.Position{Character: 15}}, Text: "e"})
	var hover any
	c.Call("textDocument/hover", lsptest.At(line.URI, lsptest.Position{Character: 14}), &hover)
	c.Shutdown()
}

// TestLSPFIFO has a FIFO, a directory and a link to a device among the files: the server doesn't
// block on them.
func TestLSPFIFO(t *testing.T) {
	mkfifo, err := exec.LookPath("mkfifo")
	if err != nil {
		t.Skip("needs mkfifo")
	}
	dir := clitest.Write(t, editedModule)
	if out, err := exec.Command(mkfifo, filepath.Join(dir, "fifo.tf"), filepath.Join(dir, "fifo_override.tf.json")).CombinedOutput(); err != nil {
		t.Skip(string(out))
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zero.tf")); err != nil {
		t.Skip(err)
	}
	c, _ := connect(t, "--chdir", dir)
	c.Initialize([]string{dir}, "utf-8")
	c.Open(filepath.Join(dir, "main.tf"), editedModule["main.tf"])
	c.Open(filepath.Join(dir, "fifo.tf"), "") // the open document replaces the FIFO
	all, err := c.Pull()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"zero.tf", "fifo_override.tf.json"} {
		if len(all[lsptest.URI(filepath.Join(dir, name))]) == 0 {
			t.Errorf("nothing is said of %s: %+v", name, all)
		}
	}
	c.Shutdown()
}

// TestLSPSecrets sends every request at every position of a module with secrets, and of one
// with a link to a file that may not be quoted. No answer, message or line of the log has any
// of that text.
func TestLSPSecrets(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "private")
	if err := os.WriteFile(outside, []byte("!! hunter0 {{{ = hunter0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := clitest.Write(t, map[string]string{
		"main.tf": `variable "password" {
  sensitive = true
  default   = "hunter1"
}
provider "aws" {
  secret_key = "hunter2"
  default_tags {
    tags = {
      a = 1
    }
  }
}
`,
		"override.tf": `variable "password" {
  default = "hunter3"
}
provider "aws" {
  secret_key = "hunter4"
  default_tags {
    tags = {}
  }
}
`,
	})
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "linked.tf")); err != nil {
		t.Skip(err)
	}
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	var said lockedBuffer
	s := serve(fromClient, toClient, "-v", "--chdir", dir)
	c := lsptest.Connect(t, in, io.TeeReader(out, &said))
	capabilities := lsptest.Capabilities("utf-8")
	delete(capabilities["textDocument"].(map[string]any), "diagnostic")
	c.InitializeWith([]string{dir}, capabilities, nil)
	d := &desk{t: t, c: c, root: dir}
	for _, name := range []string{"main.tf", "override.tf"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		doc := c.Open(filepath.Join(dir, name), string(text))
		d.askEverything(doc)
	}
	c.Shutdown()
	<-s.done
	for who, text := range map[string]string{"the client is told": said.String(), "the log has": s.log.String()} {
		if i := strings.Index(text, "hunter"); i >= 0 {
			t.Errorf("%s: %.300s", who, text[max(0, i-200):])
		}
	}
}

// askEverything sends every request at every line of a document.
func (d *desk) askEverything(doc *lsptest.Document) {
	methods := []string{"hover", "definition", "declaration", "implementation", "references", "completion"}
	whole := lsptest.Range{End: lsptest.PositionOf(doc.Text, len(doc.Text), d.c.Encoding)}
	for at := range doc.Text {
		if at%3 != 0 {
			continue
		}
		for _, method := range methods {
			params := lsptest.At(doc.URI, lsptest.PositionOf(doc.Text, at, d.c.Encoding))
			params["context"] = map[string]any{"includeDeclaration": true}
			d.c.Call("textDocument/"+method, params, nil)
		}
	}
	for _, method := range []string{"inlayHint", "codeLens", "codeAction"} {
		params := lsptest.In(doc.URI, whole)
		params["context"] = map[string]any{"diagnostics": []any{}}
		d.c.Call("textDocument/"+method, params, nil)
	}
}
