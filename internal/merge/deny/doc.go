// Package deny finds what a policy forbids override files to set.
//
// In go a merged module and patterns of addresses for each override file; out come
// findings of the rule denied-override, each about the outermost item that a pattern
// matches. What the policy is, and where it is written, the package does not know.
package deny
