//go:build unix

package process

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A buffer is what several goroutines write to.
type buffer struct {
	mutex   sync.Mutex
	written bytes.Buffer
}

func (b *buffer) Write(text []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.written.Write(text)
}

func (b *buffer) text() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.written.String()
}

func shell(script string) (*Command, *buffer) {
	out := &buffer{}
	return &Command{Path: "/bin/sh", Args: []string{"-c", script}, Env: os.Environ(), Out: out, Err: out}, out
}

func TestStatus(t *testing.T) {
	for script, want := range map[string]Result{
		"exit 0":        {},
		"exit 7":        {Status: 7},
		"kill -TERM $$": {Status: 128 + 15, Signal: "terminated"},
	} {
		cmd, _ := shell(script)
		if got, err := cmd.Run(); got != want || err != nil {
			t.Errorf("%s: %v, %v", script, got, err)
		}
	}
	cmd := &Command{Path: "/no/such/program"}
	if _, err := cmd.Run(); err == nil {
		t.Error("what does not exist was run")
	}
}

// TestSignal checks that a signal to this process reaches the program.
func TestSignal(t *testing.T) {
	cmd, out := shell("trap 'echo got; exit 3' TERM; echo ready; while :; do sleep 0.05; done")
	done := make(chan Result, 1)
	go func() {
		result, _ := cmd.Run()
		done <- result
	}()
	for !strings.Contains(out.text(), "ready") {
		time.Sleep(5 * time.Millisecond)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := <-done; got.Status != 3 || !strings.Contains(out.text(), "got") {
		t.Errorf("%v, %q", got, out.text())
	}
}

// TestStays checks that a program in the background does not hold the run up.
func TestStays(t *testing.T) {
	cmd, out := shell("sleep 20 & echo $!")
	begin := time.Now()
	got, err := cmd.Run()
	if err != nil || !got.IsCut || time.Since(begin) > 15*time.Second {
		t.Errorf("%v, %v after %v", got, err, time.Since(begin))
	}
	stop, _ := shell("kill " + strings.TrimSpace(out.text()))
	if _, err := stop.Run(); err != nil {
		t.Error(err)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestBrokenPipe checks that nobody has to read all.
func TestBrokenPipe(t *testing.T) {
	cmd, _ := shell("yes")
	cmd.Out = closed{}
	if got, err := cmd.Run(); err != nil || got.Status != 128+13 {
		t.Errorf("%v, %v", got, err)
	}
}

// TestTerminal checks that a program writes to a terminal of the same size, and that no byte changes.
func TestTerminal(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer func() { _, _ = master.Close(), slave.Close() }()
	if err := pty.Setsize(slave, &pty.Winsize{Rows: 10, Cols: 33}); err != nil {
		t.Fatal(err)
	}
	cmd, out := shell(`[ -t 1 ] && stty size <&1; printf 'a\r\nb\n'`)
	cmd.OutTerminal = slave
	if got, err := cmd.Run(); err != nil || got.Status != 0 || out.text() != "10 33\na\r\nb\n" {
		t.Errorf("%v, %v, %q", got, err, out.text())
	}
}
