//go:build unix

package input

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A FIFO that nobody writes to is refused at once.
func TestFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.tf")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("there are no FIFOs here: ", err)
	}
	got := make(chan error, 1)
	go func() {
		_, err := Read(path, 10)
		got <- err
	}()
	select {
	case err := <-got:
		if err == nil || StripPath(err).Error() != "it is a FIFO, not a regular file" {
			t.Errorf("got %v, want a refusal", err)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("it waits for somebody to write")
	}
}

// Files of the kernel report size 0. They are read to their end, or up to the limit.
func TestUnsized(t *testing.T) {
	const path = "/proc/self/status"
	if _, err := os.Stat(path); err != nil {
		t.Skip("there are no files of the kernel here")
	}
	if text, err := Read(path, 1<<20); err != nil || len(text) == 0 {
		t.Errorf("%d bytes, %v, want the text", len(text), err)
	}
	if _, err := Read(path, 10); err == nil || err.Error() != "it is larger than 10 bytes" {
		t.Errorf("got %v, want a refusal of its size", err)
	}
}
