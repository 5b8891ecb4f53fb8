// Package source holds the contents of a file as items: arguments and blocks, each a range of the
// file's bytes, with the comments around it.
//
// Its input is the parser's tree of native text, or the parts of a native text to which another
// syntax is translated; one Builder turns both into items with their positions and texts:
//
//	# The web server.                     Lead of the block's trivia
//	resource "aws_instance" "web" {       Header: through the last label
//	  ami = "ami-0abc" # golden           Attr: Header is ami, Value is "ami-0abc"
//	}                                     Extent: resource through }
//
// A file keeps no tree of a block that is not needed: a stub locates the block, and its tree is
// built again on demand (blocks.go).
//
// Nothing is copied, formatted or evaluated, and no item is judged; a text that was not parsed
// without errors is not for this package. Reading is safe for several goroutines; building is not.
package source
