// Package process controls processes. Of the program's own: an exit status that no crash can forge,
// a garbage collector that suits the size of the input, and which build of the program runs. Of
// others: a Command runs a program, passes on the signals that this process gets, and returns its
// status; WaitFor waits for one.
//
// A stream for a terminal is a terminal to a Command, too. A program that stays in the background
// after its parent has ended does not delay the run: its output is lost, which Run reports. The
// package knows no command of ours and prints nothing, except where the program can't be started at
// all.
package process

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// A Command is a program to run.
type Command struct {
	Path string
	Args []string
	Dir  string
	Env  []string
	In   io.Reader
	// Out and Err get its output. If they are files, the program gets their descriptors.
	Out, Err io.Writer
	// OutTerminal and ErrTerminal are the terminals that Out and Err write to in the end; nil if they don't.
	OutTerminal, ErrTerminal *os.File
}

// A Result tells how a program ended.
type Result struct {
	Status int // its exit status, or 128 plus the number of the signal that ended it
	// Signal names the signal that ended the program; empty if the program ended normally.
	Signal string
	// IsCut is set if a program in the background still held the output, which was not read to its end.
	IsCut bool
}

// linger is how long output is read after the program has ended.
const linger = 2 * time.Second

// Run runs the program, and relays signals to it. The error says why it could not be started, or why passing on
// its output failed. If a program in the background still holds the output after linger, Run stops reading and
// sets IsCut, without an error.
func (c *Command) Run() (Result, error) {
	cmd := &exec.Cmd{
		Path: c.Path, Args: append([]string{c.Path}, c.Args...), Dir: c.Dir, Env: c.Env, Stdin: c.In, Stdout: c.Out, Stderr: c.Err,
		WaitDelay: linger,
	}
	terminals := openTerminals(c, cmd)
	defer terminals.close()
	signals, done := make(chan os.Signal, 16), make(chan struct{})
	signal.Notify(signals, relayed()...) // signals before the start wait in the channel
	defer func() {
		signal.Stop(signals)
		ignoreBrokenPipes() // Notify has undone that
		close(done)
	}()
	if err := cmd.Start(); err != nil {
		return Result{}, err
	}
	go relay(signals, done, cmd.Process, terminals.resize)
	terminals.start()
	err := cmd.Wait()
	isCut := !terminals.drain(linger)
	// Sort out the errors of Wait that only describe how the program or its output ended.
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended): // not an error of Run: the result holds the status
		err = nil
	case errors.Is(err, exec.ErrWaitDelay): // a program in the background still holds the output
		isCut, err = true, nil
	case errors.Is(err, syscall.EPIPE): // the reader of our output has read enough
		err = nil
	}
	result := Result{Status: cmd.ProcessState.ExitCode(), IsCut: isCut}
	if number, name := signalOf(cmd.ProcessState); number > 0 {
		result.Status, result.Signal = 128+number, name
	}
	return result, err
}

// relay passes signals on to a program until done is closed.
func relay(signals <-chan os.Signal, done <-chan struct{}, to *os.Process, resize func()) {
	for {
		select {
		case s := <-signals:
			switch {
			case isResize(s):
				resize()
			case isBrokenPipe(s), isFromTerminal(s): // the program gets these itself
			default:
				_ = to.Signal(s) // it may have ended
			}
		case <-done:
			return
		}
	}
}

// Pause is how long to wait before looking again whether a process runs.
const Pause = 10 * time.Second

// WaitFor waits until a process has ended, and then reports true. It looks again after each
// pause. It reports false if ctx is done first, or if there is no such process at the start:
// in a container, the processes outside aren't known.
func WaitFor(ctx context.Context, pid int, pause time.Duration) bool {
	if pid <= 0 || !isRunning(pid) {
		return false
	}
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for isRunning(pid) {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
