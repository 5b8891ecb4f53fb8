// Package jsontree is JSON: it reads a text as a tree of values, makes and writes values, and translates
// between values and native expressions.
//
// A Value is a stretch of the text that was read. Nothing is decoded before it is needed, so that no digit, no
// duplicate and no order gets lost. Text that is not JSON, or that nests too deep to be read safely, is
// refused with the range of the first error and a hint.
//
// A Node is a value on its way out, which keeps the order of its members and the spelling of numbers as well.
//
// How an engine reads a string at a position, as a template, as text or as native syntax, is a Reading, which the
// table of kinds in package language gives each argument. By it, a NativeWriter writes a value as a native
// expression, laid out as "tofu fmt" does, and Source.Value writes a native expression as a value. Package
// jsonsyntax knows which values are blocks.
package jsontree
