// Package deny finds what a policy forbids override files to set.
//
// In go a merged module and patterns of addresses for each override file; out come
// findings of the rule denied-override, each about the outermost item that a pattern
// matches. What the policy is, and where it is written, the package does not know.
//
// Findings of two runs, on a module as it was and as it is, are the same if their Facts
// agree: the same tokens are denied at the same address, and the same layer wins there.
package deny
