// Package language knows what each release of each engine allows in a configuration
// file, and judges items by it.
//
// In go a release, and the items of a file. Out come the shape of the language in that
// release, which Of returns, and diagnostics, which a Checker collects in the order of
// the file: blocks and arguments that the release does not know, missing and repeated
// ones, and values of another kind than the argument takes.
//
// The knowledge is data: shapes.go and its neighbours have the shapes of bodies with
// their arguments and nested blocks, the kind of value that each argument takes, and the
// releases in which that holds:
//
//	"enabled": {Engines: engine.Releases{OpenTofu: ">= 1.11"}}
//
// kinds.go has what each kind means: what judges a value, and how a string of JSON is
// read. To add an argument, add it to the body's shape; to add a kind, add its row.
//
// The package judges one file at a time. It combines nothing, and it computes nothing but
// the constants that an engine computes while it loads.
package language
