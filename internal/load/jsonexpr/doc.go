// Package jsonexpr writes JSON values as native expressions, laid out as "tofu fmt" does.
//
// Given a value with the reading of its strings, it returns native text that means the same to the
// engine, and on request the range of each part in both texts. A value that the engine refuses is
// reported; one that native syntax can't express is recorded as inexpressible. Package language
// decides how an argument's strings are read.
package jsonexpr
