package replace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// keepExtended gives a file the extended attributes of another one, including access control lists,
// and returns the attributes that are lost.
func keepExtended(to, from *os.File) []string {
	var lost []string
	wanted := attributes(from)
	for _, name := range attributes(to) {
		if !slices.Contains(wanted, name) {
			_ = unix.Fremovexattr(int(to.Fd()), name) // came from the directory's defaults
		}
	}
	for _, name := range wanted {
		value, err := attribute(from, name)
		if err == nil {
			if has, hasErr := attribute(to, name); hasErr == nil && bytes.Equal(has, value) {
				continue
			}
			err = unix.Fsetxattr(int(to.Fd()), name, value, 0)
		}
		if err != nil && !errors.Is(err, unix.ENODATA) {
			lost = append(lost, fmt.Sprintf("the system does not let it keep the attribute %s (%v)", name, err))
		}
	}
	return lost
}

func attributes(f *os.File) []string {
	size, err := unix.Flistxattr(int(f.Fd()), nil)
	if err != nil || size == 0 {
		return nil
	}
	buf := make([]byte, size)
	if size, err = unix.Flistxattr(int(f.Fd()), buf); err != nil {
		return nil
	}
	return strings.FieldsFunc(string(buf[:size]), func(r rune) bool { return r == 0 })
}

func attribute(f *os.File, name string) ([]byte, error) {
	size, err := unix.Fgetxattr(int(f.Fd()), name, nil)
	if err != nil {
		return nil, err
	}
	buf := make([]byte, size)
	size, err = unix.Fgetxattr(int(f.Fd()), name, buf)
	return buf[:max(size, 0)], err
}
