package process

import (
	"os"
	"runtime/debug"
)

// failed is the exit status of a program that could not be started.
const failed = 1

// Guard returns the exit status of a run. Where the runtime can't go on, as when the
// stack overflows or memory runs out, which no program can catch, it aborts: that is a
// status of its own (134 in a shell on Unix), without a core file. A script that reads the
// exit status must never take that for findings, and Go ends such a program with 2.
func Guard(run func() int) (status int) {
	noCoreFile()
	debug.SetTraceback("crash")
	if os.Getpid() == 1 {
		return supervised()
	}
	return run()
}
