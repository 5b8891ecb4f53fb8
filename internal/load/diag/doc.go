// Package diag makes diagnostics: summary, detail, range, and in their Extra a second range. It
// escapes quoted text, and it decides nothing.
//
// Given a range, a summary and the parts of a detail, it returns a *hcl.Diagnostic that has a Code,
// by which programs recognise it, and may have a Related range:
//
//	diag.WithCode(diag.OddBytes, diag.New(at, "Invalid characters", "Save %s as UTF-8.", name))
package diag
