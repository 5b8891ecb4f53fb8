// Package check finds mistakes in the override files of a merged module, for the command of that
// name.
//
// From a module and its diagnostics it makes findings, each under one of the Rules. The class of a
// diagnostic is known by its code, never by its text. A rule is one declaration, in rules.go, with
// its id, severity and words; a finding is only made by the rule's At, even in other packages.
//
// A notice is the last line of a primary block's lead comment, and names the overrides that
// determine its effective values: "# overridden: a_override.tf (instance_type)". A line of exactly
// this form there is a notice, even if a person wrote it; every other comment is the author's.
//
// Comments switch rules off for an item, a line or a file (CommentsOf), but never hide an error.
// The silenced findings are returned, not dropped, and comments that are wrong, silence nothing or
// are new cause findings themselves. A string or a heredoc contains no comment. Of very many
// findings of one kind, only some are listed (Bounded). The caller decides how to treat findings,
// for example by a policy.
package check
