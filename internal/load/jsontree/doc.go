// Package jsontree reads JSON text as a tree of values, each a range of the text.
//
// Given the text of a file, it returns the values, their keys and their ranges; nothing is decoded
// before it is needed, so that no digit, no duplicate and no order gets lost. Text that is not
// JSON, or that nests too deep to be read safely, is refused with the range of the first error and
// a hint. Package jsonsyntax interprets the values.
package jsontree
