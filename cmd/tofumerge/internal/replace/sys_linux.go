package replace

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameat2 is replaced in tests to simulate a system that can't exchange names.
var renameat2 = unix.Renameat2

// exchange exchanges two names of the directory atomically.
func (d *dir) exchange(a, b string) error { return d.rename(a, b, unix.RENAME_EXCHANGE) }

// renameNew renames a file to a name that is not taken.
func (d *dir) renameNew(from, to string) error { return d.rename(from, to, unix.RENAME_NOREPLACE) }

func (d *dir) rename(from, to string, flags uint) error {
	fd := int(d.file.Fd())
	err := renameat2(fd, from, fd, to, flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL):
		return errors.ErrUnsupported // the file system can't
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
