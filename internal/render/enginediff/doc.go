// Package enginediff words what two engines read differently in a module: as warnings,
// as notes beside the configuration, and as findings of check.
//
// Package compare finds what differs.
package enginediff
