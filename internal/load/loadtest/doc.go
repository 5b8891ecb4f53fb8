// Package loadtest is support for tests: modules that are archives in testdata, loaded
// in memory, modules made from seeds, and what expressions mean apart from their spelling.
//
// Only tests import it.
package loadtest
