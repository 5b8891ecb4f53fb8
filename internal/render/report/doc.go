// Package report holds what commands report to programs, as records, and writes it in
// one format per file.
//
// The records are the schema of docs/report.schema.json. A Report is made of modules,
// diagnostics and findings; it holds no sensitive value. What check found can be
// written in any of the Formats.
package report
