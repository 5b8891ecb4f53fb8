package editor_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
)

// TestProxy runs the program in front of other servers: a double, and the real ones where they are
// installed. An argument that the primary block has is not missing in the override block.
func TestProxy(t *testing.T) {
	for _, server := range [][]string{{"double-ls"}, {"terraform-ls", "serve"}, {"tofu-ls", "serve"}} {
		t.Run(server[0], func(t *testing.T) {
			if server[0] == "double-ls" {
				server = []string{doubleServer(t)}
			} else if _, err := exec.LookPath(server[0]); err != nil {
				t.Skip(server[0] + " is not installed")
			}
			testProxy(t, server)
		})
	}
}

func testProxy(t *testing.T, server []string) {
	files := map[string]string{
		"main.tf":           "module \"x\" {\n  source = \"./x\"\n}\n",
		"local_override.tf": "module \"x\" {\n}\nmodule \"y\" {\n}\n",
	}
	dir, err := filepath.EvalSymlinks(clitest.Write(t, files))
	if err != nil {
		t.Fatal(err)
	}
	c, cmd := connectProgram(t, append([]string{"--"}, server...)...)
	capabilities := lsptest.Capabilities("utf-8", "utf-16")
	delete(capabilities["textDocument"].(map[string]any), "diagnostic")
	c.InitializeWith([]string{dir}, capabilities, nil)
	primary := c.Open(filepath.Join(dir, "main.tf"), files["main.tf"])
	override := c.Open(filepath.Join(dir, "local_override.tf"), files["local_override.tf"])
	missing := func(list []lsptest.Diagnostic) (lines []int) {
		for _, d := range list {
			if strings.HasPrefix(d.Message, `Required attribute "source" not specified`) {
				lines = append(lines, d.Range.Start.Line)
			}
		}
		return lines
	}
	wait := func(what string, want ...int) {
		t.Helper()
		c.Wait(what, func(published map[string]lsptest.Published) bool {
			list := published[override.URI].Diagnostics
			hasOwn := slices.ContainsFunc(list, func(d lsptest.Diagnostic) bool { return d.Source == "tofumerge" })
			return hasOwn && slices.Equal(missing(list), want)
		})
	}
	wait("the true finding alone", 2)
	var hidden struct{ Total int }
	c.Call("workspace/executeCommand", map[string]any{"command": "tofumerge.hiddenDiagnostics"}, &hidden)
	if hidden.Total != 1 {
		t.Errorf("%d are hidden", hidden.Total)
	}
	from := strings.Index(primary.Text, "  source")
	c.Replace(primary, from, strings.Index(primary.Text, "}"), "")
	wait("both findings, since the primary block has no source", 0, 2)
	c.Replace(primary, from, from, "  source = \"./x\"\n")
	wait("the true finding again", 2)
	if server[0] == filepath.Join(filepath.Dir(server[0]), "double-ls") {
		if err := c.Try("double/crash", map[string]any{}, nil); err == nil {
			t.Error("a server that crashed answers")
		}
		wait("what the server finds after it was started again", 2)
	}
	c.Shutdown()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestProxyKilled kills the program, and the server behind it ends too.
func TestProxyKilled(t *testing.T) {
	c, cmd := connectProgram(t, "--", doubleServer(t))
	c.Initialize(nil)
	var pid int
	c.Call("double/pid", nil, &pid)
	_ = cmd.Process.Kill()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if process.WaitFor(ctx, pid, 10*time.Millisecond); ctx.Err() != nil {
		t.Errorf("process %d still runs", pid)
	}
}

// doubleServer is the test binary as a program that is a language server.
func doubleServer(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "double-ls")
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	return program
}

// runDouble is a language server that reports each block without a source, in the words of
// terraform-ls. It crashes on request.
func runDouble() {
	in := textproto.NewReader(bufio.NewReader(os.Stdin))
	send := func(m map[string]any) {
		m["jsonrpc"] = "2.0"
		body, _ := json.Marshal(m)
		fmt.Printf("Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	for {
		header, err := in.ReadMIMEHeader()
		if err != nil {
			return
		}
		n, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, n)
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ TextDocument struct{ URI, Text string } }
		}
		if _, err := io.ReadFull(in.R, body); err != nil || json.Unmarshal(body, &m) != nil {
			return
		}
		switch m.Method {
		case "initialize":
			send(map[string]any{"id": m.ID, "result": map[string]any{
				"capabilities": map[string]any{"textDocumentSync": 2}, "serverInfo": map[string]string{"name": "terraform-ls", "version": "0.39.0"},
			}})
		case "double/crash":
			os.Exit(3)
		case "double/pid":
			send(map[string]any{"id": m.ID, "result": os.Getpid()})
		case "exit":
			return
		case "textDocument/didOpen":
			send(map[string]any{"method": "textDocument/publishDiagnostics", "params": map[string]any{
				"uri": m.Params.TextDocument.URI, "diagnostics": withoutSource(m.Params.TextDocument.Text),
			}})
		default:
			if m.ID != nil {
				send(map[string]any{"id": m.ID, "result": nil})
			}
		}
	}
}

// withoutSource reports the blocks of a text without a source.
func withoutSource(text string) []any {
	list := []any{}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasSuffix(line, "{") && !strings.Contains(lines[i+1], "source") {
			list = append(list, map[string]any{
				"range":    lsptest.Range{Start: lsptest.Position{Line: i, Character: len(line) - 1}, End: lsptest.Position{Line: i + 1, Character: 1}},
				"severity": 1, "source": "Terraform",
				"message": `Required attribute "source" not specified: An attribute named "source" is required here`,
			})
		}
	}
	return list
}
