// Package version knows which build of the program runs: its version, the commit, and the Go
// release and platform that it was built for. The linker sets the version of a release.
package version
