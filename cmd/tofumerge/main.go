// Command tofumerge prints the effective configuration of an OpenTofu or
// Terraform module: its primary files with the override files merged in.
package main

import (
	"os"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
)

func main() { os.Exit(cli.Main()) }
