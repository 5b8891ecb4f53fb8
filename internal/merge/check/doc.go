// Package check is what the command of that name finds in a merged module.
//
// Into it go a module and the diagnostics about it; out come findings, each under one
// of the Rules. The class of a diagnostic is known by its code, never by its text. A rule
// is one declaration, in rules.go, with its id, severity and words; a finding is made by
// the rule's At and nowhere else, also by other packages that find something.
//
// Comments switch rules off for an item, a line or a file (CommentsOf), but never hide an
// error. What they silence is returned, not dropped, and comments that are wrong, silence
// nothing or are new have findings of their own. A string or a heredoc holds no comment.
// Very many findings of one kind are listed in part (Bounded). What to do about
// findings, as by a policy, is for the caller to decide.
package check
