// Command tofumerge prints the effective configuration of an OpenTofu or
// Terraform module: its primary files with the override files merged in.
package main

import (
	"os"

	"github.com/tofumerge/tofumerge/internal/render/report"
)

func main() {
	os.Exit(guarded(func() int {
		report.LinkTo(func() string { return currentVersion().Version })
		return run(os.Args[1:], streams{
			In: os.Stdin, Out: openConsole(os.Stdout), Err: openConsole(os.Stderr), Env: os.Getenv, sized: memoryTuner(),
		})
	}))
}
