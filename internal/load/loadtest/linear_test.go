package loadtest

import (
	"fmt"
	"testing"
)

// failures is a test that notes that it failed.
type failures struct {
	testing.TB
	list []string
}

func (f *failures) Helper() {}
func (f *failures) Errorf(format string, args ...any) {
	f.list = append(f.list, fmt.Sprintf(format, args...))
}

var sink int

// Work that grows with the square is found, work in proportion is not.
func TestLinear(t *testing.T) {
	var square, line failures
	Linear(&square, "square", 1_000, func(size int) {
		for i := range size {
			for j := range size {
				sink += i ^ j
			}
		}
	})
	Linear(&line, "line", 1_000_000, func(size int) {
		for i := range size {
			sink += i
		}
	})
	if len(square.list) != 1 || len(line.list) != 0 {
		t.Errorf("%q, %q", square.list, line.list)
	}
}
