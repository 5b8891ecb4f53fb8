// Package sourcemap finds where the lines of flattened files come from.
//
// From a merged module and its files after flattening, as rewrite.Diff makes them, it derives for
// every line of those files the lines of the original that made it. The origin of a line that an
// override file made is that file, even if the primary file contains the same line: only there can
// it be corrected. The package reads no files. It does not follow called modules, which have
// separate maps.
package sourcemap
