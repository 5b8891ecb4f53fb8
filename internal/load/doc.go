// Package load turns the configuration files of one module directory into trees of items, which are
// arguments and blocks as their authors wrote them.
//
// Given a directory, or the contents of files, and the release of the engine to load it as, it
// returns the files in load order with their roles, the items of each, and diagnostics; in a
// directory with main.tf, net.tf and net_override.tf:
//
//	main.tf          primary
//	net.tf           primary
//	net_override.tf  override
//
// Each block is judged by the shape that the language gives it: which arguments and nested blocks
// it may hold, how many, and what kind of value each takes. Every piece of an item is a range of
// its file's bytes. Nothing is copied or laid out; the only values computed are the constants that
// an engine computes while it loads (a variable's type and default, flags, version constraints).
//
// A JSON file is translated to native text, whose items it gets, so that other packages deal with
// one syntax. Each item keeps the range of its JSON text, to which diagnostics point and which JSON
// output repeats. Whether a property is an argument or a nested block is decided here, once, and
// guesses are reported.
//
// The package refuses files that cannot be read safely before it parses them: files that are not
// regular, that are larger than a limit, or that nest deeper than limits.MaxDepth. It does not
// combine files: package merge applies override files to primary files.
//
// Trouble in a user's file is reported as hcl.Diagnostics, all of it, in file order. Trouble with
// the world (for example, a missing directory) is an error.
package load
