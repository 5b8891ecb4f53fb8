// Package fix makes edits of files that resolve findings of check.
//
// Given a merged module and a finding, it returns a fix, or the reason why there is none: items
// without effect, and those that repeat or are superseded, are removed with the comments that
// belong to them; keys and arguments that a replacement drops are copied verbatim from the replaced
// file; comments that name override files are corrected. Several fixes together make the edits of a
// file.
//
// The package does not judge the result: the caller who applies edits merges the module again, and
// checks with Same or Repeated whether it is unchanged. It changes nothing but comments in primary
// files.
package fix
