package clitest

import (
	"context"
	"fmt"
	"os/exec"
	"time"
)

// tried are the programs of others that tests have tried to run, by path.
var tried = map[string]error{}

// Works explains why an external program can't run even trivial arguments, or returns nil if it
// can. It is tried once.
func Works(path string, args ...string) error {
	if err, isKnown := tried[path]; isKnown {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s doesn't work: %w\n%s", path, err, out)
	}
	tried[path] = err
	return err
}
