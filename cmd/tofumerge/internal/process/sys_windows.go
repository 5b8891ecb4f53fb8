package process

import (
	"errors"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/windows"
)

// relayed lists the signals that a program may want to get: here only Ctrl+C, which the console sends to it anyway.
func relayed() []os.Signal { return []os.Signal{os.Interrupt} }

// isFromTerminal is always true: a console sends signals to all of its processes, so nothing is passed on.
func isFromTerminal(os.Signal) bool { return true }

func isResize(os.Signal) bool     { return false }
func isBrokenPipe(os.Signal) bool { return false }

// signalOf returns 0: signals don't end processes on Windows.
func signalOf(*os.ProcessState) (number int, name string) { return 0, "" }

// noCoreFile does nothing: Windows writes no core files.
func noCoreFile() {}

// supervised is for systems on which the first process is special; Windows isn't one.
func supervised() int { return failed }

// terminals is empty on Windows, where a program gets pipes; see the other one for Unix.
type terminals struct{}

func openTerminals(*Command, *exec.Cmd) terminals { return terminals{} }

// The methods do nothing, because there are no terminals: drain has always read everything.

func (terminals) resize()                  {}
func (terminals) start()                   {} // on Unix, starts reading what the program writes to them
func (terminals) drain(time.Duration) bool { return true }
func (terminals) close()                   {}

// isRunning reports whether there is a process with this number, of whatever user.
func isRunning(pid int) bool {
	process, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer func() { _ = windows.CloseHandle(process) }()
	event, err := windows.WaitForSingleObject(process, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}
