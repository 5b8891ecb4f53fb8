package langserver

import (
	"context"
	"errors"
	"testing"
	"time"
)

// The session ends when the process of the client does, even if the connection stays open.
func TestOrphaned(t *testing.T) {
	ends := make(chan bool)
	p := connectWith(t, Options{Analyst: &fakeAnalyst{}, WaitFor: func(ctx context.Context, pid int) bool {
		if pid != 4711 {
			t.Errorf("waits for %d", pid)
		}
		select {
		case <-ends:
			return true
		case <-ctx.Done():
			return false
		}
	}})
	p.call("initialize", map[string]any{"processId": 4711, "capabilities": struct{}{}})
	p.open("file:///a.tf", "one")
	close(ends)
	select {
	case err := <-p.end:
		if !errors.Is(err, errOrphaned) {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("the server goes on")
	}
}
