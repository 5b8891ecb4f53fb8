package loadtest

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Nano())
}
