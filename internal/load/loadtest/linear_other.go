//go:build !linux

package loadtest

import "time"

var start = time.Now()

// threadTime is the time on the clock.
func threadTime() time.Duration { return time.Since(start) }
