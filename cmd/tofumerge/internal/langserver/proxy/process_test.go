package proxy

import (
	"io"
	"os"
	"testing"
	"time"
)

// A program is started with its arguments, and its end has a reason.
func TestCommand(t *testing.T) {
	if _, err := Command("/no/such/program", nil, io.Discard)(); err == nil {
		t.Error("a program that doesn't exist was started")
	}
	for argument, why := range map[string]string{"-test.run=^$": "exit status 0", "-test.none": "exit status 2"} {
		process, err := Command(os.Args[0], []string{argument}, io.Discard)()
		if err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(process.Out)
		if err != nil || why == "exit status 0" && len(out) == 0 {
			t.Errorf("%s: the output is %q: %v", argument, out, err)
		}
		select {
		case <-process.Ended:
		case <-time.After(patience):
			t.Fatal("no end")
		}
		if got := process.Why(); got != why {
			t.Errorf("%s: %s, want %s", argument, got, why)
		}
		process.Kill()
	}
}
