package main

import (
	"context"
	"time"
)

// processPause is how long to wait before looking again whether a process runs.
const processPause = 10 * time.Second

// waitForProcess waits until a process has ended. It reports false if ctx is done first, or if
// there is no such process: in a container, the processes outside aren't known.
func waitForProcess(ctx context.Context, pid int, pause time.Duration) bool {
	if pid <= 0 || !isRunning(pid) {
		return false
	}
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for isRunning(pid) {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
