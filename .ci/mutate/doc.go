// Command mutate plants one small defect at a time in the program and checks whether the tests
// notice.
//
//	go run ./.ci/mutate -n 300 -seed 7
//
// A sample of the defects, chosen by a seed, is woven into one instrumented build, each behind a
// switch, so that the tests are compiled once. The tests of a package run in batches, first without
// a defect, which shows the switches that each batch passes; a defect is then tried against those
// batches only, the quickest first. A batch notices a defect if it fails with it and passes
// without. The tests of the defect's own package run first, then the scripts, then the tests of all
// packages that depend on it; with -own, only the first.
//
// It prints a line for each defect that no test notices, and a table by package: how many were
// noticed by whom. With -min it fails if less than that share of all was noticed, and with -time it
// stops early and fails, since late detections are missing. Without a package, it takes its sample
// from all packages except those that only support tests.
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
// A survivor is a hole in the tests, code that does nothing, or a change that no input can show, for
// example of a condition that only saves work. Write a test for the first kind, and remove the second.
//
// Tests that fail without any defect are named and left out.
package main
