package replace

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
)

// Prefix begins the names of files on their way. No engine loads such names.
const Prefix = ".tofumerge-"

// partPrefix begins the names of files that are being written.
const partPrefix = Prefix + "part-"

// wholeName is a name for a file that holds one of two texts.
func wholeName(a, b []byte) string {
	return fmt.Sprintf("%s%08x-%s-%s", Prefix, rand.Uint32(), checksum(a), checksum(b))
}

func checksum(text []byte) string {
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x", sum[:8])
}

// partName is a new name for a file or a directory that is being written.
func partName() string { return fmt.Sprintf("%s%08x", partPrefix, rand.Uint32()) }

// newPart makes a new file. If it will replace an old one, nobody else may read it before it has
// the old mode.
func newPart(
	create func(name string, flag int, mode os.FileMode) (*os.File, error), hasOld bool,
) (f *os.File, name string, err error) {
	mode := os.FileMode(0o666)
	if hasOld {
		mode = 0o600
	}
	for {
		name = partName()
		f, err = create(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, name, err
		}
	}
}

// fill writes a text to the disk, and gives the file the old one's attributes. It returns warnings
// about lost attributes.
func fill(f *os.File, text []byte, old *os.File) (lost []string, err error) {
	_, err = f.ReadFrom(bytes.NewReader(text))
	if err == nil && old != nil {
		lost, err = keep(f, old)
	}
	if err == nil {
		err = f.Sync()
	}
	return lost, errors.Join(err, f.Close())
}

func keep(to, from *os.File) (lost []string, err error) {
	info, err := from.Stat()
	if err != nil {
		return nil, err
	}
	lost, mode, err := keepKnown(to, info)
	if err != nil {
		return nil, err
	}
	return append(lost, keepExtended(to, from)...), to.Chmod(mode)
}

// keepKnown keeps the attributes of a file that are known without opening it, apart from the mode
// that the new one will have.
func keepKnown(to *os.File, info os.FileInfo) (lost []string, mode os.FileMode, err error) {
	if n := names(info); n > 1 && info.Mode().IsRegular() {
		lost = append(lost, "other hard links to the old file keep the old text")
	}
	also, mode, err := keepOwner(to, info)
	return append(lost, also...), mode, err
}
