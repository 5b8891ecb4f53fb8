// Package native writes a merged module in native syntax.
//
// All text is text of the source files, except for the texts of generated.go and for computed
// values (package computed). A block of a JSON file is written in the native text to which package
// load translated it. The rules of the output:
//
//   - An untouched block keeps every byte.
//   - In a touched block only the superseded items are replaced. If it was formatted as
//     by layout.Format, it is formatted again.
//   - Inserted text takes the indentation of its surroundings and the line ends of its file,
//     except for heredocs, whose bytes are values.
//   - Blocks printed apart from their files are one blank line apart.
package native
