// Package replace writes files so that nothing that was saved is lost.
//
// A Set replaces, makes and removes files of directories together. New texts are
// written beside the old ones first, which is where a full disk and missing
// permissions show. Then each file is compared with what was read of it, right before
// and right after it changes its place, and what took place is undone if one of them
// is another by now. An Output is one file that a result goes to, and MakeDir makes a
// directory; both are there as a whole or not at all.
//
// INT, TERM and HUP undo what was begun; a run that is killed leaves files whose names
// begin with Prefix, and the next one that writes into their directory, or finds nothing to
// write there, removes those
// that are certainly its own: regular files of the same user, in a directory that no
// running process writes to, that are either unfinished or hold a text whose checksum
// is in their names.
//
// It refuses to replace what is no regular file, and what was changed since it was
// read. It warns of owners, attributes and further hard links that it can't keep.
package replace
