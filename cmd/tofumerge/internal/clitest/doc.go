// Package clitest is support for tests that run the program: an environment that is the same on
// every machine, and modules to run it on. It is not part of the program.
package clitest
