// Package deny finds what a policy forbids override files to set.
//
// Patterns reach keys and elements of values, too: an override that replaces a value or nested
// blocks sets, changes or drops what they hold. What it repeats as it was is not denied; where only
// the engine knows the keys, the value is denied, and the finding says why.
//
// In go a merged module and patterns of addresses for each override file; out come
// findings of the rule denied-override, each about the outermost item that a pattern
// matches. What the policy is, and where it is written, the package does not know.
//
// Findings of two runs, on a module as it was and as it is, are the same if their Facts
// agree: the same tokens are denied at the same address, and the same layer wins there.
package deny
