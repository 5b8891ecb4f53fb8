// Package stack makes the first goroutine's stack as large as a run needs, before anything is on it.
//
// It would grow three or four times otherwise. Each time it is copied, and the tables of all functions on it are read
// from the program's file, which takes a twentieth of a short run.
//
// The package must not import any: those without imports are initialized first, in the order of their paths. It
// refuses nothing.
package stack

// size is less than 64 KiB, which is the size of the stack then.
const size = 60 << 10

// isUsed is false, which the compiler doesn't know, so that grow keeps its frame.
var isUsed bool

// init runs before main: a call with a large frame makes the runtime enlarge the stack while it is still empty.
func init() { grow() }

// grow needs a stack frame of size bytes, which the runtime must provide before the call. It returns at once
// and never writes to the frame, so the memory isn't touched. The code after the return only keeps the compiler from
// removing the frame.
//
//go:noinline
func grow() byte {
	if !isUsed {
		return 0
	}
	var frame [size]byte
	for i := range frame {
		frame[i] = byte(i)
	}
	return frame[len(frame)/2]
}
