// Package constant evaluates arguments that refer to nothing, as engines do while they load.
//
// Given an argument or an expression, it returns the value, the value converted to a type, the
// state of a switch such as sensitive = true, and references that old releases accepted in quotes.
// It refuses null for a type, and values that take too much work; package limits defines how much
// that is.
//
// Given a variable block, it returns the type constraint, the defaults of optional attributes, the
// default converted to the type, and the engines' diagnostics about both. Package merge combines
// several blocks of one variable. No other block or argument is known by name.
package constant
