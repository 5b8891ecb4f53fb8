// Package modulesource distinguishes the source addresses of modules: directories, registries and
// other sources.
//
// It only parses the text of an address. Nothing is fetched, and no directory is read.
package modulesource
