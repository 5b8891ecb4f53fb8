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
	// Overlay marks a file that isn't in the module's directory.
	Overlay bool
	// Raw is the file's content. Native is its native text, to which all ranges of items refer: the
	// content itself, or the translation of a JSON file. File.Place converts ranges of Native to
	// ranges of Raw.
	Raw, Native []byte
	LineEnd     string // of most lines; LF if no line has one
	// Outside marks a link that points outside the directories whose files messages may quote.
	Outside bool
	// Broken marks a file that could not be read or parsed, so that some or all of its declarations
	// are unknown.
	Broken bool
	// Parsed makes the parser read all native text of the file, see load.Options.
	Parsed bool

	stubs  []stub                  // every top-level block, in source order
	blocks []atomic.Pointer[Block] // the same, those that were pinned or requested
	names  []nameStub

	origins        []Origin        // the origins of a JSON file's blocks
	remarks        [][2]uint32     // values of comment properties at the root
	inexpressibles []inexpressible // parts that native syntax can't express
	translator     translator      // nil for a native file

	waypoints waypoints
	growing   sync.Mutex // guards grown
	// grown holds the bodies that were built on demand, by the start of their blocks, as long as
	// any part of them is in use.
	grown map[uint32]weak.Pointer[body]
}

// Text is the stretch of the file that r covers. It shares the file's memory.
func (f *File) Text(r hcl.Range) []byte {
	return f.Native[r.Start.Byte:r.End.Byte:r.End.Byte]
}

// Remarks are the values of the comment properties at the root of a JSON file.
func (f *File) Remarks() [][]byte { return f.given(f.remarks) }

// RemarksAt returns the ranges of Remarks in Raw.
func (f *File) RemarksAt() [][2]uint32 { return f.remarks }

// given are stretches of Given.
func (f *File) given(places [][2]uint32) [][]byte {
	var texts [][]byte
	for _, at := range places {
		texts = append(texts, f.Raw[at[0]:at[1]])
	}
	return texts
}

// AddRemark records the range of a comment property's value at the root. A range that was recorded
// before is skipped.
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
