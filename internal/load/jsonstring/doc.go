// Package jsonstring tells how a string in JSON is read as a value: as a template, as text, or as
// native syntax.
//
// Which reading an argument gets is in the table of kinds of package language.
package jsonstring
