// Package computed holds the texts that no file contains: merging makes them if no file contains
// the effective value. It follows the type and the default of an input variable through the
// override blocks that are applied to it, as engines do.
//
//	variable "sizes" {                 # main.tf
//	  type    = list(number)
//	  default = [1, 2]
//	}
//
//	variable "sizes" {                 # override.tf: the default becomes ["1", "2"]
//	  type = list(string)
//	}
//
// A Variable takes the primary block and each override block (Apply), returns errors if the engine
// refuses the result, and at last the texts of the type and the default in effect (Finish).
//
// A Literal is either a value to be written out or the text of an argument with some stretches
// replaced. Compose takes two type expressions and gives the optional attributes of one the
// defaults that they have in the other, as engines do; the result states which defaults can't be
// expressed. No module is changed here.
package computed
