package source

import (
	"bytes"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// A Role is how a file takes part in a module.
type Role int

// The roles of a file that is read.
const (
	Primary Role = iota
	Override
)

// A Syntax is one of the two spellings of the language.
type Syntax int

// The syntaxes. Names of JSON files end in .json.
const (
	Native Syntax = iota
	JSON
)

// A File is one configuration file that takes part in a module.
type File struct {
	Name   string // relative to the module directory; also the Filename of every range
	Path   string // as it is opened
	Role   Role
	Syntax Syntax
	Tofu   bool           // has an extension that only OpenTofu reads
	Engine engine.Release // that reads the file
	// Overlay says that the file is not in the module's directory.
	Overlay bool
	// Raw is the file's content. Src is its native text, which all ranges of
	// items are about: the content itself, or what a JSON file says in native
	// syntax. File.Place leads from the one to the other.
	Raw, Native []byte
	LineEnd     string // that of most lines, LF where no line has one
	// Outside says that the file is a link that leads out of the directories whose
	// files may be quoted in messages.
	Outside bool
	// Broken says that the file could not be read or parsed, so that what it
	// declares is not known, or not all of it.
	Broken bool
	// Parsed says that the parser reads all native text of the file, see load.Options.
	Parsed bool

	stubs  []stub                  // every top-level block, in source order
	blocks []atomic.Pointer[Block] // the same, those that were pinned or asked for
	names  []nameStub

	origins        []Origin        // what the blocks of a JSON file are from
	remarks        [][2]uint32     // values of comment properties at the root
	inexpressibles []inexpressible // what native syntax can't say
	translator     translator      // nil for a native file

	waypoints waypoints
	growing   sync.Mutex // guards grown
	// grown are the bodies that were built when they were asked for, by where their blocks start,
	// as long as anything of them is in use.
	grown map[uint32]weak.Pointer[body]
}

// Text is the stretch of the file that r covers. It shares the file's memory.
func (f *File) Text(r hcl.Range) []byte {
	return f.Native[r.Start.Byte:r.End.Byte:r.End.Byte]
}

// Remarks are the values of the comment properties at the root of a JSON file.
func (f *File) Remarks() [][]byte { return f.given(f.remarks) }

// RemarksAt are the places of Remarks in Given.
func (f *File) RemarksAt() [][2]uint32 { return f.remarks }

// given are stretches of Given.
func (f *File) given(places [][2]uint32) [][]byte {
	var texts [][]byte
	for _, at := range places {
		texts = append(texts, f.Raw[at[0]:at[1]])
	}
	return texts
}

// AddRemark takes up the place of a comment property's value at the root. One that
// was taken up before is not taken up again.
func (f *File) AddRemark(at [2]uint32) {
	if n := len(f.remarks); n == 0 || f.remarks[n-1][0] < at[0] {
		f.remarks = append(f.remarks, at)
	}
}

// HasBOM reports whether the file starts with a UTF-8 byte order mark.
func (f *File) HasBOM() bool {
	return bytes.HasPrefix(f.Raw, spelling.UTF8BOM)
}

// LineEndOf is the line end that most lines of a text have, LF where it has none.
func LineEndOf(src []byte) string {
	crlf := bytes.Count(src, []byte("\r\n"))
	if crlf*2 > bytes.Count(src, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}
