// Package check finds what is questionable in a merged module.
package check
