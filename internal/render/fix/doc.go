// Package fix makes edits of override files that do away with findings of check.
//
// In go a merged module and a finding; out comes what would fix it, or why nothing does:
// items without effect, and those that repeat or are superseded, are removed with the
// comments that belong to them; keys and arguments that a replacement drops are repeated as the
// file says them that was replaced. Several fixes together make the edits of a file.
//
// The package judges no outcome: whoever applies edits merges the module again, and asks
// Same or Repeated whether it is what it was. It touches no primary file.
package fix
