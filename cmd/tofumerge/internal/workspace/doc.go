// Package workspace is how commands reach modules: what flags and settings ask for, the engine
// that is followed, the files of the disk, an editor or a revision, and the calls between
// modules.
//
// In go flags and the directories of modules; out come merged modules with their diagnostics.
// What is in doubt about the engine is said here, once, on the console. The package knows no
// command and writes no file.
package workspace
