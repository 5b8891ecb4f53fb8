// Package layers finds where the values of variables come from when a module is the root
// module of a run: the layers that give them, in the order in which engines apply them, which
// one is in effect, and what the declared type makes of it.
//
//	variable "stage" {             # main.tf
//	  default = "dev"
//	}
//	stage = "qa"                   # terraform.tfvars: outranked
//	stage = "prod"                 # z.auto.tfvars: in effect
//
// In go a merged module and what assignments are made besides it; out comes, for each
// variable, what gives it a value and the result, and findings about values that do nothing
// or can't be used. The order and what engines say of undeclared variables are in Rules.
//
// Nothing is evaluated but constants: a value of a test file that refers to something stays
// undecided. What is set in the workspace of a remote backend can't be seen (Set.Remote), and
// validation blocks are not judged.
package layers
