// Package excerpt cuts what is shown of diagnostics: how many, and which part of
// a source line.
package excerpt
