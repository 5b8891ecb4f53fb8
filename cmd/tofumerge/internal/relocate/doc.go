// Package relocate writes what a tool prints about a flattened copy of modules so that it names the
// originals: the lines that people can mend, in override files where those made them.
//
// In go what the tool prints and the maps of the flattened files; out comes the same with other names and
// numbers, and all else byte for byte. Text is passed on as it comes, line by line; a document in SARIF, in
// the JSON of known tools, in Checkstyle or JUnit as a whole. Table shapes holds the objects of JSON that
// are locations. What has no origin is counted. The package reads no files and knows no modules.
package relocate
