package process

import (
	"context"
	"time"
)

// Pause is how long to wait before looking again whether a process runs.
const Pause = 10 * time.Second

// WaitFor waits until a process has ended. It reports false if ctx is done first, or if
// there is no such process: in a container, the processes outside aren't known.
func WaitFor(ctx context.Context, pid int, pause time.Duration) bool {
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
