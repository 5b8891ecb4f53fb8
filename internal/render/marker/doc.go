// Package marker keeps the comments in primary files that name the override files
// which change a block.
//
// In goes a module without errors; out comes, for each primary file, what is wrong
// with its notices and the difference that puts it right. Files are not written, and
// those in JSON, which has no comments, are named only.
package marker
