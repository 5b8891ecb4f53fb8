//go:build unix

package replace

import (
	"fmt"
	"os"
	"syscall"
)

// keepOwner gives a file the owner and the group of another one, and returns the attributes that
// are lost, and the mode that it may have then: another group must not get the rights of the old
// one.
func keepOwner(to *os.File, info os.FileInfo) (lost []string, mode os.FileMode, err error) {
	mode = info.Mode()
	now, err := to.Stat()
	if err != nil {
		return nil, 0, err
	}
	was, ok := info.Sys().(*syscall.Stat_t)
	is, alsoOK := now.Sys().(*syscall.Stat_t)
	if !ok || !alsoOK {
		return nil, mode, nil
	}
	if is.Gid != was.Gid && to.Chown(-1, int(was.Gid)) != nil {
		lost = append(lost, fmt.Sprintf("the system does not let it keep the group (gid %d)", was.Gid))
		mode = mode&^0o070&^os.ModeSetgid | mode&0o007<<3&mode
	}
	if is.Uid != was.Uid && to.Chown(int(was.Uid), -1) != nil {
		lost = append(lost, fmt.Sprintf("the system does not let it keep the owner (uid %d)", was.Uid))
		mode &^= os.ModeSetuid
	}
	return lost, mode, nil
}
