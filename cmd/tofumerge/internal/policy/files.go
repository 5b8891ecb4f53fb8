package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// Files are the settings of a run: the user's, and the settings files that it finds, each of which
// is read once. Several goroutines may use it once its fields are set.
type Files struct {
	// User holds the settings from flags and the file of --config; nil if no policy is requested.
	User *Settings
	// Override, if set, holds the settings of --config, which are read instead of all files.
	Override *Settings
	// Source is where the files are; the disk if it is nil.
	Source Source
	// Warn, if set, gets a warning about each file with a forbidden setting.
	Warn func(text string)

	known    sync.Map // func() (*Settings, error) by directory: what its file gave
	patterns patternCache
}

// Give reads the file of --config.
func (f *Files) Give(path string) error {
	disk, _ := f.Source.(Disk)
	file, err := disk.read(path)
	f.Override, err = settingsIn(file, err)
	return err
}

// settingsIn are the settings in a file that was read.
func settingsIn(file File, err error) (*Settings, error) {
	if err != nil {
		return nil, &Error{file: file, unread: input.StripPath(err)}
	}
	s, broken := parse(file)
	if broken != nil {
		return nil, broken
	}
	return s, nil
}

// In returns the settings in the file of a directory itself, nil without a file. Each is read once.
func (f *Files) In(dir string) (*Settings, error) {
	once, _ := f.known.LoadOrStore(dir, sync.OnceValues(func() (*Settings, error) { return f.read(dir) }))
	return once.(func() (*Settings, error))()
}

// read reads the settings file of a directory, and warns of it.
func (f *Files) read(dir string) (*Settings, error) {
	file, err := f.source().Read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	s, err := settingsIn(file, err)
	switch {
	case err != nil:
		return nil, err
	case s.NeverFails() && !s.isForeign:
		return nil, &Error{file: file, at: s.places["fail_on"], why: fmt.Sprintf("fail_on can't be never in %s, because the change under "+
			"review may have edited it; use --fail-on, --config or --config-from", diag.Escape(FileName))}
	case f.Warn == nil:
		return s, nil
	}
	for _, text := range s.Doubts() {
		f.Warn(s.called + ": " + text)
	}
	if list := s.errorsDisabled(); len(list) > 0 && !s.isForeign {
		f.Warn(fmt.Sprintf(
			"%s can't disable %s because the change under review may have edited it; use --disable, --config or --config-from",
			s.called, strings.Join(list, ", ")))
	}
	return s, nil
}

// source is where the files are: on the disk if nothing else is set.
func (f *Files) source() Source {
	if f.Source == nil {
		return Disk{}
	}
	return f.Source
}

// above are the files that apply to a module, the outermost first, and the errors in invalid ones.
func (f *Files) above(dir string) (list []*Settings, broken []error) {
	if f.Override != nil {
		return nil, nil
	}
	dirs, err := f.source().Above(dir)
	if err != nil {
		return nil, []error{err}
	}
	for _, at := range slices.Backward(dirs) {
		switch s, err := f.In(at); {
		case err != nil:
			broken = append(broken, err)
		case s != nil:
			list = append(list, s)
		}
	}
	return list, broken
}

// ToolComments are the words of comments that tools act on, as all files above a directory set them.
func (f *Files) ToolComments(dir string) []string {
	files, _ := f.above(dir) // who judges a module hears of broken files
	var words []string
	for _, s := range files {
		words = append(words, s.ToolComments...)
	}
	return words
}

// For returns the policy of a module directory, or the errors in the settings files that apply to
// it.
func (f *Files) For(dir string) (*Policy, []error) {
	files, broken := f.above(dir)
	if len(broken) > 0 {
		return nil, broken
	}
	return combine(f.User, files, &f.patterns), nil
}
