// Package replace writes files without losing anything that was saved.
//
// A Set replaces, makes and removes files of directories together. New texts are written beside the
// old ones first, which reveals a full disk and missing permissions. Then each file is compared
// with the text that was read, right before and right after it is replaced, and all replacements
// are undone if one of them has changed. An Output is one file for a result, and MakeDir makes a
// directory; both appear as a whole or not at all.
//
// INT, TERM and HUP undo the changes so far; a run that is killed leaves files whose names begin
// with Prefix, and the next one that writes into their directory, or finds nothing to write there,
// removes those that are certainly its own: regular files of the same user, in a directory that no
// running process writes to, that are either unfinished or hold a text whose checksum is in their
// names.
//
// It refuses to replace a file that isn't regular, or that changed since it was read. It warns of
// owners, attributes and further hard links that it can't keep.
package replace
