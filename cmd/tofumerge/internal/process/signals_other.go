//go:build !unix

package process

import "os"

func relayed() []os.Signal          { return []os.Signal{os.Interrupt} }
func isResize(os.Signal) bool       { return false }
func isBrokenPipe(os.Signal) bool   { return false }
func isFromTerminal(os.Signal) bool { return true } // a console sends to all of its processes

func signalOf(*os.ProcessState) (number int, name string) { return 0, "" }
