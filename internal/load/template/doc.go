// Package template splits templates into literal text and sequences, and writes
// literal text so that it has none.
package template
