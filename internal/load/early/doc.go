// Package early judges arguments that releases compute before all others, such as the source of a
// module: they refuse secrets there, variables whose values are not known yet, and whatever can't be
// computed from constants, variables and local values.
//
// The rows of the table are data. NewModule takes the rows that matter for some files; package
// merge adds the variables, local values and arguments in effect, and Judge follows the values and
// applies the rows. If it is not certain that a variable decides on a value, nothing is refused.
package early
