//go:build !unix

package process

import (
	"os"
	"os/exec"
	"time"
)

func relayed() []os.Signal          { return []os.Signal{os.Interrupt} }
func isResize(os.Signal) bool       { return false }
func isBrokenPipe(os.Signal) bool   { return false }
func isFromTerminal(os.Signal) bool { return true } // a console sends to all of its processes

func signalOf(*os.ProcessState) (number int, name string) { return 0, "" }

func noCoreFile() {}

// supervised is for systems on which the first process is special.
func supervised() int { return failed }

// terminals is empty: a program gets pipes.
type terminals struct{}

func openTerminals(*Command, *exec.Cmd) terminals { return terminals{} }

func (terminals) resize()                  {}
func (terminals) start()                   {}
func (terminals) drain(time.Duration) bool { return true }
func (terminals) close()                   {}
