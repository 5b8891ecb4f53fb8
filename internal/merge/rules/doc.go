// Package rules holds the table of what override files do: All, with a row for each way in which
// releases treat an item.
//
// A row is data. It names the path of the items, what they do to the ones that they address, and
// the releases that do so. A Set is the table as one release follows it. The package applies no
// rule: package merge does, and makes the checks that a row names.
package rules
