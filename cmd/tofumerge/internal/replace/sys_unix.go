//go:build unix

package replace

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	openNonblocking = syscall.O_NONBLOCK
	syncsDirs       = true
)

// lock shows other processes that files are being written in a directory, or, with alone, finds out
// whether there are such processes. The lock ends with the process.
func lock(d *os.File, alone bool) bool {
	how := unix.LOCK_SH
	if alone {
		how = unix.LOCK_EX
	}
	for range 50 {
		err := unix.Flock(int(d.Fd()), how|unix.LOCK_NB)
		if alone || !errors.Is(err, unix.EWOULDBLOCK) {
			return err == nil
		}
		time.Sleep(20 * time.Millisecond) // another process looks for leftovers
	}
	return false
}

func unlock(d *os.File) { _ = unix.Flock(int(d.Fd()), unix.LOCK_UN) }

// isOurs reports whether a file may be one that this user's process left.
func isOurs(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	uid := os.Geteuid()
	return ok && (uid == 0 || int(stat.Uid) == uid)
}

// names is how many names a file has.
func names(info os.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 1
}

// endings are the signals that end a program, except those that it was started to
// ignore.
func endings() []os.Signal {
	var list []os.Signal
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return list
}

// die ends the process as a signal does.
func die(s os.Signal) {
	signal.Reset(s)
	number, _ := s.(syscall.Signal)
	_ = syscall.Kill(os.Getpid(), number)
	time.Sleep(time.Second)
	os.Exit(128 + int(number))
}

// renameOver renames a directory, also to the name of an empty one.
func renameOver(from, to string) error { return syscall.Rename(from, to) }

// openDescriptor opens the target of a descriptor of this process at its current position.
func openDescriptor(n int) (*os.File, error) {
	switch n {
	case 1:
		return os.Stdout, nil
	case 2:
		return os.Stderr, nil
	}
	fd, err := syscall.Dup(n)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "output"), nil
}
