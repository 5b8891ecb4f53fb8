package main

import (
	"context"
	"os"
	"testing"
	"time"
)

// TestWaitForProcess waits for a process that ends, for one that isn't there, and for one that
// goes on.
func TestWaitForProcess(t *testing.T) {
	if !isRunning(os.Getpid()) {
		t.Skip("this system doesn't tell")
	}
	c, cmd := connectProgram(t)
	pid := cmd.Process.Pid
	if !isRunning(pid) {
		t.Error("the process doesn't run")
	}
	ended := make(chan bool)
	go func() { ended <- waitForProcess(t.Context(), pid, time.Millisecond) }()
	c.Initialize(nil)
	c.Shutdown()
	_ = cmd.Wait()
	<-ended
	if isRunning(pid) || waitForProcess(t.Context(), pid, time.Millisecond) {
		t.Error("the process still runs")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if waitForProcess(ctx, os.Getpid(), time.Millisecond) || ctx.Err() == nil {
		t.Error("this process has ended")
	}
}
