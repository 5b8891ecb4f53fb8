// Command mutate plants one small defect at a time in the program and asks
// whether the tests notice.
//
//	go run ./.ci/mutate -n 300 ./internal/merge
//
// All defects are woven into one instrumented build, each behind a switch, so
// that the tests are compiled once. A first run of every test by itself tells
// which switches it passes; a defect is then tried against those tests only, the
// quickest first. It prints a line for each defect that no test notices, and a
// table by package at the end.
//
// A defect is one of these:
//
//   - a condition, or an operand of && and ||, is always true or always false
//   - < becomes <=, <= becomes <, and likewise the other way round
//   - a statement is left out
//   - a function returns zero values
//   - a field of a struct literal is left out, or an element of a list
//   - a whole number is one larger
//
// A survivor is a hole in the tests, code that does nothing, or an equivalent:
// a change that no input can show. Judge each, and write a test for the first
// kind, remove the second, and list the third in equivalent.txt with its reason.
// A run over all packages, which names none, says which lines of it are stale.
//
// It refuses to run where the tests fail without any defect.
package main
