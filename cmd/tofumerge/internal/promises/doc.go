// Package promises has no code. Its tests run the program on modules that are made from seeds
// and on mutants of those in testdata, and hold what it says and writes to what it promises.
package promises
