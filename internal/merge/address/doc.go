// Package address lists, parses and walks the addresses of a merged module.
package address
