// Package equal compares items of configuration apart from their layout: it ignores blanks, line
// ends and comments, and the spelling of constants that are not very long. Two items that only a
// provider could know to be the same are different.
package equal
