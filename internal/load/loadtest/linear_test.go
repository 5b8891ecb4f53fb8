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

// Work that grows with the square is found, even beside other work. Work in
// proportion passes, and so does work that is done before it can be measured.
func TestLinear(t *testing.T) {
	work := func(n int) {
		for i := range n {
			sink += i
		}
	}
	for _, test := range []struct {
		name  string
		work  func(size int)
		fails int
	}{
		{"square", func(size int) { work(size*size + 1_000*size) }, 1},
		{"line", func(size int) { work(1_000 * size) }, 0},
		{"little", work, 0},
	} {
		var f failures
		if Linear(&f, test.name, 1_000, test.work); len(f.list) != test.fails {
			t.Errorf("%s: %q", test.name, f.list)
		}
	}
}
