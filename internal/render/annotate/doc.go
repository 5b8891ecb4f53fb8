// Package annotate puts comments into native text that tell what overrides did.
package annotate
