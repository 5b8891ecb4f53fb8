// Package marker keeps the comments in primary files that name the override files which change a
// block.
//
// For each primary file of a module without errors, it returns the mistakes in its notices and the
// difference that corrects them. Files are not written, and those in JSON, which has no comments,
// are named only.
package marker
