// Package ignore decides which directories git ignores, by the patterns of .gitignore files,
// without git.
//
// It takes the texts of the files, and paths of directories with slashes. Tracked files are not
// considered, nor are the user's own patterns. Matching takes time in proportion to the pattern
// times the path, whatever the pattern is.
package ignore
