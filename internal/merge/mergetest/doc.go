// Package mergetest checks properties of merging on modules that are made from seeds.
//
// ForModules makes them, with an engine that reads them; InMemory has them loaded without
// a directory. Meaning says what a printed configuration amounts to, and Patch applies
// what "tofumerge diff" prints. Only tests import the package.
package mergetest
