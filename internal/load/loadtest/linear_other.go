//go:build !linux

package loadtest

import "time"

var start = time.Now()

// processorTime returns the time on the clock, as an approximation.
func processorTime() time.Duration { return time.Since(start) }
