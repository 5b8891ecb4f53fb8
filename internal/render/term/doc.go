// Package term writes what people read in a terminal.
package term
