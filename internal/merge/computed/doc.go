// Package computed holds texts that no file has, which merging makes.
package computed
