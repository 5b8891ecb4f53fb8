// Package outline finds the arguments and blocks of native text, and their positions, without
// building a syntax tree.
//
// A Scanner reads the text of a file and returns the items of one top-level block after another:
//
//	resource "aws_instance" "web" {   Name resource, Labels "aws_instance" "web"
//	  ami = "ami-0abc"                Name ami, Value "ami-0abc"
//	}                                 Value of the block: { through }
//
// It knows the whole grammar of the syntax, but only its usual spelling. It accepts a text only if
// the HCL parser also accepts it, and then finds the same positions. Otherwise it is not sure, and
// only the parser can decide.
//
// It is not sure about names outside of ASCII, numbers such as 1e400, characters other than accents
// that combine with their neighbours (unless nothing after them on the line needs a column),
// nesting deeper than maxDepth, and more. It doesn't import the parser and makes no diagnostics.
package outline
