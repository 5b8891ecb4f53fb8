// Package modulesource tells the source addresses of modules apart: directories, registries and
// others that a module can be got from.
//
// In goes the text of an address. Nothing is fetched, and no directory is looked at.
package modulesource
