// Package language knows what each release of each engine allows in a configuration file, and
// judges items by it.
//
// Of returns the shape of the language in a release. A Checker collects diagnostics about the items
// of a file in source order: blocks and arguments that the release does not know, missing and
// repeated ones, and values of another kind than the argument takes.
//
// The knowledge is data: shapes.go and its neighbours hold the shapes of bodies with their
// arguments and nested blocks, the kind of value that each argument takes, and the releases that
// know it:
//
//	"enabled": {Engines: engine.Releases{OpenTofu: ">= 1.11"}}
//
// kinds.go holds the kinds: the function that judges a value, and how a string of JSON is read.
// To add an argument, add it to the body's shape.
//
// Credentials of providers, backends, key providers and connections are known by the names of
// their arguments (CredentialNames), since no flag in the configuration marks them.
//
// The package judges one file at a time. It combines nothing, and computes only the constants that
// an engine computes while it loads.
package language
