package source

import (
	"sync"
	"sync/atomic"
	"weak"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// An Item is an *Attr or a *Block as one file wrote it.
type Item interface {
	// Source is the file of the item.
	Source() *File
	// Extent is the item's own text, without comments around it.
	Extent() hcl.Range
	// Header is the short text that names the item: an argument's name, a
	// block's type and labels.
	Header() hcl.Range
	// Within is the block that holds the item, nil at the top level.
	Within() *Block
	// Called is the item's name: an argument's name, a block's type, for a
	// dynamic block the type that it makes.
	Called() string
}

// An Attr is one argument.
type Attr struct {
	File  *File
	Name  string
	in    *body // that holds it, nil for one of a file's top level
	name  outline.Span
	value outline.Span
	rare  *rare // nil for the zero value
}

// rare is what few arguments have. It is apart, since there may be very many of the others.
type rare struct {
	expr  hcl.Expression // nil if it can be had again
	from  *Origin        // nil in a native file
	whole *Attr          // for a part, the argument that it is a part of
}

// A Block is one block.
type Block struct {
	File    *File
	Type    string
	Labels  []string
	From    *Origin         // the JSON text that the block is from; nil in a native file
	in      *body           // that holds it, nil at the top level
	body    *body           // nil for a top-level block whose body is built on demand
	labelAt *[]outline.Span // nil if the stub has them
	start   outline.Place
	typeEnd [2]uint32     // column and byte
	def     outline.Place // where type and labels end
	end     outline.Place
}

// A body holds the items of a block. Each item refers to its body, so all of a block's items stay
// in memory, with the same identity, as long as one of them is in use.
type body struct {
	of    *Block
	items []Item // in source order

	opening   outline.Place            // where the brace starts
	trivia    atomic.Pointer[[]Trivia] // of the items; nil until needed
	leftovers []Leftover
}

// A Leftover is a property of a JSON body that makes no item of the native text: a comment, or one
// of a nested block's type whose value, null or [], is no block. Such a property is idle in an
// override, and void if the language does not know it.
type Leftover struct {
	Name       string
	Key, Value [2]uint32 // in File.Raw
	IsComment  bool
	IsIdle     bool
	IsVoid     bool
	IsGuess    bool // it may as well be an argument
}

// DynamicBlock is the type of blocks that make others, of the type that is their label.
//
//	dynamic "ingress" {
//	  for_each = var.ports
//	  content {
//	    from_port = ingress.value
//	  }
//	}
const DynamicBlock = "dynamic"

// EscapeBlock is the block whose items are treated as items of the block around it, even if they
// have the names of meta-arguments.
const EscapeBlock = "_"

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

	// Remarks are the ranges in Raw of the values of comment properties at the root of a JSON file.
	Remarks [][2]uint32
	// Translator made the native text of a JSON file; nil for a native one.
	Translator translator

	stubs  []stub                  // every top-level block, in source order
	blocks []atomic.Pointer[Block] // the same, those that were pinned or requested
	names  []nameStub

	origins        []Origin        // the origins of a JSON file's blocks
	inexpressibles []inexpressible // parts that native syntax can't express

	waypoints waypoints
	growing   sync.Mutex // guards grown
	// grown holds the bodies that were built on demand, by the start of their blocks, as long as
	// any part of them is in use.
	grown map[uint32]weak.Pointer[body]
}

// A stub locates a top-level block and the parts of its header in the file. The parts are relative
// to the block's start, in bytes.
type stub struct {
	start  outline.Place
	end    outline.Place
	key    uint64       // see File.Key
	typ    uint32       // where the type ends
	def    uint32       // where type and labels end
	labels [2][2]uint16 // from where to where the labels are, quotes included
	count  uint8        // labels
	isPart bool         // it does not hold the whole header
}

// A nameStub is a name declared by a block that exists only as a stub.
type nameStub struct {
	at    [2]uint32 // bytes
	block uint32
}

// A translator made the native text of a file, can describe the translation, and can repeat it.
type translator interface {
	// Grow builds a top-level block once more, with all that it holds.
	Grow(b *Block) *Block
	// ValuePart is the stretch of File.Raw that a stretch of an argument's native
	// value, in bytes from the start of the value, was made from.
	ValuePart(a *Attr, from, to int) [2]uint32
	// KeyAt is the stretch of the key that starts at an offset of File.Raw.
	KeyAt(at uint32) [2]uint32
}

// An Origin is the JSON text that an item is from. All are byte offsets in
// File.Raw.
type Origin struct {
	Key      [2]uint32 // the name: of an argument, of a block's type
	Labels   [2]uint32 // where the keys of the first two labels start
	Value    [2]uint32 // an argument's value, a block's body
	Property [2]uint32 // the value of the key that is a nested block's type
	Element  bool      // a block that is one of an array, so that no key is its own
	Guessed  bool      // whether it is an argument or a block is a guess
	Void     bool      // null or [], which may also mean no block at all
	// unwritten: the argument does not appear in the native text.
	unwritten bool
	Bad       bool // something is wrong with an argument's value, and was reported
	// reading is how the translator reads an argument's strings.
	Reading int
}

// An inexpressible is about a part of a JSON file that native syntax can't express.
type inexpressible struct {
	at   uint32
	diag *hcl.Diagnostic
}

// waypoints are positions in File.Raw, one every few hundred bytes, computed on demand: many
// positions may be needed, and a line may be as long as the file.
type waypoints struct {
	mutex sync.Mutex
	known []hcl.Pos
}

// Trivia is what surrounds an item of a native file. All are byte offsets.
type Trivia struct {
	// Lead is the start of the unbroken run of whole-line comments directly above the item; it
	// equals Start if there is no such comment.
	Lead int
	// Start is where the item starts, with the comments before it on its line.
	Start int
	// End is where the item ends, with its trailing comments.
	End int
}
