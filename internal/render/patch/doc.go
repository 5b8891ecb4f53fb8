// Package patch compares texts line by line and writes patches.
package patch
