// Package deny finds items that a policy forbids override files to set.
//
// Patterns reach keys and elements of values, too: an override that replaces a value or nested
// blocks sets, changes or drops their parts. Unchanged repetitions are not denied; if only the
// engine knows the keys, the value is denied, and the finding explains why.
//
// Given a merged module and patterns of addresses for each override file, it returns findings of
// the rule denied-override, each about the outermost item that a pattern matches. The package does
// not know where the policy is written.
//
// Findings of two runs, on a module as it was and as it is, are the same if their Facts agree: the
// same tokens are denied at the same address, and the same layer wins there.
package deny
