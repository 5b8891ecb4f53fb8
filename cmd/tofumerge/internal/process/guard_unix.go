//go:build unix

package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// noCoreFile keeps an abort from writing the memory of the process to a file.
func noCoreFile() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
}

// supervised runs the program as a child and returns its exit status; after a signal that is 128
// plus its number, as in a shell. It is used for the first process of a container: a signal does
// not end that, so Go would end it with the status 2 after all.
func supervised() (status int) {
	path, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "Error: can't find the program file:", err)
		return failed
	}
	cmd := exec.Command(path)
	cmd.Args, cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Args, os.Stdin, os.Stdout, os.Stderr
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "Error: can't start the program:", err)
		return failed
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	err = cmd.Wait()
	if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
		fmt.Fprintln(os.Stderr, "Error: can't wait for the program:", err)
		return failed
	}
	if how, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && how.Signaled() {
		return 128 + int(how.Signal())
	}
	return cmd.ProcessState.ExitCode()
}
