//go:build unix

package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// relayed lists the signals that a program may want to get. SIGPIPE is among them so that it doesn't end this
// process, which must clean up.
func relayed() []os.Signal {
	return []os.Signal{
		syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH,
		syscall.SIGPIPE,
	}
}

func isResize(s os.Signal) bool     { return s == syscall.SIGWINCH }
func isBrokenPipe(s os.Signal) bool { return s == syscall.SIGPIPE }

// isFromTerminal reports whether a signal probably comes from a key, such as Ctrl-C: it is SIGINT or SIGQUIT, and
// this process is in the foreground. Then the terminal has sent it to the started program, too.
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

// signalOf returns the signal that ended a process; 0 if none did.
func signalOf(state *os.ProcessState) (number int, name string) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return 0, ""
	}
	return int(status.Signal()), status.Signal().String()
}

// noCoreFile keeps an abort from writing the memory of the process to a file.
func noCoreFile() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
}

// supervised runs the program again as a child, and returns its exit status; after a signal 128 plus its
// number, as in a shell. The first process of a container needs that: no signal ends it, not even one that it
// sends to itself, so an abort would end with Go's own status 2.
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
	var ended *exec.ExitError // with a status other than 0, or by a signal
	if err != nil && !errors.As(err, &ended) {
		fmt.Fprintln(os.Stderr, "Error: can't wait for the program:", err)
		return failed
	}
	if how, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && how.Signaled() {
		return 128 + int(how.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

// Terminals for a program's output, which is read here. They are raw: the real terminal behind them
// does the processing, so no byte changes on the way.

// A pair is a terminal for a program, and the reader of everything that the program writes to it.
type pair struct {
	real, master, slave *os.File
	to                  io.Writer
	done                chan struct{}
}

// terminals are, on Unix, the terminals of one program. On Windows the type is empty, and its methods do nothing.
type terminals []*pair

// openTerminals replaces outputs of cmd that end at a terminal by new terminals, from which this process reads. So
// the program still finds a terminal, and prints for one, in colour for example, while its output is changed on the
// way to the user. If that fails, the output stays as it is.
func openTerminals(c *Command, cmd *exec.Cmd) (list terminals) {
	// open replaces an output (to) that ends at the terminal real.
	open := func(real *os.File, to *io.Writer) {
		if real == nil { // it ends elsewhere
			return
		}
		master, slave, err := pty.Open()
		if err != nil {
			return // cmd then uses a pipe
		}
		// Raw means that no byte changes on the way: the real terminal processes them.
		if _, err := term.MakeRaw(int(slave.Fd())); err != nil {
			_, _ = slave.Close(), master.Close()
			return
		}
		list = append(list, &pair{real: real, master: master, slave: slave, to: *to, done: make(chan struct{})})
		*to = slave
	}
	open(c.OutTerminal, &cmd.Stdout)
	open(c.ErrTerminal, &cmd.Stderr)
	list.resize()
	return list
}

// resize gives the terminals the size of the real ones.
func (list terminals) resize() {
	for _, p := range list {
		_ = pty.InheritSize(p.real, p.master) // an odd size is better than no output
	}
}

// start closes our copies of the ends that the program writes to, so that only the program holds them, and
// starts reading.
func (list terminals) start() {
	for _, p := range list {
		_ = p.slave.Close()
		go func() {
			defer close(p.done)
			_, _ = io.Copy(p.to, p.master)       // ends with an error if nobody holds the other end
			_, _ = io.Copy(io.Discard, p.master) // unwritable output must not block the program
		}()
	}
}

// drain waits until everything is read. It reports false if that takes too long, as when a program in the
// background keeps an end open.
func (list terminals) drain(most time.Duration) bool {
	deadline := time.After(most)
	for _, p := range list {
		select {
		case <-p.done:
		case <-deadline:
			return false
		}
	}
	return true
}

// close frees both ends of each terminal. An end that is closed already stays so.
func (list terminals) close() {
	for _, p := range list {
		_, _ = p.slave.Close(), p.master.Close()
	}
}

// isRunning reports whether there is a process with this number, of whatever user.
func isRunning(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}
