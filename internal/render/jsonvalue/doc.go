// Package jsonvalue holds JSON values on their way to be written, which keep the order of their
// members and the spelling of numbers, and writes native expressions as JSON.
//
// It takes raw JSON, names and expressions with the way in which the engine reads strings at their
// position, and writes JSON, dense or indented. The package does not know the structure of
// documents.
package jsonvalue
