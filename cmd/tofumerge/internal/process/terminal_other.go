//go:build !unix

package process

import (
	"os/exec"
	"time"
)

// terminals is empty: a program gets pipes.
type terminals struct{}

func openTerminals(*Command, *exec.Cmd) terminals { return terminals{} }

func (terminals) resize()                  {}
func (terminals) start()                   {}
func (terminals) drain(time.Duration) bool { return true }
func (terminals) close()                   {}
