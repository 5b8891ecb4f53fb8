// Package term writes text for people in a terminal: diagnostics with their source lines,
// explanations, tables of files and of changed lines; and changes as Markdown, for the comments of a
// pull request, in which GitHub and GitLab act on no text from a file of the module.
//
// The text contains no control sequences except for the palette's and, in the log of a pipeline, no
// commands.
package term
