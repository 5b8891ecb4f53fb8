package replace

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// renameat2 is replaced in tests to simulate a system that can't exchange names.
var renameat2 = unix.Renameat2

// removeInheritedACL removes the access control list that a new file got from its directory's defaults: it may give
// rights that the old file did not.
func removeInheritedACL(to *os.File) {
	_ = unix.Fremovexattr(int(to.Fd()), "system.posix_acl_access") // few have one
}

// attributesLost lists the extended attributes, access control lists among them, that the file at a path has and
// the new file to, which will replace it, lacks.
func attributesLost(to *os.File, path string) string {
	read := func(list func([]byte) (int, error)) []string {
		buf := make([]byte, 1<<16) // the longest list that Linux allows
		n, _ := list(buf)
		return strings.FieldsFunc(string(buf[:max(n, 0)]), func(r rune) bool { return r == 0 })
	}
	has := read(func(buf []byte) (int, error) { return unix.Flistxattr(int(to.Fd()), buf) })
	had := read(func(buf []byte) (int, error) { return unix.Llistxattr(path, buf) })
	return strings.Join(slices.DeleteFunc(had, func(name string) bool { return slices.Contains(has, name) }), ", ")
}
