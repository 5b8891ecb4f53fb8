//go:build !unix

package process

func noCoreFile() {}

// supervised is for systems on which the first process is special.
func supervised() int { return failed }
