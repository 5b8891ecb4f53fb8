// Package native writes a merged module in native syntax.
//
// What it writes is text of the source files: a block that no override touched is
// copied byte for byte, and in a touched one only the items that lost are exchanged.
// Text that stands in no file is made in generated.go alone, and in package computed
// where a value was computed. A block of a JSON file is put together from the native
// words that package load has for it.
package native
