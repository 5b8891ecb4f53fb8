// Package values reads the values of arguments and nested blocks as trees of their parts, and finds
// which parts of earlier ones those that replaced them lack.
//
// Parts are compared by sums of their meaning, and named by paths. A value that is computed, secret
// or too deep has no parts. Nothing is worded or judged here.
package values
