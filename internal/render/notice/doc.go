// Package notice keeps the comments in primary files that name the override files
// which change a block.
package notice
