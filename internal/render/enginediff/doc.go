// Package enginediff words the differences between two engines' readings of a module: as warnings,
// as notes beside the configuration, and as findings of check.
//
// Package compare finds the differences.
package enginediff
