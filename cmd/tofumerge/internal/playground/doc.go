// Command playground merges modules in a browser: the page in docs/site/playground gives it the
// files of a module as text, and draws the answers, which are JSON.
//
// It reads nothing but these files. Called modules are not read, and neither are programs, networks,
// repositories and the disk: TestDependencies refuses the packages that could.
//
// In a browser (GOOS=js GOARCH=wasm) it defines the function tofumerge, which takes a request and
// returns the answer. Built for any other system it answers the requests of standard input, one on
// each line.
package main
