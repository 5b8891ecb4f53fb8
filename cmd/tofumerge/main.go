// Command tofumerge prints the effective configuration of an OpenTofu or
// Terraform module: its primary files with the override files merged in.
//
// It doesn't watch whether it may use more or fewer processors: most runs are short, and the language server works with
// those that it found.
//
//go:debug updatemaxprocs=0
package main

import (
	"os"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	_ "github.com/tofumerge/tofumerge/cmd/tofumerge/internal/stack" // is initialized before everything else
)

func main() { os.Exit(cli.Main()) }
