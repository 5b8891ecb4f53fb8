// Package mirror makes a temporary copy of a repository in which modules are flattened, for a tool
// to run in, and brings back the files that the tool wrote there.
//
// It copies a directory with merged modules below it. The copy has everything at the path that the
// original has, below a temporary directory, so that relative paths keep their meaning. New files
// and changes are brought back, all or none. The package refuses to bring back files that would
// change the meaning of the original: a change to a file that flattening wrote, and a new override
// file. It neither runs the tool nor prints.
package mirror
