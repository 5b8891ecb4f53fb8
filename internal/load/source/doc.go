// Package source holds the contents of a file as items: arguments and blocks, each a range of the
// file's bytes, with the comments around it.
//
// Its input is a Description: the positions of one top-level block and everything in it, which come
// from the outline, from the parser, or from the translation of a JSON file to native text. A Builder
// makes the items:
//
//	# The web server.                     Lead of the block's trivia
//	resource "aws_instance" "web" {       Header: through the last label
//	  ami = "ami-0abc" # golden           Attr: Header is ami, Value is "ami-0abc"
//	}                                     Extent: resource through }
//
// A block that no override file may change keeps only a stub, which locates it. Its items are built
// again on demand.
//
// Nothing is copied, formatted or evaluated, and no item is judged. Of a text with syntax errors there
// are only the blocks that the parser found before the error. Reading is safe for several goroutines; building is not.
package source
