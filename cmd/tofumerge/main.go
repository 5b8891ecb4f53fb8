// Command tofumerge prints the effective configuration of an OpenTofu or
// Terraform module: its primary files with the override files merged in.
//
// A run ends before it could have other processors, so it doesn't watch for them.
//
//go:debug updatemaxprocs=0
package main

import (
	"os"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	_ "github.com/tofumerge/tofumerge/cmd/tofumerge/internal/stack" // is initialized before everything else
)

func main() { os.Exit(cli.Main()) }
