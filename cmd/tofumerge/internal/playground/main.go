//go:build !js

package main

import (
	"fmt"
	"os"
)

// main serves requests on standard input, on any system but a browser's.
func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}
