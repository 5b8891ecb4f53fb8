// Package layers finds where the values of variables come from when a module is the root module of
// a run: the layers that set them, in the order in which engines apply them, which one is in
// effect, and its value by the declared type.
//
//	variable "stage" {             # main.tf
//	  default = "dev"
//	}
//	stage = "qa"                   # terraform.tfvars: outranked
//	stage = "prod"                 # z.auto.tfvars: in effect
//
// From a merged module and the assignments made besides it, it derives for each variable the layers
// and the result, and findings about values that have no effect or can't be used. The order and the
// engines' messages about undeclared variables are in Rules.
//
// Nothing is evaluated but constants: a value of a test file that refers to something stays
// undecided. Variables set in the workspace of a remote backend are unknown (Set.Remote), and
// validation blocks are not judged.
package layers
