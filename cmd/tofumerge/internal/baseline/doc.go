// Package baseline reads and writes files of known findings, which check leaves out of its report.
//
// Findings of modules, totalled by their keys, are written as JSON with one line for each key,
// sorted, so that a version control system can merge it and a person can review it. Modules are
// identified by their directories, relative to one that the caller chooses. The package opens no
// file and decides nothing about findings.
package baseline
