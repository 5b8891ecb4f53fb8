// Package policy decides what check looks for in a module, what is denied there, and which
// findings make a run fail.
//
// In go the user's settings (flags, and the file of --config) and a Source of settings
// files: the disk, the buffers of an editor, a revision of a Git repository or its index.
// For returns the policy of a directory. The user has the last word. Of the files, a nearer
// one only adds to what an outer one asks for, because the change under review may have
// written it; files of a revision are no part of that change, so they may also switch off
// errors.
//
// A file that can't be read, or that sets what doesn't exist, is an Error with its place:
// half a policy would be the wrong gate. Nothing of a file that a link out of the repository
// leads to is quoted. The package prints nothing and knows no command.
package policy
