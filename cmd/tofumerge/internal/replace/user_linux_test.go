package replace

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The modes of files are the usual ones, whatever the umask of the test environment.
func TestMain(m *testing.M) {
	syscall.Umask(0o022)
	os.Exit(m.Run())
}

const nobody = 65534

// asUser runs something that root's rights must not help. Root does it with the rights
// of nobody; the thread that has them ends with the goroutine. The path to the working
// directory may be closed to nobody, so that names have to be relative.
func asUser(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	failed := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		err := becomeNobody()
		if err == nil {
			do()
		}
		failed <- err
	}()
	if err := <-failed; err != nil {
		t.Skipf("root can't give up its rights here: %v", err)
	}
}

// becomeNobody changes the rights of this thread only.
func becomeNobody() error {
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
		return errno
	}
	for _, call := range []uintptr{unix.SYS_SETRESGID, unix.SYS_SETRESUID} {
		if _, _, errno := unix.RawSyscall(call, nobody, nobody, nobody); errno != 0 {
			return errno
		}
	}
	return nil
}

// enter makes a directory of files the working directory, which everybody may write to.
func enter(t *testing.T, files map[string]string) {
	t.Helper()
	dir := put(t, files)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can make files of other users")
	}
}

func checkOwner(t *testing.T, name string, uid, gid uint32, mode os.FileMode) {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Error(err)
		return
	}
	is := info.Sys().(*syscall.Stat_t)
	if is.Uid != uid || is.Gid != gid || info.Mode() != mode {
		t.Errorf("%s is %d:%d %v, want %d:%d %v", name, is.Uid, is.Gid, info.Mode(), uid, gid, mode)
	}
}
