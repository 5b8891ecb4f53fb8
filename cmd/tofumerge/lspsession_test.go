package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// playLSP is the command "lsp FILE [FLAGS]" of scripts: it plays the client of a language
// server. Each line of the file is a message to send, or "wait METHOD", "remove FILE" or "write
// FILE TEXT". $WORK stands for the URI of the script's directory. After sending a request, it
// waits for the response. It prints each message that it waited for on a line, and at the end
// the exit status. "quiet" in front of a line suppresses the output for that line.
func playLSP(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: lsp FILE [FLAGS]")
	}
	cmd := exec.Command(lookPath(ts, "tofumerge"), append([]string{"lsp"}, args[1:]...)...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "PATH", "TESTSCRIPT_COMMAND", forgottenFlag} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Stderr = ts.Stderr()
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	defer func() { _ = cmd.Process.Kill() }()
	s := &lspSession{in: in, got: make(chan lspMessage, 100), dir: cmd.Dir, work: string(view.URIOf(cmd.Dir))}
	go s.read(out)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if line = strings.TrimSpace(line); line != "" {
			line, isQuiet := strings.CutPrefix(line, "quiet ")
			printed, err := s.play(line)
			ts.Check(err)
			if !isQuiet {
				_, _ = io.WriteString(ts.Stdout(), printed)
			}
		}
	}
	_ = in.Close()
	_ = cmd.Wait()
	fmt.Fprintf(ts.Stdout(), "status %d\n", cmd.ProcessState.ExitCode())
}

// lookPath finds a program on the PATH of a script.
func lookPath(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		for _, ending := range []string{"", ".exe"} {
			if path, err := exec.LookPath(filepath.Join(dir, name+ending)); err == nil {
				return path
			}
		}
	}
	ts.Fatalf("no program %s", name)
	return ""
}

// An lspSession is the client of a server.
type lspSession struct {
	in    io.Writer
	got   chan lspMessage
	early []lspMessage // received, but not waited for yet
	dir   string
	work  string // its URI
}

type lspMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	text   string
}

// read receives messages, and answers each request of the server with null.
func (s *lspSession) read(out io.Reader) {
	defer close(s.got)
	in := textproto.NewReader(bufio.NewReader(out))
	for {
		header, err := in.ReadMIMEHeader()
		if err != nil {
			return
		}
		length, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, length)
		if _, err := io.ReadFull(in.R, body); err != nil {
			return
		}
		var m lspMessage
		if err := json.Unmarshal(body, &m); err != nil {
			m.text = err.Error()
		}
		var any any
		_ = json.Unmarshal(body, &any)
		var sorted bytes.Buffer
		enc := json.NewEncoder(&sorted)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(any)
		m.text = strings.ReplaceAll(sorted.String(), s.work, "$WORK")
		m.text = strings.ReplaceAll(m.text, strings.TrimPrefix(s.work, "file"), ":$WORK") // virtual documents have another scheme
		if m.Method != "" && m.ID != nil {
			_ = s.send(fmt.Sprintf(`{"id":%s,"result":null}`, m.ID))
		}
		s.got <- m
	}
}

func (s *lspSession) send(line string) error {
	var m map[string]any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(line, "$WORK", s.work)), &m); err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err == nil {
		_, err = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	return err
}

// play runs a line of the file, and returns what to print.
func (s *lspSession) play(line string) (string, error) {
	if method, ok := strings.CutPrefix(line, "wait "); ok {
		return s.wait(func(m lspMessage) bool { return m.Method == method })
	}
	if name, ok := strings.CutPrefix(line, "remove "); ok {
		return "", os.Remove(filepath.Join(s.dir, name))
	}
	if file, ok := strings.CutPrefix(line, "write "); ok {
		name, text, _ := strings.Cut(file, " ")
		return "", os.WriteFile(filepath.Join(s.dir, name), []byte(text+"\n"), 0o600)
	}
	var sent lspMessage
	if err := json.Unmarshal([]byte(line), &sent); err != nil {
		return "", fmt.Errorf("%s: %w", line, err)
	}
	if err := s.send(line); err != nil || sent.ID == nil || sent.Method == "" {
		return "", err
	}
	return s.wait(func(m lspMessage) bool { return m.Method == "" && bytes.Equal(m.ID, sent.ID) })
}

// wait returns the text of the next message that matches.
func (s *lspSession) wait(matches func(lspMessage) bool) (string, error) {
	for i, m := range s.early {
		if matches(m) {
			s.early = append(s.early[:i], s.early[i+1:]...)
			return m.text, nil
		}
	}
	for limit := time.After(2 * time.Minute); ; {
		select {
		case m, isOpen := <-s.got:
			switch {
			case !isOpen:
				return "", io.ErrUnexpectedEOF
			case matches(m):
				return m.text, nil
			}
			s.early = append(s.early, m)
		case <-limit:
			return "", errors.New("the server didn't answer in time")
		}
	}
}
