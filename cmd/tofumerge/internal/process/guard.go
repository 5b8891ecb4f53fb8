package process

import (
	"os"
	"runtime/debug"
)

// failed is the exit status of a program that could not be started.
const failed = 1

// Guard returns the exit status of a run. If the runtime can't continue, for example because the
// stack overflows or memory runs out, which no program can catch, it aborts with a separate status
// (134 in a shell on Unix), without a core file. A script that reads the exit status must never
// take that for findings, and Go would end such a program with 2.
func Guard(run func() int) (status int) {
	noCoreFile()
	debug.SetTraceback("crash")
	if os.Getpid() == 1 {
		return supervised()
	}
	return run()
}
