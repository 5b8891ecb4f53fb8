//go:build unix

package replace

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lock opens and locks a directory, to mark it as in use. alone asks for the only lock, without waiting: then nil means
// that another process uses the directory. It is also nil if the directory can't be opened or locked. Closing the file
// ends the lock, and so does the end of the process.
func lock(path string, alone bool) *os.File {
	how := unix.LOCK_SH
	if alone {
		how = unix.LOCK_EX | unix.LOCK_NB
	}
	d, err := os.Open(path)
	if err == nil && unix.Flock(int(d.Fd()), how) != nil {
		_ = d.Close() // nothing was written to it
		return nil
	}
	return d
}

// idsOf returns the owner and the group of a file, and how many names it has.
func idsOf(info os.FileInfo) (uid, gid, links int) {
	s := info.Sys().(*syscall.Stat_t)
	return int(s.Uid), int(s.Gid), int(s.Nlink)
}

// die ends the process by the signal itself, so that the parent sees which one ended it. If that takes no effect, it
// exits with the status that a shell would report.
func die(s os.Signal) {
	signal.Reset(s)
	number, _ := s.(syscall.Signal)
	_ = syscall.Kill(os.Getpid(), number)
	time.Sleep(time.Second)
	os.Exit(128 + int(number))
}

// isBusy is false: these systems rename and remove files that are open.
func isBusy(error) bool { return false }

// openDescriptor returns a file for a descriptor of this process, as in /dev/fd/3. Unlike opening such a path, that
// keeps the position, so the text is appended to what others have written there.
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
