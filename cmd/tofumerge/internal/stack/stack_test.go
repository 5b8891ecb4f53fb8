package stack_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	_ "github.com/tofumerge/tofumerge/cmd/tofumerge/internal/stack"
)

// The stack grows before other packages use it. The test is outside the package, which must not import any.
func TestIsFirst(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	text, err := c.CombinedOutput()
	own, other := strings.Index(string(text), "/internal/stack @"), strings.Index(string(text), "init os @")
	if err != nil || own < 0 || other < own {
		t.Errorf("%v\n%s", err, text)
	}
}
