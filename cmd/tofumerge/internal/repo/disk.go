package repo

import (
	"fmt"
	"os"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A Disk holds the files of the disk by their paths, and unsaved texts of an editor instead of some.
type Disk struct {
	// Open returns the text of a file that is open in an editor; nil without one.
	Open func(path string) (text []byte, isOpen bool)
}

func (d Disk) open(path string) (text []byte, isOpen bool) {
	if d.Open == nil {
		return nil, false
	}
	return d.Open(path)
}

// Has reports whether a path exists, even as a broken link.
func (d Disk) Has(path string) bool {
	_, isOpen := d.open(path)
	_, err := os.Lstat(path)
	return isOpen || err == nil
}

// Read reads a file that has at most limit bytes. The error doesn't name the file.
func (d Disk) Read(path string, limit int64) ([]byte, error) {
	text, isOpen := d.open(path)
	switch {
	case !isOpen:
		text, err := input.Read(path, limit)
		return text, input.StripPath(err)
	case int64(len(text)) > limit:
		return nil, fmt.Errorf("it is larger than %d bytes", limit)
	}
	return text, nil
}

// EscapesRepo is the function of this name for files of the disk. The user of an editor sees the
// texts that are open there.
func (d Disk) EscapesRepo(path string) bool {
	_, isOpen := d.open(path)
	return !isOpen && EscapesRepo(path)
}
