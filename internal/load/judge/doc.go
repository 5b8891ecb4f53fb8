// Package judge has the verdicts on single arguments and single blocks: what a loader refuses in
// them whatever else the module holds.
//
// A judge takes an argument, a block, or some arguments of one block, and returns diagnostics.
// Which judge an argument or a block gets is a row in the tables of package language. Nothing
// that depends on another object is evaluated.
package judge
