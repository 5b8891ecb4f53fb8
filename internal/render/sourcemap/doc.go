// Package sourcemap finds where the lines of flattened files come from.
//
// In go a merged module and its files after flattening, as render.Diff makes them; out come, for every
// line of those files, the lines of the original that made it. A line that an override file made has
// its origin there, also where the primary file says the same: only there can it be mended.
// The package reads no files. It does not follow modules that are called, which have maps of their own.
package sourcemap
