// Package glob matches addresses by patterns.
package glob
