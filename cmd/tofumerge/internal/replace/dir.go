package replace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A dir is a directory that stays the same one whatever happens to its name.
type dir struct {
	path string
	root *os.Root
	file *os.File
}

func openDir(path string) (*dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	file, err := root.Open(".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &dir{path, root, file}, nil
}

func (d *dir) close() {
	_ = d.file.Close() // nothing was written to it
	_ = d.root.Close()
}

func (d *dir) join(name string) string { return filepath.Join(d.path, name) }

// holds reports whether a name is a regular file with this text, or, for nil, isn't taken.
func (d *dir) holds(name string, text []byte) (bool, error) {
	info, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return text == nil, nil
	}
	if err != nil || text == nil || !info.Mode().IsRegular() || info.Size() != int64(len(text)) {
		return false, err
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|openNonblocking, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return sameText(f, text)
}

func sameText(r io.Reader, text []byte) (bool, error) {
	found, err := io.ReadAll(io.LimitReader(r, int64(len(text))+1))
	return err == nil && bytes.Equal(found, text), err
}

// move gives a file another name, which is not taken.
func (d *dir) move(from, to string) error {
	err := d.rename(from, to, noReplace)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := d.root.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return d.renameFile(from, to)
}

// exchange gives a name the file of another one, and returns the name that its old file has then.
// If names can't be exchanged, that is a further link to it; without links the old text is gone.
func (d *dir) exchange(from, to string) (old string, err error) {
	if err = d.rename(from, to, exchanging); !errors.Is(err, errors.ErrUnsupported) {
		return from, err
	}
	if old = partName(); link(d.root, to, old) != nil {
		old = ""
	}
	if err := d.renameFile(from, to); err != nil {
		if old != "" {
			_ = d.removeFile(old) // it is another name of an existing file
		}
		return from, err
	}
	return old, nil
}

// sync and link are replaced in tests to simulate a failing disk, and one without links.
var (
	sync = (*os.File).Sync
	link = (*os.Root).Link
)

// syncFile makes renames and removals in a directory survive a crash, if the system can.
func syncFile(d *os.File) error {
	err := sync(d)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || !syncsDirs {
		return nil // not every system can sync a directory
	}
	return err
}

// syncDir does that for a directory by its name, if it can be read.
func syncDir(path string) error {
	d, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(syncFile(d), d.Close())
}
