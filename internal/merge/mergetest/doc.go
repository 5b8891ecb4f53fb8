// Package mergetest checks properties of merging on modules that are made from seeds.
//
// ForModules makes them, with an engine that reads them; InMemory has them loaded without a
// directory. Meaning is the meaning of a printed configuration, and Patch applies the output of
// "tofumerge diff". Only tests import the package.
package mergetest
