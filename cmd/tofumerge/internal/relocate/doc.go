// Package relocate rewrites a tool's output about a flattened copy of modules so that it names the
// originals: the lines that people can correct, in override files if those made them.
//
// With the maps of the flattened files, it replaces names and numbers in the output and keeps
// everything else byte for byte. Text is passed on as it comes, line by line; a document in SARIF
// or in the JSON of known tools as a whole. Table shapes holds the objects of JSON that are
// locations. Locations without an origin are totalled. The package reads no files and knows no
// modules.
package relocate
