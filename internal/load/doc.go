// Package load turns the configuration files of one module directory into
// trees of items, which are arguments and blocks as their authors wrote them.
//
// It decides which files an engine would read, in which order and in which
// role, reads them, parses them, and judges each block by the shape that the
// language gives it: which arguments and nested blocks it may hold, how many,
// and what kind of value each takes. Every piece of an item is a range of its
// file's bytes. Nothing is copied or laid out; the only values computed are the
// constants that an engine computes while it loads (a variable's type and
// default, flags, version constraints).
//
// Releases differ in the language, and each file is judged as the engine that it
// is loaded for does. What differs stands in tables, shapes.go and its neighbours,
// which name sets of releases; a release that nobody has run follows a known one.
//
// A JSON file is turned into the native text that says the same, and its items
// are those of that text, so that whoever looks at a module has one language to
// deal with. Each item remembers the JSON text that it is from, which is where
// diagnostics point and what JSON output repeats. Whether a property is an
// argument or a nested block is decided here, once, and guesses are told.
//
// The package refuses what cannot be read safely before it is parsed: files
// that are not regular, that are larger than a limit, or that nest deeper than
// MaxDepth. It does not combine files: what an override file does to a primary
// file is the business of package merge.
//
// Trouble in a user's file is reported as hcl.Diagnostics, all of it, in file
// order. Trouble with the world (a directory that is missing, say) is an error.
package load
