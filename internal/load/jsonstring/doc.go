// Package jsonstring defines how a string in JSON is read as a value: as a template, as text, or as
// native syntax.
//
// The table of kinds in package language gives each argument its reading.
package jsonstring
