// Package render writes an effective configuration out, for programs as
// configuration and for people as diagnostics.
//
// What it writes of a configuration is text of the source files: a block that
// no override touched is copied byte for byte, and in a touched one only the
// items that lost are exchanged. Text that stands in no file comes from one
// place, generated.go.
//
// The package decides nothing about what is in effect: it asks the histories
// that package merge made. It writes to what it is given and nowhere else.
package render
