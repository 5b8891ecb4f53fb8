package replace

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Ways to rename a file: to a name that is not taken, and to one that is, whose file gets the other
// name.
const (
	noReplace  = unix.RENAME_NOREPLACE
	exchanging = unix.RENAME_EXCHANGE
)

// renameat2 is replaced in tests to simulate a system that can't exchange names.
var renameat2 = unix.Renameat2

// rename renames a file of the directory atomically.
func (d *dir) rename(from, to string, how uint) error {
	fd := int(d.file.Fd())
	err := renameat2(fd, from, fd, to, how)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL):
		return errors.ErrUnsupported // the file system can't
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}

// dropACL takes the access control list of a directory's defaults from a new file.
func dropACL(f *os.File) { _ = unix.Fremovexattr(int(f.Fd()), "system.posix_acl_access") } // few have one

// lostAttributes lists the extended attributes of the file at a path, access control lists among
// them, that a new one did not get from the system.
func lostAttributes(to *os.File, path string) []string {
	read := func(list func([]byte) (int, error)) []string {
		buf := make([]byte, 1<<16) // which no list exceeds
		n, _ := list(buf)
		return strings.FieldsFunc(string(buf[:max(n, 0)]), func(r rune) bool { return r == 0 })
	}
	has := read(func(buf []byte) (int, error) { return unix.Flistxattr(int(to.Fd()), buf) })
	had := read(func(buf []byte) (int, error) { return unix.Llistxattr(path, buf) })
	return slices.DeleteFunc(had, func(name string) bool { return slices.Contains(has, name) })
}
