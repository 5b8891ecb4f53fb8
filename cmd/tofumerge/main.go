// Command tofumerge prints the effective configuration of an OpenTofu or
// Terraform module: its primary files with the override files merged in.
package main

import (
	"os"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

func main() {
	os.Exit(process.Guard(func() int {
		report.LinkTo(func() string { return currentVersion().Version })
		return run(os.Args[1:], streams{
			In: os.Stdin, Out: terminal.OpenConsole(os.Stdout), Err: terminal.OpenConsole(os.Stderr), Env: os.Getenv, seams: seams{heap: process.TuneHeap()},
		})
	}))
}
