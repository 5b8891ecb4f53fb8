// Package jsonout writes a merged module in JSON syntax.
package jsonout
