// Package render connects the plan of the output with the packages that write it: a module in
// native or in JSON syntax, and the differences to its files.
//
// The packages below it form layers. palette, safetext and jsonvalue don't know modules; wording,
// enginediff and excerpt describe them; plan arranges the output; native, annotate and jsonout
// write configuration; patch, marker, report and term write about it.
//
// None of them decides which items are effective: they read the histories that package merge made.
// They write only to the given writers.
package render
