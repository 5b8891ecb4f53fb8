//go:build unix

package replace

import (
	"fmt"
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

// lock opens a directory and shows other processes that it is in use. With alone, it returns nil if one
// uses it. The lock ends when the file is closed, or with the process.
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

func statOf(info os.FileInfo) *syscall.Stat_t { return info.Sys().(*syscall.Stat_t) }

// ownerOf returns the user whose file it is.
func ownerOf(info os.FileInfo) int { return int(statOf(info).Uid) }

// links is how many names a file has.
func links(info os.FileInfo) int { return int(statOf(info).Nlink) }

// keepOwner gives a file the owner and the group of another one.
func keepOwner(to *os.File, old os.FileInfo) error {
	now, err := to.Stat()
	if err != nil {
		return err
	}
	was, is := statOf(old), statOf(now)
	if is.Uid == was.Uid && is.Gid == was.Gid || to.Chown(int(was.Uid), int(was.Gid)) == nil {
		return nil
	}
	return fmt.Errorf("you may not make a file of its owner and group (%d:%d); change them first", was.Uid, was.Gid)
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

// isBusy is false: these systems rename and remove files that are open.
func isBusy(error) bool { return false }

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
