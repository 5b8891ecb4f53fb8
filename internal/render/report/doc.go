// Package report holds the records that commands report to programs, and writes them in several
// formats, one per file.
//
// The records are the schema of docs/report.schema.json. A Report is made of modules,
// diagnostics and findings; it holds no sensitive value. Findings of check can be
// written in any of the Formats.
package report
