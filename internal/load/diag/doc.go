// Package diag makes diagnostics: summary, detail, place, and in their Extra a second
// place. It escapes what it quotes, and it decides nothing.
//
// In go a range, a summary and the parts of a detail; out comes a *hcl.Diagnostic that has
// a Code, by which programs know it, and may have a Related place:
//
//	diag.WithCode(diag.OddBytes, diag.New(at, "Invalid characters", "Save %s as UTF-8.", name))
package diag
