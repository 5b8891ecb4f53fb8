// Package gitrev reads module directories as they are in a revision of a Git repository, or in its
// index, through the installed git.
//
// From the directory of a repository and the name of a revision, it makes directories of its tree
// for package load, with the bytes that a checkout would have: line ends and encodings follow
// .gitattributes of the revision and the settings of Git. Nothing is checked out. An index is read
// as it is stored: as the next commit will be, whatever is in the working tree. Paths with a
// conflict, and files that pass through a filter, are errors when they are read, and a path that is
// only intended to be added isn't there. One process answers for all objects of a repository, and
// those are read on demand.
//
// The repository may come from a stranger. Names of revisions reach git on its standard input only.
// No hook, pager, file system monitor, text conversion or filter runs, objects are never replaced,
// and nothing is fetched. A link is followed inside the tree; one that points outside means the
// file on the disk that it would point to if it was checked out, which must not be quoted.
package gitrev
