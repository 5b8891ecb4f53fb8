package process

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// waitsVariable makes the test program one that ends with its standard input.
const waitsVariable = "TOFUMERGE_TEST_WAITS"

func TestMain(m *testing.M) {
	if os.Getenv(waitsVariable) != "" {
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	os.Exit(m.Run())
}

// TestWaitFor waits for a process that ends, for one that doesn't exist, and for one that
// continues.
func TestWaitFor(t *testing.T) {
	if !isRunning(os.Getpid()) {
		t.Skip("this system doesn't tell")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), waitsVariable+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	if !isRunning(pid) {
		t.Error("the process doesn't run")
	}
	ended := make(chan bool)
	go func() { ended <- WaitFor(t.Context(), pid, time.Millisecond) }()
	_ = in.Close()
	_ = cmd.Wait()
	<-ended
	if isRunning(pid) || WaitFor(t.Context(), pid, time.Millisecond) {
		t.Error("the process still runs")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if WaitFor(ctx, os.Getpid(), time.Millisecond) || ctx.Err() == nil {
		t.Error("this process has ended")
	}
}
