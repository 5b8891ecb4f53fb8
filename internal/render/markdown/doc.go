// Package markdown writes the overrides' changes as Markdown, for the comments of a pull request: a
// section that can be folded for each module, with lines in a fenced block, in which GitHub and
// GitLab act on no text from a file of the module.
//
// Comments have a maximum size. The number of omitted lines is printed.
package markdown
