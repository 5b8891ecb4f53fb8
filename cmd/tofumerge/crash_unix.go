//go:build unix

package main

import "syscall"

// noCoreFile keeps an abort from writing the memory of the process to a file.
func noCoreFile() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
}
