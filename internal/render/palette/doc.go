// Package palette holds the colours of what is written for people, among them one for each
// kind of mark.
//
// Nothing else in the program knows a colour. Whether there are any, the caller who makes a
// palette says: the package does not look at terminals or the environment.
package palette
