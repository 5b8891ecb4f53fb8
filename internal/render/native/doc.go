// Package native writes a merged module in native syntax.
package native
