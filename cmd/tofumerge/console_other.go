//go:build !windows

package main

import (
	"io"
	"os"
)

// openConsole returns the file: terminals act on sequences.
func openConsole(f *os.File) io.Writer { return f }
