// Package render writes an effective configuration out, for programs as
// configuration in native or JSON syntax and for people as diagnostics.
//
// What it writes of a configuration is text of the source files: a block that
// no override touched is copied byte for byte, and in a touched one only the
// items that lost are exchanged. Text that stands in no file comes from one
// place, generated.go. What a file of the other syntax holds is said in the
// syntax that is asked for: JSON in native words by package load, native
// expressions in JSON by jsonexpr.go.
//
// It also compares what a module is to two engines, in engines.go: name by name,
// by what is in effect.
//
// The package decides nothing about what is in effect: it asks the histories
// that package merge made. It writes to what it is given and nowhere else.
package render
