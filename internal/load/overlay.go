package load

import (
	"bytes"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Modules with other override files than the directory's.

// An Overlay is a file that is merged as though it were one more override file
// of the directory.
type Overlay struct {
	Name string // for people, and for the syntax: JSON if it ends in .json
	Path string // as it is opened
	Raw  []byte // the content, if there is no file to open; otherwise nil
}

// Stdin is the name of an overlay that came from standard input.
const Stdin = "<stdin>"

// file is the override file of an overlay. Text without a name is JSON if it starts as
// JSON does.
func (o Overlay) file() *source.File {
	f := &source.File{Name: o.Name, Path: o.Path, Role: source.Override, Overlay: true, Raw: o.Raw}
	if strings.HasSuffix(o.Name, ".json") || o.Name == Stdin && startsLikeJSON(o.Raw) {
		f.Syntax = source.JSON
	}
	f.Tofu = strings.HasSuffix(strings.TrimSuffix(o.Name, ".json"), ".tofu")
	return f
}

func startsLikeJSON(src []byte) bool {
	src = bytes.TrimLeft(src, " \t\r\n")
	return len(src) > 0 && (src[0] == '{' || src[0] == '[')
}
