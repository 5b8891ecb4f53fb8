// Package lookup finds what an address names in a merged module (Find): an item, or a part of a
// block that is replaced as a whole. Several items may share an address.
//
// It also goes the other way, from an item of a file to its target (OfItem, Inside), lists the
// addresses of a module (All, Top), and finds which diagnostics are about targets (NewConcern).
package lookup
