// Package markdown writes what overrides change as Markdown, for the comments of a pull
// request: a section that can be folded for each module, with lines in a fenced block,
// in which GitHub and GitLab act on nothing that a file of the module says.
//
// A comment has a largest size. What does not fit is counted.
package markdown
