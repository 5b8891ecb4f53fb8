// Package equal compares what items of configuration say, apart from how they are laid
// out: blanks, line ends and comments do not count, nor does the spelling of a constant
// that is not very long. Two items that only a provider could know to be the same are
// different.
package equal
