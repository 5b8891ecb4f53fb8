//go:build !linux

package loadtest

import "time"

var start = time.Now()

// processorTime is the time on the clock.
func processorTime() time.Duration { return time.Since(start) }
