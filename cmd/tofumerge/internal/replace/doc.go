// Package replace writes files without losing anything that was saved.
//
// A Set replaces, makes and removes files of directories together. New texts are written beside the
// old ones first, which reveals a full disk and missing permissions. Then each file is compared
// with the text that was read, right before and right after it is replaced, and all replacements
// are undone if one of them has changed. An Output is one file for a result, and MakeDir makes a
// directory; both appear as a whole or not at all.
//
// INT, TERM and HUP undo the changes so far. A run that is killed leaves files whose names begin
// with Prefix; the next one that writes into their directory names them.
//
// It refuses to replace a file that isn't regular, that changed since it was read, or whose owner
// and mode the new one can't have. It warns of extended attributes and further hard links, which it
// doesn't keep.
package replace
