package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// Files are the settings of a run: the user's, and the settings files that it finds, each of which
// is read once. Several goroutines may use it once its fields are set.
type Files struct {
	// User holds the settings from flags and the file of --config; nil if no policy is requested.
	User *Settings
	// Override, if set, holds the settings of --config, which are read instead of all files.
	Override *Settings
	// OverrideName is what messages call that file.
	OverrideName string
	// Source is where the files are; the disk if it is nil.
	Source Source
	// Warn, if set, gets a warning about each file with a forbidden setting.
	Warn func(text string)

	known    sync.Map // what reading each file gave, by its directory
	patterns patternCache
}

// A fileReading is a settings file that was read, or the error in it.
type fileReading struct {
	settings *Settings
	file     File
	err      *Error
}

// Give reads the file of --config.
func (f *Files) Give(path string) error {
	file, err := File{Path: path}.read()
	if open, ok := f.Source.(Disk); ok && open.Open != nil {
		if text, isOpen := open.Open(path); isOpen {
			file, err = File{Path: path, Text: text}, tooLarge(text)
		}
	}
	r := read(file, err)
	if r.err != nil {
		return r.err
	}
	f.Override, f.OverrideName = r.settings, r.file.called()
	return nil
}

// read parses a file that was read.
func read(file File, err error) *fileReading {
	if err != nil {
		return &fileReading{file: file, err: &Error{file: file, unread: input.StripPath(err)}}
	}
	s, broken := parse(file)
	if broken != nil {
		if file.IsWithheld {
			broken.why = broken.kind + " " + load.NotQuoted
		}
		return &fileReading{file: file, err: broken}
	}
	s.isForeign = file.IsForeign
	return &fileReading{settings: s, file: file}
}

// reading reads the settings file of a directory, once; nil without one.
func (f *Files) reading(dir string) *fileReading {
	if known, ok := f.known.Load(dir); ok {
		return known.(*fileReading)
	}
	var r *fileReading
	if file, err := f.source().Read(dir); !errors.Is(err, fs.ErrNotExist) {
		r = read(file, err)
		if r.err == nil {
			r.err = file.checkFile(r.settings)
		}
	}
	known, isKnown := f.known.LoadOrStore(dir, r)
	if !isKnown && r != nil && r.err == nil && f.Warn != nil {
		f.warn(r)
	}
	return known.(*fileReading)
}

// source is where the files are: on the disk if nothing else is set.
func (f *Files) source() Source {
	if f.Source == nil {
		return Disk{}
	}
	return f.Source
}

// warn warns of errors among the rules that a settings file disables, and of patterns that may
// mean another word.
func (f *Files) warn(r *fileReading) {
	for _, text := range r.settings.Doubts() {
		f.Warn(r.file.called() + ": " + text)
	}
	if list := r.settings.errorsDisabled(); len(list) > 0 && !r.file.IsForeign {
		f.Warn(fmt.Sprintf(
			"%s can't disable %s because the change under review may have edited it; use --disable, --config or --config-from",
			r.file.called(), strings.Join(list, ", ")))
	}
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
		switch r := f.reading(at); {
		case r == nil:
		case r.err != nil:
			broken = append(broken, r.err)
		default:
			list = append(list, r.settings)
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
	p := combine(f.User, files)
	p.known = &f.patterns
	return p, nil
}

// In returns the settings in the file of a directory itself, nil without a file, and the name of
// that file in messages.
func (f *Files) In(dir string) (s *Settings, name string, err error) {
	switch r := f.reading(dir); {
	case r == nil:
		return nil, "", nil
	case r.err != nil:
		return nil, "", r.err
	default:
		return r.settings, r.file.called(), nil
	}
}
