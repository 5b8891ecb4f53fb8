// Package jsonout writes a merged module in JSON syntax: as one document (New), or block by block
// (Writer).
//
//	resource "null_resource" "a" {    →    {"resource": {"null_resource": {"a":
//	  triggers = { x = var.x }                 {"triggers": {"x": "${var.x}"}}
//	}                                      }}}
//
// Values from JSON files keep their spelling. Native expressions become templates where the engine
// reads strings as templates. Anything that JSON can't express is written as closely as possible,
// and a warning describes the loss.
package jsonout
