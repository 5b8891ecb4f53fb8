// Package early holds the table of values that releases refuse in arguments that they compute
// before all others, such as the source of a module: secrets, and variables whose values are not
// known yet.
//
// The rows are data. Package merge follows the values and applies the rows.
package early
