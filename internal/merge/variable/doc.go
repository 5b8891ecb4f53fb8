// Package variable follows the type and the default of an input variable through the
// override blocks that are applied to it, as engines do: after each block the default is
// converted to the type in effect, and judged.
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
// Into it go the primary block (New) and each override block (Apply); out come errors
// where the engine refuses what the block makes, and at last the texts that say what the
// engine made of both (Finish). The package changes no module.
package variable
