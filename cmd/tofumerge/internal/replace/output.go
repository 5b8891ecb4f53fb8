package replace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// An Output is the destination of a result.
type Output struct {
	// Path is the file itself: links have been followed, there or not. It is ""
	// for a descriptor of this process.
	Path string

	name       string // as it was given
	descriptor int    // if there is no path
	before     os.FileInfo
}

// FindOutput finds the target of a result, and records its state: nothing, a file, or something
// that isn't a regular file. It opens nothing.
func FindOutput(name string) (*Output, error) {
	path := name
	if err := checkName(path); err != nil {
		return nil, notWritten(name, err)
	}
	for range 40 {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return nil, notWritten(name, err)
		}
		path = filepath.Join(dir, filepath.Base(path))
		if n, ok := descriptorOf(path); ok {
			return &Output{name: name, descriptor: n}, nil
		}
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &Output{name: name, Path: path}, nil
		case err != nil:
			return nil, notWritten(name, err)
		case info.IsDir():
			return nil, notWritten(name, errors.New("it is a directory"))
		case info.Mode()&fs.ModeSymlink == 0:
			return &Output{name: name, Path: path, before: info}, nil
		}
		target, err := os.Readlink(path)
		if err != nil {
			return nil, notWritten(name, err)
		}
		if path = target; !filepath.IsAbs(target) {
			path = dir + string(filepath.Separator) + target
		}
	}
	return nil, notWritten(name, errors.New("its links form a loop"))
}

var descriptorPath = lazyregexp.New(`^(?:/proc/(\d+)(?:/task/\d+)?/fd|/dev/fd)/(\d+)$`)

// descriptorOf returns the descriptor of this process that a path names, and reports whether there
// is one.
func descriptorOf(path string) (int, bool) {
	found := descriptorPath().FindStringSubmatch(path)
	if found == nil || found[1] != "" && found[1] != strconv.Itoa(os.Getpid()) {
		return 0, false
	}
	n, err := strconv.Atoi(found[2])
	return n, err == nil
}

// Write writes the result. A regular file is replaced at once or not at all, wherever it is, unless
// it was exchanged or saved since FindOutput saw it. To anything else, and to a descriptor of this
// process, the result is written as it comes.
func (o *Output) Write(text []byte, opts Options) error {
	if o.Path == "" {
		return o.writeTo(func() (*os.File, error) { return openDescriptor(o.descriptor) }, text)
	}
	if o.before != nil && !o.before.Mode().IsRegular() {
		return o.writeTo(func() (*os.File, error) { return os.OpenFile(o.Path, os.O_WRONLY, 0) }, text)
	}
	now, err := os.Lstat(o.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		now = nil
	case err != nil:
		return notWritten(o.name, err)
	case o.before == nil || !isSame(o.before, now):
		if found, err := input.Read(o.Path, int64(len(text))); err == nil && bytes.Equal(found, text) {
			return nil // another run has written the same
		}
		return notWritten(o.name, &ChangedError{Name: "it"})
	}
	set := NewSet(opts)
	defer set.Close()
	set.isOne = true
	if err := set.add(o.Path, o.name, func(c *change) { c.seen, c.new = now, orEmpty(text) }); err != nil {
		return notWritten(o.name, err)
	}
	return set.Run()
}

func (o *Output) writeTo(open func() (*os.File, error), text []byte) error {
	f, err := open()
	if err == nil {
		_, err = f.Write(text)
	}
	if err == nil && f != os.Stdout && f != os.Stderr {
		err = f.Close()
	}
	if err != nil {
		return notWritten(o.name, err)
	}
	return nil
}

// isSame reports whether a file is the same one as before, and nobody wrote to it.
func isSame(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// checkName refuses the names that Windows has for devices, such as con.tf. A device itself, as NUL,
// may be written to.
func checkName(path string) error {
	name := filepath.Base(path)
	if runtime.GOOS != "windows" || name == ".." || filepath.IsLocal(name) || !strings.Contains(name, ".") {
		return nil
	}
	return errors.New("the name is reserved for a device on Windows; choose another one")
}

func notWritten(name string, err error) error {
	return fmt.Errorf("can't write %s: %w", strings.ToValidUTF8(name, "\uFFFD"), input.StripPath(err))
}
