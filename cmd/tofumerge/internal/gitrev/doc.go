// Package gitrev reads module directories as they are in a revision of a Git repository, or in its
// index, through the installed git.
//
// From the directory of a repository and the name of a revision, it makes directories of its tree
// for package load, with the bytes that Git stores. Nothing is checked out. If a revision is compared
// with the working tree, a file that Git here converts has the line ends of the working tree, so
// those are no change. Files whose stored form differs otherwise are errors when they are read: in Git
// LFS, with a filter, an identifier or another encoding. So are paths with a conflict. A path that is
// only intended to be added isn't there. One process answers for all objects of a repository, and
// those are read on demand.
//
// The repository may come from a stranger. Names of revisions reach git on its standard input only.
// No hook, pager, file system monitor, text conversion or filter runs, objects are never replaced,
// and nothing is fetched. A link is followed inside the tree; one that points outside means the
// file on the disk that it would point to if it was checked out, which must not be quoted.
package gitrev
