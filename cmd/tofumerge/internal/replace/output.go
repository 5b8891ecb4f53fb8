package replace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	temp       string
	isPut      bool // the result has its name
}

// FindOutput finds the target of a result, and records its state: nothing, a file, or something
// that isn't a regular file. It opens nothing.
func FindOutput(name string) (*Output, error) {
	path := name
	if err := checkName(path, isWindows); err != nil {
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
	var err error
	switch {
	case o.Path == "":
		err = o.writeTo(func() (*os.File, error) { return openDescriptor(o.descriptor) }, text)
	case o.before != nil && !o.before.Mode().IsRegular():
		err = o.writeTo(func() (*os.File, error) { return os.OpenFile(o.Path, os.O_WRONLY, 0) }, text)
	default:
		err = o.replace(text, opts)
	}
	if err != nil {
		return notWritten(o.name, err)
	}
	return nil
}

func (o *Output) writeTo(open func() (*os.File, error), text []byte) error {
	f, err := open()
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if f == os.Stdout || f == os.Stderr {
		return err
	}
	return errors.Join(err, f.Close())
}

func (o *Output) replace(text []byte, opts Options) error {
	parent := filepath.Dir(o.Path)
	defer claim(parent, opts.Warn)()
	g := watch(func(sig os.Signal) { o.interrupted(sig, opts.Warn) })
	defer g.stop()
	lost, err := o.fill(text, g)
	if err == nil {
		err = g.do(func() error {
			err := o.put(text)
			o.isPut = err == nil
			return err
		})
	}
	if err != nil {
		o.discard()
		return err
	}
	for _, text := range lost {
		opts.Warn(fmt.Sprintf("%s was replaced by a new file; %s", o.name, text))
	}
	return syncDir(parent)
}

// interrupted removes the unfinished file when a signal comes, and reports that.
func (o *Output) interrupted(sig os.Signal, warn func(string)) {
	o.discard()
	warn(stopped(sig, o.name, o.isPut))
}

// fill writes the result beside the file.
func (o *Output) fill(text []byte, g *signalGuard) (lost []string, err error) {
	var old, f *os.File
	if o.before != nil {
		// An unreadable file may be replaced; its attributes are then unknown.
		if old, err = os.OpenFile(o.Path, os.O_RDONLY|openNonblocking, 0); err == nil {
			defer old.Close()
		}
	}
	err = g.do(func() (err error) {
		parent, name := filepath.Dir(o.Path), ""
		f, name, err = newPart(func(name string, flag int, mode os.FileMode) (*os.File, error) {
			return os.OpenFile(filepath.Join(parent, name), flag, mode)
		}, o.before != nil)
		if err == nil {
			o.temp = filepath.Join(parent, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if o.before != nil && old == nil {
		known, mode, err := keepKnown(f, o.before)
		if err == nil {
			err = f.Chmod(mode)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		lost = known
	}
	also, err := fill(f, text, old)
	return append(lost, also...), err
}

// put gives the result its name, if nobody has saved something there.
func (o *Output) put(text []byte) error {
	now, err := os.Lstat(o.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.before == nil:
		// Unlike a rename, a link replaces nothing.
		if err := os.Link(o.temp, o.Path); err == nil || errors.Is(err, fs.ErrExist) {
			if err != nil {
				return o.put(text)
			}
			o.discard()
			return nil
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && (o.before == nil || !isSame(o.before, now)):
		if found, err := os.ReadFile(o.Path); err == nil && now.Mode().IsRegular() && bytes.Equal(found, text) {
			o.discard()
			return nil // another run has written the same
		}
		return &ChangedError{Name: "it"}
	}
	if err := patiently(func() error { return os.Rename(o.temp, o.Path) }); err != nil {
		return err
	}
	o.temp = ""
	return nil
}

// isSame reports whether a file is the same one as before, and nobody wrote to it.
func isSame(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func (o *Output) discard() {
	if o.temp != "" {
		_ = patiently(func() error { return os.Remove(o.temp) }) // otherwise the next run reports it
		o.temp = ""
	}
}

func notWritten(name string, err error) error {
	return fmt.Errorf("can't write %s: %w", strings.ToValidUTF8(name, "\uFFFD"), input.StripPath(err))
}
