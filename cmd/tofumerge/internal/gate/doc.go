// Package gate finds what check reports about modules: mistakes in override files and overrides
// that a policy denies. Modules may come from the disk, an index, a revision or an editor.
//
// In go the flags of check and the modules to look at; out come an Inspection of each module
// and a report on all. It also knows what a revision had (Since), what was accepted before
// (Baseline), and which findings can be fixed without changing what the module means (Fix).
// It refuses to accept what it could not look at: that is a finding.
package gate
