// Package jsonexpr writes JSON values as native expressions, laid out as "tofu fmt" does.
//
// In goes a value with the reading of its strings. Out comes native text that means the same to the
// engine, and on request the range of each part in both texts. A value that the engine refuses is
// reported; one that native syntax can't express is recorded as inexpressible. What an argument's
// strings are read as is for package language to decide.
package jsonexpr
