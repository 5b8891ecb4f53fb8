// Package palette holds the colours of what is written for people, and the kinds of
// things that overrides do, each with its word and colour.
//
// Nothing else in the program knows a colour. Whether there are any, whoever makes a
// palette says: the package does not look at terminals or the environment.
package palette
