// Package outline finds the items of native text, arguments and blocks with their
// places, without building a tree.
//
// In goes the text of a file, out come the items of one top-level block after the other:
//
//	resource "aws_instance" "web" {   Name resource, Labels "aws_instance" "web"
//	  ami = "ami-0abc"                Name ami, Value "ami-0abc"
//	}                                 Value of the block: { through }
//
// It knows the whole grammar of the syntax, but only the usual spelling of it. It accepts
// a text only if the parser of HCL accepts it, too, and then gives the very places that
// the parser gives. Where it is not sure it refuses: that says nothing about the text,
// which is for the parser to judge.
//
// The package refuses, among others, names outside of ASCII, numbers such as 1e400,
// characters that combine with others but accents, left of an item's end on the same line, and nesting
// deeper than maxDepth. It knows nothing of the parser's packages, and makes no message.
package outline
