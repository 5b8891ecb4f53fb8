// Package variable follows the type and the default of an input variable through the override
// blocks that are applied to it, as engines do: after each block the default is converted to the
// type in effect, and judged.
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
// It takes the primary block (New) and each override block (Apply), and returns errors if the
// engine refuses the result, and at last the texts of the type and default that the engine ends up
// with (Finish). The package changes no module.
package variable
