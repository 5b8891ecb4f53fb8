// Package sidefiles finds the files that an engine loads for the directory of a module besides its
// configuration: test files, variables files, the lock file and others. None of them takes part in
// the merge.
//
// Given a directory and a release, it returns the names of the files, each with its role and its
// treatment by the release. It reads nothing but the names in the directory and in the directory of
// tests. From the text of a version manager's file or of a lock file it reads which engine runs the
// module; the caller decides which of these files counts.
package sidefiles
