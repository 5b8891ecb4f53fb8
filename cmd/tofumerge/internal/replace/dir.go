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
	free func() // lets other processes know that nothing is written any more
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
	return &dir{path: path, root: root, file: file, free: func() {}}, nil
}

func (d *dir) close() {
	d.free()
	_ = d.file.Close() // nothing was written to it
	_ = d.root.Close()
}

func (d *dir) join(name string) string { return filepath.Join(d.path, name) }

// holds reports whether a name is a regular file with this text.
func (d *dir) holds(name string, text []byte) (bool, error) {
	info, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() != int64(len(text))) {
		return false, nil
	}
	if err != nil {
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
	err := d.renameNew(from, to)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := d.root.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return d.renameFile(from, to)
}

// sync makes renames and removals survive a crash, if the system can.
func (d *dir) sync() error { return syncFile(d.file) }

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

// sync is replaced in tests to simulate a failing disk.
var sync = (*os.File).Sync

func syncFile(d *os.File) error {
	err := sync(d)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || !syncsDirs {
		return nil // not every system can sync a directory
	}
	return err
}
