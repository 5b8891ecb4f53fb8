// Package baseline reads and writes files of known findings, which check leaves out of its
// report.
//
// In go the findings of modules, counted by their keys; out comes JSON with one line for
// each key, sorted, so that a version control system can merge it and a person can review
// it. Modules are called by their directories, relative to whatever the caller chooses.
// The package opens no file and decides nothing about findings.
package baseline
