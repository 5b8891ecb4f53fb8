// Package render ties the plan of what is printed to the packages that write it: a
// module in native or in JSON syntax, and the differences to its files.
//
// The packages below it form layers. palette, safetext and jsonvalue
// know nothing of modules; wording, enginediff and excerpt say things about them;
// plan decides what is printed where; native, annotate and jsonout write configuration;
// patch, notice, report and term write about it.
//
// None of them decides what is in effect: they ask the histories that package merge
// made. They write to what they are given and nowhere else.
package render
