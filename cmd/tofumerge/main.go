// Command tofumerge prints the effective configuration of an OpenTofu or
// Terraform module: its primary files with the override files merged in.
package main

import (
	"os"
	"runtime/debug"
)

// gcPercent lets the heap grow further than usual between collections. Most of
// what a run allocates is the parser's garbage, file after file, and a run is
// short; package load lowers the figure where the input is large.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	os.Exit(run(os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv}))
}
