// Package policy decides which findings check looks for in a module, which items are denied, and
// which findings make a run fail.
//
// It combines the user's settings (flags, and the file of --config) with a Source of settings
// files: the disk, the buffers of an editor, a revision of a Git repository or its index. For
// returns the policy of a directory. The user has the last word. Of the files, a nearer one only
// adds to an outer one, because the change under review may have written it; files of a revision
// aren't part of that change, so they may also switch off errors.
//
// A file that can't be read, or that sets an unknown name, is an Error with its location: half a
// policy would be the wrong gate. A file reached through a link out of the repository is never
// quoted. The package prints nothing and knows no command.
package policy
