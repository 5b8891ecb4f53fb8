// Package sidefiles finds what an engine loads for the directory of a module besides its
// configuration: test files, variables files, the lock file and others. None of it takes
// part in the merge.
//
// In go a directory and a release; out come the names of the files, each with its role and
// what the release does with it. Nothing is read but the names in the directory and in the
// one of its tests.
package sidefiles
