// Package assignments reads the values that variables are given from outside of the configuration:
// by variables files, by options and by the environment.
//
//	stage = "qa"                 # terraform.tfvars
//	{"stage": "qa"}              # x.auto.tfvars.json
//	TF_VAR_stage=qa              # the environment
//	--var stage=qa               # an option
//
// Given a text with its name, it returns the values, each with the ranges of its name and of the
// value, in source order. A value is evaluated on demand, because engines evaluate only the
// effective one of each variable. Only constants are legal: references and functions are refused,
// as are blocks, names that are given twice, and values out of proportion. Test files are read as
// far as their variables. Package layers decides which value is effective.
package assignments
