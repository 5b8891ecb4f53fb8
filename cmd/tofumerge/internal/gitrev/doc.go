// Package gitrev reads module directories as they are in a revision of a Git repository, or in
// its index, through the git that is installed.
//
// In go the directory of a repository and the name of a revision; out come directories of
// its tree for package load, with the bytes that a checkout would have: line ends and
// encodings are those that .gitattributes of the revision and the settings of Git ask for.
// Nothing is checked out. Of the index, the bytes that are stored count: what the next commit
// has, whatever lies in the working tree. Paths with a conflict, and files that pass through a
// filter, are errors when they are read, and a path that is only intended to be added isn't
// there. One process answers for all objects of a repository, and those
// are read when they are asked for.
//
// The repository may come from a stranger. Names of revisions reach git on its standard
// input only. No hook, pager, file system monitor, text conversion or filter runs, objects
// are never replaced, and nothing is fetched. A link is followed inside the tree; one that
// leads out of it leads to the file on the disk that it would lead to if it was checked
// out, which is not to be quoted.
package gitrev
