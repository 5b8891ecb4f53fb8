package terminal

import (
	"bytes"
	"os"
	"testing"
)

// Text printed before the panic is not written either.
func TestPanicLeavesNothing(t *testing.T) {
	var out bytes.Buffer
	h := hold(&out)
	if _, err := h.Write([]byte("half")); err != nil {
		t.Fatal(err)
	}
	h.drop()
	if err := h.Flush(); err != nil || out.Len() > 0 {
		t.Errorf("%v, written %q", err, &out)
	}
}

// Text for a console is meant for its terminal.
func TestConsole(t *testing.T) {
	f := os.Stdout
	if got := Beneath(messages{to: &console{f, f}, after: hold(f)}); got != f {
		t.Errorf("%v, want the file", got)
	}
	if got := Beneath(hold(&console{f, f})); got != f {
		t.Errorf("%v, want the file", got)
	}
}
