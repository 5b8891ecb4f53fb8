package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
)

// checkOutputName refuses values of --output that can't be meant.
func (r *renderCommand) checkOutputName() error {
	switch {
	case r.quiet:
		return errors.New("--quiet prints no configuration, so there is nothing to write to --output; leave out one of them")
	case r.output == "":
		return errors.New("the name given to --output is empty; leave the flag out for standard output")
	case r.output == "-":
		return errors.New("--output takes the name of a file; leave the flag out for standard output")
	}
	return nil
}

// checkOutput refuses an output file that would take part in the module, or
// that is one of the files it is made from.
func (r *renderCommand) checkOutput(src *load.Module) error {
	if r.output == "" {
		return nil
	}
	out := inDir(r.base(), r.output)
	if target, err := filepath.EvalSymlinks(out); err == nil {
		out = target
	}
	dir, err := os.Stat(filepath.Dir(out))
	if err != nil {
		return fmt.Errorf("can't write %s: there is no directory %s", load.Escape(r.output), load.Escape(filepath.Dir(out)))
	}
	if module, err := os.Stat(src.Dir); err == nil && os.SameFile(dir, module) {
		for _, e := range load.Classify([]string{filepath.Base(out)}, src.Engine) {
			if e.Status == load.Read || e.Status == load.Foreign {
				return fmt.Errorf("-o %s would be loaded as a part of the module; write to another directory or under a name that does not end in .tf, .tofu or .json", load.Escape(r.output))
			}
		}
	}
	info, err := os.Stat(out)
	if err != nil {
		return nil
	}
	for _, f := range src.Files {
		if in, err := os.Stat(f.Path); err == nil && os.SameFile(in, info) {
			return fmt.Errorf("-o %s is %s of the module, which is never overwritten", load.Escape(r.output), load.Escape(f.Name))
		}
	}
	return nil
}

// replaceFile writes a file beside the one it is to replace, and renames it,
// so that at every moment the old or the new one is there, whole. What is no
// regular file, such as a device, is written to as it is.
func replaceFile(path string, text io.Reader) error {
	if target, err := filepath.EvalSymlinks(path); err == nil && !strings.HasPrefix(path, "/dev/") {
		path = target
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return notWritten(path, err)
	case err == nil && info.IsDir():
		return notWritten(path, errors.New("it is a directory"))
	case err == nil && (!info.Mode().IsRegular() || strings.HasPrefix(path, "/dev/")):
		return writeTo(path, text)
	}
	tmp, err := besideFile(path)
	if err != nil {
		return notWritten(path, err)
	}
	if err := fill(tmp, text, info); err != nil {
		os.Remove(tmp.Name())
		return notWritten(path, err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		os.Remove(tmp.Name())
		return notWritten(path, err)
	}
	return nil
}

// besideFile makes a new file in the directory of path, with the mode that the
// process gives to new files.
func besideFile(path string) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".tofumerge-%08x", rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// fill writes the new file to the disk. It takes the mode of the old one.
func fill(tmp *os.File, text io.Reader, old os.FileInfo) error {
	_, err := io.Copy(tmp, text)
	if err == nil && old != nil {
		err = tmp.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = tmp.Sync()
	}
	return errors.Join(err, tmp.Close())
}

func writeTo(path string, text io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return notWritten(path, err)
	}
	_, err = io.Copy(f, text)
	if err := errors.Join(err, f.Close()); err != nil {
		return notWritten(path, err)
	}
	return nil
}

func notWritten(path string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("can't write %s: %w", load.Escape(path), err)
}
