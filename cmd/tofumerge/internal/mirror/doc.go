// Package mirror makes a temporary copy of a repository in which modules are flattened, for a tool to run
// in, and brings back what the tool wrote there.
//
// In go a directory and merged modules below it. The copy has everything at the path that the original
// has, below a temporary directory, so that relative paths lead to the same things. New files and changes
// come back, all or none. The package refuses to bring back what would change the meaning of the original:
// a change to a file that flattening wrote, and a new override file. It neither runs the tool nor prints.
package mirror
