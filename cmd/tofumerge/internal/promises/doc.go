// Package promises tests what the program promises for every module, by running it on modules
// that are made from seeds and on mutants of those in testdata. It has no code.
package promises
