// Package repo answers questions about paths: what a path leads to, which directories are
// above it, which repository it is in, and whether a link leads out of that.
//
// In go paths of the disk, relative ones as seen from the working directory. Nothing is
// read but names, links and whether a .git is there; a .git is not judged, so that it need
// not be a repository to Git. The answers decide which settings and version files count
// for a module, so a .git below the working directory is no limit: it may be a part of
// what is judged, as in an archive or a submodule.
package repo
