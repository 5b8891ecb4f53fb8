package load

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
)

// A Role tells how a file takes part in a module.
type Role int

// The roles of a file that is read.
const (
	Primary Role = iota
	Override
)

// A Syntax is one of the two spellings of the language.
type Syntax int

// The syntaxes, told apart by the suffix .json.
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
	Tofu   bool // has an extension that only OpenTofu reads
	// Engine reads the file; Language is its shape as the engine has it.
	Engine   Engine
	Language *BodyShape
	// Overlay tells that the file is none of the directory's.
	Overlay bool
	// Given is the file's content. Src is its native text, which all ranges of
	// items are about: the content itself, or what a JSON file says in native
	// syntax. File.Place leads from the one to the other.
	Given, Src []byte
	LineEnd    string // that of most lines, LF where there are none
	// Outside tells that a link leads to the file from where its text may be quoted to
	// where it may not.
	Outside bool
	// Broken tells that the file could not be read or parsed, so that what it
	// declares is not known, or not all of it.
	Broken bool

	stubs  []stub   // every top-level block, in source order
	blocks []*Block // the same, those that were kept or asked for
	names  []nameStub

	jsonSource
}

// A jsonSource is what is known of a JSON file besides its native text.
type jsonSource struct {
	root      jsonValue         // while it is read
	parsed    bool              // it is well-formed
	heads     []*Block          // of an override file, types and labels of its blocks, while it is read
	origins   []origin          // of the blocks
	quote     bool              // its text has no heredocs
	known     *known            // what tells its arguments from nested blocks
	remarks   [][2]uint32       // values of comment properties at the root
	recent    map[guessKey]bool // guesses about the block at hand
	guesses   []guess           // which of them nothing tells apart
	doubts    []doubt           // what native syntax can't say
	waypoints []hcl.Pos         // places in Given, one every few hundred bytes
	placed    placed            // what was looked at last to find a place
}

// Text is the stretch of the file that r covers. It shares the file's memory.
func (f *File) Text(r hcl.Range) []byte {
	return f.Src[r.Start.Byte:r.End.Byte:r.End.Byte]
}

// Remarks are the values of the comment properties at the root of a JSON file.
func (f *File) Remarks() [][]byte {
	var texts [][]byte
	for _, at := range f.remarks {
		texts = append(texts, f.Given[at[0]:at[1]])
	}
	return texts
}

// HasBOM tells whether the file starts with a UTF-8 byte order mark.
func (f *File) HasBOM() bool {
	return bytes.HasPrefix(f.Given, utf8BOM)
}

// lineEndOf is the line end that most lines of a text have, LF where it has none.
func lineEndOf(src []byte) string {
	crlf := bytes.Count(src, []byte("\r\n"))
	if crlf*2 > bytes.Count(src, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}

var utf8BOM = []byte("\xef\xbb\xbf")

// A Module is what a directory's files hold, file by file, not combined.
type Module struct {
	Dir    string
	Engine Engine
	Files  []*File // those that were read: primary files, then override files, each in load order
	Names  []Entry // every name of the directory that looks like configuration, in byte order

	// Prefix goes before file names where diagnostics of several modules stand
	// together.
	Prefix string
	// ShowSource tells that lines of files which can't be parsed are to be shown,
	// whatever is on them.
	ShowSource bool

	secrets *Secrets         // once somebody asked
	byName  map[string]*File // so too
}

// File returns the file that was read under a name, or nil.
func (m *Module) File(name string) *File {
	if len(m.byName) < len(m.Files) {
		m.byName = map[string]*File{}
		for _, f := range m.Files {
			if m.byName[f.Name] == nil {
				m.byName[f.Name] = f
			}
		}
	}
	return m.byName[name]
}
