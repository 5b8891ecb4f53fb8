// Package winners finds the overrides that determine the effective values in the blocks of primary
// files.
//
// From a merged module it derives what the comments above these blocks must name: the override
// files, and the items that they determine in each block. Both package marker, which writes the
// comments, and package check, which requires them, rely on it.
package winners
