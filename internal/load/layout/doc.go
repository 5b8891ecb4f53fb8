// Package layout lays native text out as "tofu fmt" does.
package layout
