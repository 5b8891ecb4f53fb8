//go:build unix

package process

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// relayed are the signals that a program may want to get. That of a broken pipe is among them so that it
// doesn't end this process, which has to clean up.
func relayed() []os.Signal {
	return []os.Signal{
		syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH,
		syscall.SIGPIPE,
	}
}

func isResize(s os.Signal) bool     { return s == syscall.SIGWINCH }
func isBrokenPipe(s os.Signal) bool { return s == syscall.SIGPIPE }

// isFromTerminal reports whether a key probably sent a signal: a terminal sends it to all
// foreground processes.
func isFromTerminal(s os.Signal) bool {
	if s != syscall.SIGINT && s != syscall.SIGQUIT {
		return false
	}
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	front, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && front == unix.Getpgrp()
}

// signalOf is the signal that ended a process; 0 if none did.
func signalOf(state *os.ProcessState) (number int, name string) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return 0, ""
	}
	return int(status.Signal()), status.Signal().String()
}
