// Package jsonvalue holds JSON values on their way to be written, which keep the order
// of their members and the spelling of numbers, and writes native expressions as such.
//
// In go raw JSON, names and expressions with the way in which strings are read at their
// place; out comes JSON, dense or indented. What belongs into a document the package
// does not know.
package jsonvalue
