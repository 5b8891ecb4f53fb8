// Package constant evaluates arguments that refer to nothing, as engines do while they load.
//
// In goes an argument or an expression. Out come the value, the value converted to a type, the
// position of a switch such as sensitive = true, and references that old releases took in quotes.
// It refuses null where a type is wanted, and values that take too much work; package limits
// draws that line. It knows no argument by name.
package constant
