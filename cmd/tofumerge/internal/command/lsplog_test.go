package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// A request that crashes after the end of the server writes nothing.
func TestLogHasEnded(t *testing.T) {
	var errs bytes.Buffer
	log := &serverLog{ws: &workspace.Workspace{Console: &terminal.Console{Err: &errs, Verbose: true}}}
	log.crashed("first")
	if !strings.Contains(errs.String(), "goroutine") {
		t.Errorf("no stack in:\n%s", errs.String())
	}
	errs.Reset()
	log.end()
	log.crashed("second")
	if errs.Len() > 0 {
		t.Errorf("written after the end:\n%s", errs.String())
	}
}
