package clitest

import (
	"os"
	"runtime/debug"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
)

// Overflow crashes in a way that no program survives. Its stack is smaller than usual, because a
// full one takes seconds and a gigabyte to overflow.
func Overflow() {
	debug.SetMaxStack(32 << 20)
	os.Exit(process.Guard(func() int { return overflowFrom(1) }))
}

func overflowFrom(n int) int {
	if n < 0 {
		return n // never, but the compiler and the linter don't know
	}
	return overflowFrom(n+1) + n
}
