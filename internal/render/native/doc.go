// Package native writes a merged module in native syntax.
//
// All text is text of the source files, except for what generated.go makes and for
// computed values (package computed). A block of a JSON file is written in the native
// words that package load has for it. The rules of the output:
//
//   - An untouched block keeps every byte.
//   - In a touched block only the items that lost are replaced. If it was laid out as
//     layout.Format does it, it is laid out again.
//   - Inserted text takes the indentation of its place and the line ends of its file,
//     except for heredocs, whose bytes are values.
//   - Blocks printed apart from their files are one blank line apart.
package native
